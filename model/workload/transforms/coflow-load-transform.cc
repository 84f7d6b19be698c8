/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The transform that multiplies arrivals by a factor, so that the load has a given value.

#include "ns3/coflow-error.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-workload-check.h"

#include <cmath>

namespace coflow
{

namespace
{

/// @throws InputError where no factor gives the load
void
ScaleToLoad(Workload& workload,
            double wanted,
            double bytesPerSecond,
            bool busiest,
            const std::string& text)
{
    const OfferedLoad now =
        ComputeOfferedLoad(workload, PortRates::Uniform(workload.hosts, bytesPerSecond));
    const double load = busiest ? now.busiest : now.mean;
    if (!(load > 0) || std::isinf(load))
    {
        throw InputError(
            "transform " + text + " finds " +
            (load > 0 ? "all coflows arriving at one time" : "no bytes between different hosts") +
            "; allowed: a workload with a load that time changes");
    }
    const double factor = load / wanted;
    for (Coflow& coflow : workload.coflows)
    {
        const double arrival = static_cast<double>(coflow.arrival) * factor;
        if (arrival > static_cast<double>(MAX_TIME))
        {
            throw InputError("transform " + text + " makes an arrival at " +
                             FormatNumber(arrival / 1e9) + " s; allowed: a higher load");
        }
        coflow.arrival = std::llround(arrival);
    }
}

Transform
ParseLoad(const TransformKind& kind, const std::string& argument)
{
    const TransformArgument parts(kind, argument);
    if (parts.Size() < 2 || parts.Size() > 3)
    {
        parts.Fail("a load such as 0.4 and the rate of hosts' links, as in load=0.4:1Gbps");
    }
    const double load = parts.Quantity(0, Unit::NUMBER, 1e-6, 1e6);
    const double rate = parts.Quantity(1, Unit::BITS_PER_SECOND, 1, 1e15);
    const bool busiest = parts.Size() == 3;
    if (busiest && parts.Text(2) != "busiest")
    {
        parts.Fail("with busiest for the load of the busiest port, otherwise nothing");
    }
    const std::string text = kind.name + "=" + FormatNumber(load) + ":" + FormatNumber(rate) +
                             (busiest ? ":busiest" : "");
    constexpr double BITS_PER_BYTE = 8;
    return {text, [=](Workload& workload) {
                ScaleToLoad(workload, load, rate / BITS_PER_BYTE, busiest, text);
            }};
}

const TransformEntry g_load(
    {"load",
     "LOAD:LINKRATE[:busiest]",
     "multiplies arrivals so that the hosts' uplinks of LINKRATE have the offered load LOAD, such "
     "as 0.4: bytes between hosts / (hosts * LINKRATE * time from the first to the last arrival). "
     "With busiest, LOAD is that of the uplink or downlink with most bytes. Deadlines and sizes do "
     "not change",
     ParseLoad});

} // namespace

} // namespace coflow
