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
                                "other flows get the rate that a flow limited at its other port "
                                "leaves; false is an artefact of CoflowSim, for comparison",
                                "CoflowSim has false")};
}

FluidForm
Fair::GetForm() const
{
    return m_redistribute ? MaxMin::GetForm() : SharingForm{false, SharingForm::Levels::SPLIT};
}

Decision
Fair::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    if (m_redistribute)
    {
        return MaxMin::Allocate(view, capacity, rates);
    }
    std::vector<double> sending(capacity.ingress.size(), 0.0);
    std::vector<double> receiving(capacity.egress.size(), 0.0);
    view.ForEachFlow([&](std::uint32_t f) {
        ++sending[view.src[f]];
        ++receiving[view.dst[f]];
    });
    view.ForEachFlow([&](std::uint32_t f) {
        const HostId src = view.src[f];
        const HostId dst = view.dst[f];
        rates[f] =
            std::min(capacity.ingress[src] / sending[src], capacity.egress[dst] / receiving[dst]);
    });
    return {};
}

} // namespace coflow
