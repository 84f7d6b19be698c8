/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-decision-engine.h"

#include "ns3/coflow-flow-scan.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>

namespace coflow
{

DecisionEngine::DecisionEngine(FluidRun& run,
                               Policy& policy,
                               const ControlModel& control,
                               Bytes bypass)
    : FluidExecutor(run),
      m_policy(policy),
      m_triggers(policy.GetTriggers()),
      m_bypassBytes(bypass),
      m_loop(control),
      m_bypass(run)
{
    if (policy.GetControl() == Control::HYBRID)
    {
        m_places.emplace(false, 0);
    }
    // Otherwise the rates of the policy are in force at once and without a change.
    const PathMap* paths = run.Options().paths;
    if (control.delay > 0 || bypass > 0 || paths)
    {
        m_grants.emplace(run);
    }
    if (!paths)
    {
        return;
    }
    const auto demand = LinkShare::DemandOf(policy);
    m_links.emplace(run, *paths, demand);
    if (demand == LinkShare::Demand::GRANTED)
    {
        if (policy.ChoosesPaths())
        {
            policy.ShowPaths(*paths, 1);
        }
        else if (run.Options().pathChoice != PathChoice::FABRIC)
        {
            m_chooser.emplace(*paths, run.Options().pathChoice);
        }
    }
}

Nanoseconds
DecisionEngine::Next()
{
    const Nanoseconds retry = m_retries.empty() ? NEVER : m_retries.top().first;
    return std::min({m_completion,
                     retry,
                     m_links ? m_links->Next() : m_bypass.Next(),
                     m_loop.NextDecision(),
                     m_loop.NextEffect()});
}

void
DecisionEngine::Decide()
{
    TakeRetries();
    if (!m_waiting.empty() || m_heard)
    {
        m_loop.Trigger(m_now);
    }
    // The loop can make the next decision only when the last one has taken effect. The next
    // decision may take effect at once.
    if (m_loop.NextEffect() <= m_now)
    {
        TakeEffect();
    }
    if (m_loop.NextDecision() <= m_now)
    {
        AskPolicy();
    }
    if (m_loop.NextEffect() <= m_now)
    {
        TakeEffect();
    }
    Share();
    Foresee();
}

void
DecisionEngine::AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const
{
    const double seconds = static_cast<double>(at - m_now) * 1e-9;
    for (const CoflowRow& row : m_table.Rows())
    {
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            if (FinishOf(f) > at)
            {
                const double rate = m_table.Rates()[f];
                flows.push_back({row.index,
                                 m_table.FlowIds()[f],
                                 m_table.Src()[f],
                                 m_table.Dst()[f],
                                 m_table.Remaining()[f] - rate * seconds,
                                 rate});
            }
        }
    }
    for (const Waiting& waiting : m_waiting)
    {
        m_run.AppendFlows(waiting.second, flows);
    }
    m_bypass.AppendFlows(m_now, at, flows);
}

void
DecisionEngine::Settle(Nanoseconds time)
{
    m_bypass.Settle(m_now, time);
    // At the end of a run (NEVER), only the records of finished flows matter.
    const double seconds = time == NEVER ? 0 : static_cast<double>(time - m_now) * 1e-9;
    const auto rates = m_table.Rates();
    // A flow that does not finish within the time plus this slack has not finished. Its exact
    // finish time is not computed.
    const double slack =
        time == NEVER ? std::numeric_limits<double>::infinity() : 2e-9 + 1e-11 * seconds;
    bool any = false;
    bool heard = false;
    double idle = 0;  // bytes that finished flows could have sent until now
    double moved = 0; // bytes of all flows at their rates, with `idle`
    double sent = 0;  // the same, since the arrival of their coflows
    for (std::size_t r = 0; r < m_table.Rows().size(); ++r)
    {
        CoflowRow& row = m_table.Rows()[r];
        row.sent += m_outlook[r].rate * seconds;
        moved += m_outlook[r].rate * seconds;
        sent += row.sent;
        if (m_outlook[r].rate == 0)
        {
            continue;
        }
        const auto remaining = m_table.Remaining(r);
        const bool finishes = m_outlook[r].first <= time && m_outlook[r].first != NEVER;
        m_finished.clear();
        for (std::size_t b = r > 0 ? m_outlook[r - 1].blocks : 0; b < m_outlook[r].blocks; ++b)
        {
            const std::uint32_t begin = row.begin + m_blocks[b];
            const std::uint32_t count = std::min(FLOW_BLOCK, row.end - begin);
            const auto left = remaining.subspan(m_blocks[b], count);
            const auto rate = rates.subspan(begin, count);
            if (finishes && AnyThrough(left, rate, seconds, slack))
            {
                for (std::uint32_t f = begin; f < begin + count; ++f)
                {
                    const Nanoseconds finish = FinishOf(f);
                    if (finish <= time && finish != NEVER)
                    {
                        m_finished.push_back(f);
                        idle += time == NEVER
                                    ? 0
                                    : rates[f] * static_cast<double>(time - finish) * 1e-9;
                        row.sent += left[f - begin] - rates[f] * seconds;
                        row.longest =
                            std::max(row.longest, static_cast<double>(m_table.FlowBytes()[f]));
                        heard |= m_run.FinishFlow(row.index, m_table.FlowIds()[f], finish);
                    }
                }
            }
            MoveFlows(left, rate, seconds);
        }
        if (!m_finished.empty())
        {
            any = true;
            m_table.RemoveFinished(r, m_finished);
        }
    }
    if (any)
    {
        m_table.RemoveEmpty();
    }
    m_run.AddIdle(idle);
    if (m_triggers.coalesceIdle < std::numeric_limits<double>::infinity())
    {
        const double share = m_triggers.coalesceIdle;
        m_idleBudget = std::min(m_idleBudget + share * moved - idle, share * sent);
    }
    m_heard = heard || (any && m_triggers.flowCompletion);
}

void
DecisionEngine::Arrive(std::uint32_t index, Nanoseconds ready)
{
    if (m_bypassBytes > 0 && SizesOf(m_run.At(index)).bottleneck < m_bypassBytes)
    {
        m_run.Bypass(index);
        m_bypass.Add(index);
        return;
    }
    m_waiting.emplace_back(ready, index);
}

void
DecisionEngine::Start(std::uint32_t index, Nanoseconds ready)
{
    if (m_places)
    {
        m_places->Register(m_run.At(index).id, m_run.At(index).parents, {}, ready);
    }
}

void
DecisionEngine::TakeRetries()
{
    while (!m_retries.empty() && m_retries.top().first <= m_now)
    {
        m_waiting.push_back(m_retries.top());
        m_retries.pop();
    }
}

void
DecisionEngine::Admit()
{
    const bool byDeadline = m_policy.AdmitsWhenItDecides();
    std::ranges::sort(m_waiting, [&](const Waiting& a, const Waiting& b) {
        const auto key = [&](const Waiting& waiting) {
            const auto& [ready, index] = waiting;
            return std::tuple(ready, byDeadline ? m_run.DeadlineOf(index) : 0, index);
        };
        return key(a) < key(b);
    });
    for (const auto& [ready, index] : m_waiting)
    {
        m_lastArrival = std::max(m_lastArrival, ready);
        const std::size_t row =
            m_table.Add(m_run.At(index),
                        index,
                        ready,
                        m_run.GetOutcome(index).start,
                        m_places ? m_places->OrderOf(m_run.At(index).id).Value() : 0);
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
DecisionEngine::AskPolicy()
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
    if (m_policy.ReportPeriod() != NEVER)
    {
        m_table.UpdateLongest();
    }
    const Decision decision = m_policy.Decide(m_table, m_now, m_run.Capacity(), m_rates);
    if (decision.askAgain <= m_now)
    {
        throw std::logic_error("a policy asked to be asked at a time that is over");
    }
    m_loop.Decide(m_now, decision.askAgain);
    m_unchanged = decision.unchanged;
    if (!decision.paths.empty())
    {
        m_table.TakePaths(decision.paths);
    }
    if (m_chooser && !m_unchanged)
    {
        m_chooser->Choose(m_table, m_rates);
    }
    if (m_grants && !m_unchanged)
    {
        m_grants->Decide(m_table, m_rates);
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
    if (m_chooser || (m_links && m_policy.ChoosesPaths()))
    {
        m_links->TakePaths(m_table);
    }
    if (m_grants)
    {
        m_grants->TakeEffect();
        return;
    }
    m_table.SwapRates(m_rates);
}

void
DecisionEngine::Share()
{
    if (!m_grants)
    {
        return;
    }
    m_grants->PutInForce(m_table);
    if (m_links)
    {
        if (m_links->Share(m_table, m_bypass.Flows(), m_now))
        {
            m_grants->Lower();
        }
        return;
    }
    if (!m_bypass.Empty())
    {
        m_grants->Lower();
    }
    m_bypass.Share(m_table, m_now);
}

void
DecisionEngine::Foresee()
{
    m_outlook.resize(m_table.Rows().size());
    m_blocks.clear();
    Nanoseconds firstCoflow = NEVER;
    Nanoseconds firstFlow = NEVER;
    for (std::size_t r = 0; r < m_outlook.size(); ++r)
    {
        const CoflowRow& row = m_table.Rows()[r];
        const FlowExtent extent = ExtentOf(m_table.Remaining().subspan(row.begin, row.Count()),
                                           m_table.Rates().subspan(row.begin, row.Count()),
                                           m_blocks);
        m_outlook[r] = {TimeAfter(m_now, extent.shortest, 1),
                        TimeAfter(m_now, extent.longest, 1),
                        extent.rate,
                        m_blocks.size()};
        firstCoflow = std::min(firstCoflow, m_outlook[r].last);
        firstFlow = std::min(firstFlow, m_outlook[r].first);
    }
    m_completion = firstCoflow;
    if (m_triggers.flowCompletion && firstFlow != NEVER)
    {
        const bool late = m_idleBudget >= 0;
        m_completion =
            std::min(m_completion, late ? m_triggers.After(firstFlow, m_lastArrival) : firstFlow);
    }
}

} // namespace coflow
