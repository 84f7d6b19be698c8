/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The transform that gives coflows deadlines, as the experiments of Varys do (section 7.1).

#include "ns3/coflow-arrivals.h"
#include "ns3/coflow-random.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-transform.h"

#include <algorithm>

namespace coflow
{

namespace
{

void
SetDeadlines(Workload& workload, double slack, double bytesPerSecond, std::uint64_t seed)
{
    constexpr double LEAST_SECONDS = 0.2;
    Random random(seed);
    const PortRates rates = PortRates::Uniform(workload.hosts, bytesPerSecond);
    for (Coflow& coflow : workload.coflows)
    {
        const double stretch = 1 + slack * random.Uniform(0, 1);
        coflow.deadline =
            ToNanoseconds(std::max(LEAST_SECONDS, GammaSeconds(coflow, rates) * stretch));
    }
}

Transform
ParseDeadlines(const TransformKind& kind, const std::string& argument)
{
    const TransformArgument parts(kind, argument);
    if (parts.Size() != 3)
    {
        parts.Fail("three values");
    }
    const double slack = parts.Quantity(0, Unit::NUMBER, 0, 1e6);
    const double rate = parts.Quantity(1, Unit::BITS_PER_SECOND, 1, 1e15);
    const auto seed =
        static_cast<std::uint64_t>(parts.Quantity(2, Unit::COUNT, 0, 9007199254740992));
    constexpr double BITS_PER_BYTE = 8;
    return {kind.name + "=" + FormatNumber(slack) + ":" + FormatNumber(rate) + ":" +
                std::to_string(seed),
            [slack, rate, seed](Workload& workload) {
                SetDeadlines(workload, slack, rate / BITS_PER_BYTE, seed);
            }};
}

const TransformEntry g_deadlines(
    {"deadlines",
     "X:LINKRATE:SEED",
     "gives every coflow the deadline Gamma * (1 + U(0, X)) at LINKRATE, at least 200 ms",
     ParseDeadlines});

} // namespace

} // namespace coflow
