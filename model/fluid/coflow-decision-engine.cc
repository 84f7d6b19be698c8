/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-decision-engine.h"

#include <algorithm>
#include <stdexcept>

namespace coflow
{

DecisionEngine::DecisionEngine(FluidRun& run, Policy& policy)
    : m_run(run),
      m_policy(policy),
      m_triggers(policy.GetTriggers())
{
}

void DecisionEngine::Run()
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

void DecisionEngine::Settle(Nanoseconds time)
{
    if (m_run.Options().observer && !m_table.Rows().empty() && time > m_now && time != NEVER)
    {
        m_run.Options().observer({m_now, time, m_table, m_finish, m_run.Capacity()});
    }
    // At the end of a run (NEVER) only finishes matter.
    const double seconds = time == NEVER ? 0 : static_cast<double>(time - m_now) * 1e-9;
    const auto remaining = m_table.Remaining();
    const auto rates = m_table.Rates();
    m_finished.assign(remaining.size(), 0);
    bool any = false;
    for (CoflowRow& row : m_table.Rows())
    {
        double sent = 0;
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            if (m_finish[f] <= time && m_finish[f] != NEVER)
            {
                any = true;
                m_finished[f] = 1;
                sent += remaining[f];
                m_run.FinishFlow(row.index, m_table.FlowIds()[f], m_finish[f]);
                continue;
            }
            // An unfinished flow has something left, whatever rounding says.
            const double left = std::max(remaining[f] - rates[f] * seconds, 1e-6);
            sent += remaining[f] - left;
            remaining[f] = left;
        }
        row.sent += sent;
    }
    if (any)
    {
        m_table.RemoveFinished(m_finished);
    }
    m_now = time;
}

void DecisionEngine::TakeReady(Nanoseconds time)
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

void DecisionEngine::Decide()
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
        std::copy(m_rates.begin(), m_rates.end(), m_table.Rates().begin());
    }
}

void DecisionEngine::Foresee()
{
    const auto remaining = m_table.Remaining();
    const auto rates = m_table.Rates();
    m_finish.resize(remaining.size());
    Nanoseconds firstCoflow = NEVER;
    Nanoseconds firstFlow = NEVER;
    for (const CoflowRow& row : m_table.Rows())
    {
        Nanoseconds last = 0;
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            m_finish[f] = TimeAfter(m_now, remaining[f], rates[f]);
            last = std::max(last, m_finish[f]);
            firstFlow = std::min(firstFlow, m_finish[f]);
        }
        firstCoflow = std::min(firstCoflow, last);
    }
    m_completion = firstCoflow;
    if (m_triggers.flowCompletion && firstFlow != NEVER)
    {
        m_completion = std::min(m_completion, firstFlow + m_triggers.coalesce);
    }
}

} // namespace coflow
