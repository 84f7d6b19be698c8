/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-decision-engine.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace coflow
{

DecisionEngine::DecisionEngine(FluidRun& run, Policy& policy)
    : m_run(run),
      m_policy(policy),
      m_triggers(policy.GetTriggers())
{
}

void
DecisionEngine::Run()
{
    while (true)
    {
        const Nanoseconds next = std::min({m_run.NextReady(), m_completion, m_askAgain});
        if (next == NEVER || next > m_run.Options().stop)
        {
            Settle(std::min(next, m_run.Options().stop));
            return;
        }
        ++m_run.Counters().events;
        Settle(next);
        TakeReady(next);
        m_askAgain = NEVER;
        if (!m_table.Rows().empty())
        {
            Decide();
        }
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
    m_run.Options().observer({m_now, time, m_table, finish, m_run.Capacity()});
}

void
DecisionEngine::Settle(Nanoseconds time)
{
    if (m_run.Options().observer && !m_table.Rows().empty() && time > m_now && time != NEVER)
    {
        Observe(time);
    }
    // At the end of a run (NEVER) only finishes matter.
    const double seconds = time == NEVER ? 0 : static_cast<double>(time - m_now) * 1e-9;
    const auto remaining = m_table.Remaining();
    const auto rates = m_table.Rates();
    // An unfinished flow has something left, whatever rounding says.
    const auto left = [&](std::uint32_t f) {
        return std::max(remaining[f] - rates[f] * seconds, 1e-6);
    };
    bool any = false;
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
            for (std::uint32_t f = row.begin; f < row.end; ++f)
            {
                remaining[f] = left(f);
            }
            continue;
        }
        m_finished.resize(remaining.size(), 0);
        // A flow with more left than that has not finished, and need not be looked at closely.
        const double slack = 2e-9 + 1e-11 * seconds;
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            const double moved = rates[f] * seconds;
            if (remaining[f] - moved <= rates[f] * slack || time == NEVER)
            {
                const Nanoseconds finish = FinishOf(f);
                if (finish <= time && finish != NEVER)
                {
                    any = true;
                    m_finished[f] = 1;
                    row.sent += remaining[f] - moved;
                    m_run.FinishFlow(row.index, m_table.FlowIds()[f], finish);
                    continue;
                }
            }
            remaining[f] = left(f);
        }
        m_table.RemoveFinished(r, m_finished);
    }
    if (any)
    {
        m_finished.clear();
        m_table.RemoveEmpty();
    }
    m_now = time;
}

void
DecisionEngine::TakeReady(Nanoseconds time)
{
    while (m_run.NextReady() <= time)
    {
        const auto [index, left] = m_run.TakeReady();
        if (!left)
        {
            continue;
        }
        m_table.Add(m_run.At(index), index, time, m_run.Options().localUsePorts);
        const std::size_t row = m_table.Rows().size() - 1;
        if (!m_policy.Admit(m_table, row, time, m_run.Capacity()))
        {
            m_run.Reject(index);
            m_table.RemoveCoflow(row);
        }
    }
}

void
DecisionEngine::Decide()
{
    ++m_run.Counters().decisions;
    m_rates.assign(m_table.Rates().size(), 0.0);
    const Decision decision = m_policy.Decide(m_table, m_now, m_run.Capacity(), m_rates);
    if (decision.askAgain <= m_now)
    {
        throw std::logic_error("a policy asked to be asked at a time that is over");
    }
    m_askAgain = decision.askAgain;
    if (!decision.unchanged)
    {
        m_table.SwapRates(m_rates);
    }
}

void
DecisionEngine::Foresee()
{
    const auto remaining = m_table.Remaining();
    const auto rates = m_table.Rates();
    m_outlook.resize(m_table.Rows().size());
    Nanoseconds firstCoflow = NEVER;
    Nanoseconds firstFlow = NEVER;
    for (std::size_t r = 0; r < m_outlook.size(); ++r)
    {
        const CoflowRow& row = m_table.Rows()[r];
        // Four lanes, so that the divisions go in pairs or quads.
        constexpr std::uint32_t LANES = 4;
        constexpr double INFINITE = std::numeric_limits<double>::infinity();
        double shortest[LANES] = {INFINITE, INFINITE, INFINITE, INFINITE};
        double longest[LANES] = {0, 0, 0, 0};
        double rate[LANES] = {0, 0, 0, 0};
        bool waiting = false;
        const auto look = [&](std::uint32_t f, std::uint32_t lane) {
            const double duration = remaining[f] / rates[f];
            shortest[lane] = duration < shortest[lane] ? duration : shortest[lane];
            longest[lane] = duration > longest[lane] ? duration : longest[lane];
            rate[lane] += rates[f];
        };
        std::uint32_t f = row.begin;
        for (; f + LANES <= row.end; f += LANES)
        {
            // Flows that wait tend to stand together.
            if (rates[f] + rates[f + 1] + rates[f + 2] + rates[f + 3] == 0)
            {
                waiting = true;
                continue;
            }
            for (std::uint32_t lane = 0; lane < LANES; ++lane)
            {
                look(f + lane, lane);
            }
        }
        for (; f < row.end; ++f)
        {
            look(f, 0);
        }
        const double last = waiting ? INFINITE : *std::max_element(longest, longest + LANES);
        m_outlook[r] = {TimeAfter(m_now, *std::min_element(shortest, shortest + LANES), 1),
                        TimeAfter(m_now, last, 1),
                        rate[0] + rate[1] + rate[2] + rate[3]};
        firstCoflow = std::min(firstCoflow, m_outlook[r].last);
        firstFlow = std::min(firstFlow, m_outlook[r].first);
    }
    m_completion = firstCoflow;
    if (m_triggers.flowCompletion && firstFlow != NEVER)
    {
        m_completion = std::min(m_completion, firstFlow + m_triggers.coalesce);
    }
}

} // namespace coflow
