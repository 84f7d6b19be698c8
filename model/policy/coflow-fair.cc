/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fair.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Fair>("fair", "per-flow max-min fairness (ideal TCP)", Fair::Specs());

} // namespace

std::vector<ParameterSpec>
Fair::Specs()
{
    return {ParameterSpec::Flag("redistribute",
                                true,
                                "hand out what flows limited at their other port leave; false is "
                                "an artefact for comparison",
                                "CoflowSim has false")};
}

FluidForm
Fair::GetForm() const
{
    return SharingForm{false,
                       m_redistribute ? SharingForm::Levels::MAX_MIN : SharingForm::Levels::SPLIT};
}

Decision
Fair::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    if (m_redistribute)
    {
        view.ForEachFlow(
            [&](std::uint32_t f) { m_filler.Add(f, view.src[f], view.dst[f], 1.0, m_budget); });
        m_filler.Fill(m_budget, rates);
        return {};
    }
    std::vector<double> flows(m_budget.Ports(), 0.0);
    view.ForEachFlow([&](std::uint32_t f) {
        ++flows[m_budget.Sending(view.src[f])];
        ++flows[m_budget.Receiving(view.dst[f])];
    });
    view.ForEachFlow([&](std::uint32_t f) {
        const PortId in = m_budget.Sending(view.src[f]);
        const PortId out = m_budget.Receiving(view.dst[f]);
        rates[f] = std::min(m_budget.Capacity(in) / flows[in], m_budget.Capacity(out) / flows[out]);
    });
    return {};
}

} // namespace coflow
