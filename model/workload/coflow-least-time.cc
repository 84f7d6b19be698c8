/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-least-time.h"

#include "ns3/coflow-statistics.h"

#include <cmath>
#include <vector>

namespace coflow
{

Nanoseconds
LeastCct(const Coflow& coflow, const PortRates& rates)
{
    double flows = 0;
    for (const Flow& flow : coflow.flows)
    {
        flows += !flow.IsLocal() && flow.bytes > 0;
    }
    const PortLoads loads = ComputePortLoads(coflow);
    double longest = 0;
    bool stuck = false;
    const auto add = [&](const std::vector<PortLoad>& side, const std::vector<double>& rateOf) {
        for (const PortLoad& load : side)
        {
            const auto bytes = static_cast<double>(load.bytes);
            const double rate = rateOf.at(load.host);
            stuck = stuck || (bytes > 0 && !(rate > 0));
            longest = std::max(longest, LeastPortNs(bytes, flows, rate));
        }
    };
    add(loads.ingress, rates.ingress);
    add(loads.egress, rates.egress);
    return stuck ? NEVER : static_cast<Nanoseconds>(std::ceil(longest));
}

} // namespace coflow
