/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-small-rates.h"

#include "ns3/coflow-allocators.h"

#include <algorithm>

namespace coflow
{

void
MergeSmallRates(const StructureView& view,
                const PortRates& capacity,
                double least,
                std::span<double> rates)
{
    PortRates freed = PortRates::Uniform(static_cast<HostId>(capacity.ingress.size()), 0);
    bool any = false;
    view.ForEachFlow([&](std::uint32_t f) {
        if (rates[f] > 0 && rates[f] < least)
        {
            freed.ingress[view.src[f]] += rates[f];
            freed.egress[view.dst[f]] += rates[f];
            rates[f] = 0;
            any = true;
        }
    });
    if (!any)
    {
        return;
    }
    view.ForEachFlow([&](std::uint32_t f) {
        double& ingress = freed.ingress[view.src[f]];
        double& egress = freed.egress[view.dst[f]];
        const double more = std::min(ingress, egress);
        if (more > 0 && rates[f] + more >= least)
        {
            rates[f] += more;
            ingress -= more;
            egress -= more;
        }
    });
}

} // namespace coflow
