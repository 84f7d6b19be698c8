/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-drf.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Drf>("drf",
                        "dominant resource fairness: equal progress for all coflows",
                        Drf::Specs());

} // namespace

std::vector<ParameterSpec>
Drf::Specs()
{
    return {
        ParameterSpec::Flag("workConserving",
                            false,
                            "hand out the rates that are left, in proportion to remaining bytes",
                            "NC-DRF, Wang and Wang, compares with false")};
}

void
AllocateEqualProgress(const ClairvoyantView& view,
                      const CoflowLoads& loads,
                      const EqualProgress& progress,
                      PortBudget& budget,
                      std::span<double> rates)
{
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        Madd(view.coflows[r],
             view.remaining,
             loads.Of(r),
             1 / progress.RatePerUnit(r),
             budget,
             rates);
    }
}

Decision
Drf::Allocate(const ClairvoyantView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    m_loads.ComputeBytes(view, capacity);
    m_progress.Compute(view.coflows.size(), m_loads, m_budget);
    AllocateEqualProgress(view, m_loads, m_progress, m_budget, rates);
    if (m_workConserving)
    {
        view.ForEachFlow([&](std::uint32_t f) {
            m_filler.Add(f, view.src[f], view.dst[f], view.remaining[f], m_budget);
        });
        m_filler.Fill(m_budget, rates);
    }
    return {};
}

} // namespace coflow
