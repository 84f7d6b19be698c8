/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-varys.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<Varys>(
    "varys",
    "smallest effective bottleneck first; MADD, backfill and T/delta against starvation",
    Varys::Specs());

} // namespace

std::vector<ParameterSpec>
Varys::Specs()
{
    std::vector<ParameterSpec> specs = OrderPolicy::Specs();
    specs.push_back(ParameterSpec::Flag("staticKeys",
                                        false,
                                        "artefact of CoflowSim, for comparison: order by "
                                        "bottleneck bytes as registered, and not by the bytes left",
                                        "CoflowSim has true"));
    return specs;
}

void
Varys::Keys(const ClairvoyantView& view,
            const CoflowLoads& loads,
            const PortBudget& /*budget*/,
            std::span<double> keys) const
{
    for (std::size_t r = 0; r < keys.size(); ++r)
    {
        keys[r] = m_staticKeys ? static_cast<double>(view.sizes[r].bottleneck) : loads.GammaOf(r);
    }
}

} // namespace coflow
