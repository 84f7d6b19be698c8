/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-starvation-guard.h"

#include <algorithm>

namespace coflow
{

std::vector<ParameterSpec>
StarvationGuard::Specs()
{
    return {
        ParameterSpec{
            "T",
            Unit::SECONDS,
            2,
            0,
            1e6,
            "after each such time, coflows that got no rate in it are served for delta; 0: never",
            "Varys, SIGCOMM 2014, section 5.3",
            Scaling::WORKLOAD},
        ParameterSpec{"delta",
                      Unit::SECONDS,
                      0.2,
                      1e-6,
                      1e6,
                      "time for which starved coflows are served",
                      "Varys, SIGCOMM 2014, section 5.3",
                      Scaling::WORKLOAD}};
}

StarvationGuard::StarvationGuard(const Parameters& parameters)
    : m_interval(parameters.Time("T")),
      m_delta(parameters.Time("delta"))
{
}

void
StarvationGuard::StartInterval(Nanoseconds now)
{
    m_rescuing = false;
    m_start = now;
    m_end = now + m_interval;
    m_served.clear();
}

StarvationGuard::Phase
StarvationGuard::Enter(const StructureView& view, bool eventless)
{
    if (m_interval == 0)
    {
        return Phase::NORMAL;
    }
    if (m_rescuing)
    {
        const bool pending = std::ranges::any_of(view.coflows, [this](const CoflowRow& row) {
            return std::ranges::binary_search(m_starved, row.index);
        });
        if (pending && view.now < m_end)
        {
            return Phase::KEEP;
        }
        StartInterval(view.now);
        return Phase::NORMAL;
    }
    if (view.now < m_end)
    {
        return Phase::NORMAL;
    }
    m_starved.clear();
    for (const CoflowRow& row : view.coflows)
    {
        if (row.ready <= m_start && !Served(row.index))
        {
            m_starved.push_back(row.index);
        }
    }
    if (m_starved.empty())
    {
        StartInterval(view.now);
        CountHolders(view);
        return eventless ? Phase::KEEP : Phase::NORMAL;
    }
    std::ranges::sort(m_starved);
    m_rescuing = true;
    m_end = view.now + m_delta;
    return Phase::RESCUE;
}

void
StarvationGuard::Rescue(const StructureView& view,
                        std::span<const double> amount,
                        const CoflowLoads& loads,
                        PortBudget& budget,
                        std::span<double> rates)
{
    std::vector<PortDemand> merged(budget.Ports());
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        if (std::ranges::binary_search(m_starved, view.coflows[r].index))
        {
            rows.push_back(r);
            for (const PortDemand& l : loads.Of(r))
            {
                merged[l.port].port = l.port;
                merged[l.port].load += l.load;
            }
        }
    }
    const double gamma = Gamma(merged, budget);
    if (gamma == INFINITE_TIME)
    {
        return;
    }
    for (std::size_t r : rows)
    {
        Madd(view.coflows[r], amount, loads.Of(r), gamma, budget, rates);
    }
}

void
StarvationGuard::Note(const StructureView& view, std::span<const double> rates)
{
    if (m_interval == 0)
    {
        return;
    }
    m_holding.clear();
    for (const CoflowRow& row : view.coflows)
    {
        if (AllWait(rates.subspan(row.begin, row.Count())))
        {
            continue;
        }
        const std::size_t before = m_holding.size();
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            if (rates[f] > 0)
            {
                m_holding.emplace_back(row.index, view.flow[f]);
            }
        }
        if (m_holding.size() > before)
        {
            Serve(row.index);
        }
    }
}

void
StarvationGuard::CountHolders(const StructureView& view)
{
    std::ranges::sort(m_holding);
    for (const CoflowRow& row : view.coflows)
    {
        const auto flows = view.flow.subspan(row.begin, row.Count());
        auto held = std::ranges::lower_bound(m_holding, std::pair(row.index, flows.front()));
        while (held != m_holding.end() && held->first == row.index &&
               !std::ranges::binary_search(flows, held->second))
        {
            ++held;
        }
        if (held != m_holding.end() && held->first == row.index)
        {
            Serve(row.index);
        }
    }
}

Nanoseconds
StarvationGuard::AskAgain(const StructureView& view) const
{
    return m_interval == 0 || view.coflows.empty() ? NEVER : m_end;
}

} // namespace coflow
