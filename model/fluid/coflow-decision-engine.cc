/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-decision-engine.h"

#include "ns3/coflow-flow-scan.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace coflow
{

DecisionEngine::DecisionEngine(FluidRun& run,
                               Policy& policy,
                               const ControlModel& control,
                               Bytes bypass)
    : m_run(run),
      m_policy(policy),
      m_triggers(policy.GetTriggers()),
      m_bypassBytes(bypass),
      m_immediate(control.delay == 0 && bypass == 0),
      m_loop(control),
      m_bypass(run)
{
    if (!m_immediate)
    {
        m_granted.resize(run.FlowCount(), 0.0);
        m_decided.resize(run.FlowCount(), 0.0);
    }
}

void
DecisionEngine::Run()
{
    while (true)
    {
        const Nanoseconds retry = m_retries.empty() ? NEVER : m_retries.top().first;
        const Nanoseconds next = std::min({m_run.NextReady(),
                                           m_completion,
                                           retry,
                                           m_bypass.Next(),
                                           m_loop.NextDecision(),
                                           m_loop.NextEffect()});
        if (next == NEVER || next > m_run.Options().stop)
        {
            Settle(std::min(next, m_run.Options().stop));
            return;
        }
        m_run.CountEvent();
        const bool finished = Settle(next);
        if (TakeReady(next) || finished)
        {
            m_loop.Trigger(next);
        }
        if (m_loop.NextEffect() == next)
        {
            TakeEffect();
        }
        if (m_loop.NextDecision() == next)
        {
            Decide();
        }
        if (m_loop.NextEffect() == next)
        {
            TakeEffect();
        }
        Share();
        Foresee();
    }
}

void
DecisionEngine::Observe(Nanoseconds time)
{
    std::vector<Nanoseconds> finish(m_table.Rates().size());
    for (const CoflowRow& row : m_table.Rows())
    {
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            finish[f] = FinishOf(f);
        }
    }
    m_run.Options().observer({m_now, time, m_table, finish, m_run.Capacity(), m_bypass.Flows()});
}

void
DecisionEngine::SampleBefore(Nanoseconds end)
{
    m_run.SampleBefore(end, [this](Nanoseconds at, RunSampler& sampler) {
        const double seconds = static_cast<double>(at - m_now) * 1e-9;
        for (const CoflowRow& row : m_table.Rows())
        {
            for (std::uint32_t f = row.begin; f < row.end; ++f)
            {
                if (FinishOf(f) > at)
                {
                    const double rate = m_table.Rates()[f];
                    sampler.AddFlow(row.index,
                                    m_table.Src()[f],
                                    m_table.Dst()[f],
                                    m_table.Remaining()[f] - rate * seconds,
                                    rate);
                }
            }
        }
        for (const Waiting& waiting : m_waiting)
        {
            for (const Flow& flow : m_run.At(waiting.second).flows)
            {
                if (m_run.UsesFabric(flow))
                {
                    sampler.AddFlow(waiting.second,
                                    flow.src,
                                    flow.dst,
                                    static_cast<double>(flow.bytes),
                                    0.0);
                }
            }
        }
        m_bypass.ForEachFlow(m_now, at, [&sampler](auto... flow) { sampler.AddFlow(flow...); });
    });
}

bool
DecisionEngine::Settle(Nanoseconds time)
{
    SampleBefore(time);
    if (m_run.Options().observer && (!m_table.Rows().empty() || !m_bypass.Empty()) &&
        time > m_now && time != NEVER)
    {
        Observe(time);
    }
    m_bypass.Settle(m_now, time);
    // At the end of a run (NEVER) only finishes matter.
    const double seconds = time == NEVER ? 0 : static_cast<double>(time - m_now) * 1e-9;
    const auto remaining = m_table.Remaining();
    const auto rates = m_table.Rates();
    // A flow with more left than that has not finished, and need not be looked at closely.
    const double slack =
        time == NEVER ? std::numeric_limits<double>::infinity() : 2e-9 + 1e-11 * seconds;
    bool any = false;
    bool heard = false;
    for (std::size_t r = 0; r < m_table.Rows().size(); ++r)
    {
        CoflowRow& row = m_table.Rows()[r];
        row.sent += m_outlook[r].rate * seconds;
        if (m_outlook[r].rate == 0)
        {
            continue;
        }
        if (m_outlook[r].first > time || m_outlook[r].first == NEVER)
        {
            MoveFlows(remaining.subspan(row.begin, row.Count()),
                      rates.subspan(row.begin, row.Count()),
                      seconds);
            continue;
        }
        m_finished.resize(std::max(m_finished.size(), remaining.size()), 0);
        constexpr std::uint32_t BLOCK = 16;
        for (std::uint32_t begin = row.begin; begin < row.end; begin += BLOCK)
        {
            const std::uint32_t count = std::min(BLOCK, row.end - begin);
            const auto left = remaining.subspan(begin, count);
            const auto rate = rates.subspan(begin, count);
            if (AnyThrough(left, rate, seconds, slack))
            {
                for (std::uint32_t f = begin; f < begin + count; ++f)
                {
                    const Nanoseconds finish = FinishOf(f);
                    if (finish <= time && finish != NEVER)
                    {
                        any = true;
                        m_finished[f] = 1;
                        row.sent += remaining[f] - rates[f] * seconds;
                        heard |= m_run.FinishFlow(row.index, m_table.FlowIds()[f], finish);
                    }
                }
            }
            MoveFlows(left, rate, seconds);
        }
        const std::uint32_t end = row.end;
        m_table.RemoveFinished(r, m_finished);
        std::fill(m_finished.begin() + row.begin, m_finished.begin() + end, std::uint8_t{0});
    }
    if (any)
    {
        m_table.RemoveEmpty();
    }
    m_now = time;
    return heard || (any && m_triggers.flowCompletion);
}

bool
DecisionEngine::TakeReady(Nanoseconds time)
{
    while (m_run.NextReady() <= time)
    {
        const Nanoseconds ready = m_run.NextReady();
        const auto [index, left] = m_run.TakeReady();
        if (!left)
        {
            continue;
        }
        if (m_bypassBytes > 0 && SizesOf(m_run.At(index)).bottleneck < m_bypassBytes)
        {
            m_run.Bypass(index);
            m_bypass.Add(index);
            continue;
        }
        m_waiting.emplace_back(ready, index);
    }
    while (!m_retries.empty() && m_retries.top().first <= time)
    {
        m_waiting.push_back(m_retries.top());
        m_retries.pop();
    }
    return !m_waiting.empty();
}

void
DecisionEngine::Admit()
{
    std::sort(m_waiting.begin(), m_waiting.end());
    for (const auto& [ready, index] : m_waiting)
    {
        m_lastArrival = std::max(m_lastArrival, ready);
        m_table.Add(m_run.At(index), index, ready, m_run.Options().localUsePorts);
        const std::size_t row = m_table.Rows().size() - 1;
        const Admission admission = m_policy.Admit(m_table, row, m_now, m_run.Capacity());
        if (admission.retry != NEVER)
        {
            m_retries.emplace(admission.retry, index);
        }
        else if (!admission.admitted)
        {
            m_run.Reject(index, admission.served);
        }
        if (!admission.served)
        {
            m_table.RemoveCoflow(row);
        }
    }
    m_waiting.clear();
}

void
DecisionEngine::Decide()
{
    Admit();
    if (m_table.Rows().empty())
    {
        m_loop.Forget();
        return;
    }
    ++m_run.Counters().decisions;
    if (!m_unchanged)
    {
        m_rates.clear();
    }
    m_rates.resize(m_table.Rates().size(), 0.0);
    const Decision decision = m_policy.Decide(m_table, m_now, m_run.Capacity(), m_rates);
    if (decision.askAgain <= m_now)
    {
        throw std::logic_error("a policy asked to be asked at a time that is over");
    }
    m_loop.Decide(m_now, decision.askAgain);
    m_unchanged = decision.unchanged;
    if (m_immediate || m_unchanged)
    {
        return;
    }
    for (const CoflowRow& row : m_table.Rows())
    {
        const std::size_t first = m_run.FirstFlow(row.index);
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            m_decided[first + m_table.FlowIds()[f]] = m_rates[f];
        }
    }
}

void
DecisionEngine::TakeEffect()
{
    m_loop.TakeEffect();
    if (m_unchanged)
    {
        return;
    }
    if (m_immediate)
    {
        m_table.SwapRates(m_rates);
        return;
    }
    m_granted.swap(m_decided);
    m_toGrant = true;
}

void
DecisionEngine::Share()
{
    if (m_immediate)
    {
        return;
    }
    // Rates that flows which bypass the policy have lowered are not what was granted.
    if (m_toGrant)
    {
        const auto rates = m_table.Rates();
        for (const CoflowRow& row : m_table.Rows())
        {
            const std::size_t first = m_run.FirstFlow(row.index);
            for (std::uint32_t f = row.begin; f < row.end; ++f)
            {
                rates[f] = m_granted[first + m_table.FlowIds()[f]];
            }
        }
    }
    m_toGrant = !m_bypass.Empty();
    m_bypass.Share(m_table, m_now);
}

void
DecisionEngine::Foresee()
{
    m_outlook.resize(m_table.Rows().size());
    Nanoseconds firstCoflow = NEVER;
    Nanoseconds firstFlow = NEVER;
    for (std::size_t r = 0; r < m_outlook.size(); ++r)
    {
        const CoflowRow& row = m_table.Rows()[r];
        const FlowExtent extent = ExtentOf(m_table.Remaining().subspan(row.begin, row.Count()),
                                           m_table.Rates().subspan(row.begin, row.Count()));
        m_outlook[r] = {m_run.FinishAt(TimeAfter(m_now, extent.shortest, 1)),
                        m_run.FinishAt(TimeAfter(m_now, extent.longest, 1)),
                        extent.rate};
        firstCoflow = std::min(firstCoflow, m_outlook[r].last);
        firstFlow = std::min(firstFlow, m_outlook[r].first);
    }
    m_completion = firstCoflow;
    if (m_triggers.flowCompletion && firstFlow != NEVER)
    {
        m_completion = std::min(m_completion, m_triggers.After(firstFlow, m_lastArrival));
    }
}

} // namespace coflow
