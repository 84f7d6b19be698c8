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
    const auto add = [&](const std::vector<PortLoad>& side, const std::vector<double>& rate) {
        for (const PortLoad& load : side)
        {
            longest =
                std::max(longest,
                         LeastPortNs(static_cast<double>(load.bytes), flows, rate.at(load.host)));
        }
    };
    add(loads.ingress, rates.ingress);
    add(loads.egress, rates.egress);
    return longest < LONGEST_NS ? static_cast<Nanoseconds>(std::ceil(longest)) : NEVER;
}

} // namespace coflow
