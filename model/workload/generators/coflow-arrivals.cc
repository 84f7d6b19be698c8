/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-arrivals.h"

#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <cmath>

namespace coflow
{

std::vector<ParameterSpec>
PoissonParameters(double load)
{
    return {{"load",
             Unit::NUMBER,
             load,
             0.001,
             1000,
             "offered load of the hosts' links, as a fraction of their rate"},
            {"linkRate", Unit::BITS_PER_SECOND, 1e9, 1e3, 1e15, "rate of a host's link, for load"},
            {"arrivalRate",
             Unit::NUMBER,
             0,
             0,
             1e9,
             "coflows per second, instead of load; 0: computed from load"}};
}

void
SetPoissonArrivals(Workload& workload, const Parameters& parameters, Random& random)
{
    double meanGap = 0;
    if (parameters["arrivalRate"] > 0)
    {
        meanGap = 1 / parameters["arrivalRate"];
    }
    else
    {
        double bytes = 0;
        for (const Coflow& coflow : workload.coflows)
        {
            for (const Flow& flow : coflow.flows)
            {
                bytes += flow.IsLocal() ? 0 : static_cast<double>(flow.bytes);
            }
        }
        constexpr double BITS_PER_BYTE = 8;
        const double capacity = parameters["linkRate"] / BITS_PER_BYTE * workload.hosts;
        meanGap =
            bytes / static_cast<double>(workload.coflows.size()) / (parameters["load"] * capacity);
    }
    double now = 0;
    for (Coflow& coflow : workload.coflows)
    {
        now += random.Exponential(meanGap);
        coflow.arrival = ToNanoseconds(now);
    }
}

Nanoseconds
ToNanoseconds(double seconds)
{
    constexpr double NS_PER_S = 1e9;
    return std::llround(std::min(seconds * NS_PER_S, static_cast<double>(MAX_TIME)));
}

} // namespace coflow
