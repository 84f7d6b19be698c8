/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-path-map.h"

#include <algorithm>
#include <limits>

namespace coflow
{

double
PathMap::BestRate(HostId src, HostId dst) const
{
    double best = 0;
    for (const FabricPath& path : Between(src, dst))
    {
        double rate = std::numeric_limits<double>::infinity();
        for (const FabricLink link : path.Links())
        {
            rate = std::min(rate, Rates()[link]);
        }
        best = std::max(best, rate);
    }
    return best;
}

} // namespace coflow
