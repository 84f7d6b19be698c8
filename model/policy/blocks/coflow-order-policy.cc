/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-order-policy.h"

#include "ns3/coflow-pooled-leftovers.h"

#include <algorithm>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <cstdint>
#include <utility>
#include <vector>

namespace coflow
{

std::vector<ParameterSpec>
OrderPolicy::Specs()
{
    std::vector<ParameterSpec> specs = StarvationGuard::Specs();
    specs.push_back(ParameterSpec::Flag("backfill",
                                        true,
                                        "hand out the rates that MADD leaves",
                                        "Varys, SIGCOMM 2014, section 5.3"));
    specs.push_back(
        ParameterSpec::Flag("pooledLeftovers",
                            false,
                            "artefact of CoflowSim, for comparison: instead of backfill, coflows "
                            "that MADD skipped share the rest evenly, then flows take all",
                            "CoflowSim has true"));
    specs.push_back(
        ParameterSpec::Flag("rescheduleOnFlow",
                            false,
                            "decide also when a flow finishes, and not only when a coflow does",
                            "D-CAS compares with true, Varys has false"));
    return specs;
}

std::vector<ParameterSpec>
OrderPolicy::SpecsWithoutGuard()
{
    std::vector<ParameterSpec> specs = Specs();
    std::ranges::find(specs, "T", &ParameterSpec::name)->defaultValue = 0;
    return specs;
}

OrderPolicy::OrderPolicy(const Parameters& parameters)
    : m_backfill(parameters.Flag("backfill")),
      m_pooledLeftovers(parameters.Flag("pooledLeftovers")),
      m_rescheduleOnFlow(parameters.Flag("rescheduleOnFlow")),
      m_guard(parameters)
{
}

void
OrderPolicy::Prepare(const ClairvoyantView& view, const PortRates& capacity)
{
    m_budget.Reset(capacity);
    m_loads.ComputeBytes(view, capacity);
    m_keys.assign(view.coflows.size(), 0.0);
    Keys(view, m_loads, m_budget, m_keys);
    std::vector<std::pair<double, std::uint32_t>> sorted; // ties are broken by row
    for (std::uint32_t r = 0; r < m_keys.size(); ++r)
    {
        sorted.emplace_back(m_keys[r], r);
    }
    boost::sort::pdqsort(sorted.begin(), sorted.end());
    m_order.clear();
    for (const auto& [key, r] : sorted)
    {
        m_order.push_back(r);
    }
}

bool
OrderPolicy::Eventless(const ClairvoyantView& view)
{
    const bool same =
        std::equal(view.coflows.begin(),
                   view.coflows.end(),
                   m_seen.begin(),
                   m_seen.end(),
                   [](const CoflowRow& row, const Seen& seen) {
                       return row.index == seen.index && row.revision == seen.revision;
                   }) &&
        (!m_rescheduleOnFlow || m_seenFlows == view.FlowCount());
    m_seen.clear();
    for (const CoflowRow& row : view.coflows)
    {
        m_seen.push_back({row.index, row.revision});
    }
    m_seenFlows = view.FlowCount();
    return same;
}

void
OrderPolicy::Serve(const ClairvoyantView& view,
                   std::span<const std::uint32_t> order,
                   const CoflowLoads& loads,
                   PortBudget& budget,
                   std::span<double> rates)
{
    m_skipped.clear();
    OpenPorts open;
    open.Reset(budget);
    for (std::uint32_t r : order)
    {
        if (!open.HasAll(loads.PortsOf(r)))
        {
            m_skipped.push_back(r);
            continue;
        }
        const double gamma = Gamma(loads.Of(r), budget);
        Madd(view.coflows[r], view.remaining, loads.Of(r), gamma, budget, rates);
        for (const PortDemand& d : loads.Of(r))
        {
            open.Look(d.port, budget);
        }
    }
    if (m_pooledLeftovers)
    {
        PooledLeftovers(view, m_skipped, budget, rates);
    }
    else if (m_backfill)
    {
        Backfill(view, view.remaining, order, loads, budget, m_filler, rates);
    }
}

Decision
OrderPolicy::Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates)
{
    const StarvationGuard::Phase phase = m_guard.Enter(view, Eventless(view));
    if (phase == StarvationGuard::Phase::KEEP)
    {
        return {m_guard.AskAgain(view), true};
    }
    Prepare(view, capacity);
    if (phase == StarvationGuard::Phase::RESCUE)
    {
        m_guard.Rescue(view, view.remaining, m_loads, m_budget, rates);
        return {m_guard.AskAgain(view), false};
    }
    if (!rates.empty())
    {
        Serve(view, m_order, m_loads, m_budget, rates);
        m_guard.Note(view, rates);
    }
    return {std::min(m_guard.AskAgain(view), NextOrder(view)), false, m_order};
}

} // namespace coflow
