/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The transforms that give coflows deadlines, as in the experiments of Varys (section 7.1), and
// weights.

#include "ns3/coflow-arrivals.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-random.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace coflow
{

namespace
{

/// Default of the shortest deadline for a workload of full size, in seconds, as in the experiments
/// of Varys (section 7.1). The default scales with the workload.
constexpr double DEFAULT_LEAST_SECONDS = 0.2;

/// Gives every coflow a deadline.
/// @param slack deadlines are Gamma * (1 + U(0, slack))
/// @param bytesPerSecond rate of every port, for Gamma
/// @param least the shortest deadline
/// @return number of coflows with bytes and the shortest deadline, and number of all coflows with
///         bytes
/// @throws InputError where a deadline exceeds MAX_TIME
std::pair<std::size_t, std::size_t>
SetDeadlines(Workload& workload,
             double slack,
             double bytesPerSecond,
             std::uint64_t seed,
             Nanoseconds least,
             const std::string& text)
{
    Random random(seed);
    const PortRates rates = PortRates::Uniform(workload.hosts, bytesPerSecond);
    std::size_t atLeast = 0;
    std::size_t all = 0;
    for (Coflow& coflow : workload.coflows)
    {
        const double stretch = 1 + slack * random.Uniform(0, 1);
        const double gamma = GammaSeconds(coflow, rates);
        if (gamma * stretch * 1e9 > static_cast<double>(MAX_TIME))
        {
            throw InputError("transform " + text + " gives coflow " + std::to_string(coflow.id) +
                             " a deadline of " + FormatNumber(gamma * stretch) +
                             " s; allowed: at most 4e9 s, so a smaller X or a faster LINKRATE");
        }
        const Nanoseconds wanted = ToNanoseconds(gamma * stretch);
        coflow.deadline = std::max(least, wanted);
        all += gamma > 0;
        atLeast += gamma > 0 && wanted <= least;
    }
    return {atLeast, all};
}

/// Throws InputError: all deadlines are equal to a default that the user has not chosen.
[[noreturn]] void
RefuseSameDeadlines(const std::string& text, std::size_t coflows, double least)
{
    throw InputError("transform " + text + " gives all " + std::to_string(coflows) +
                     " coflows the shortest deadline, " + FormatNumber(least) +
                     " s, as none takes so long; allowed: a shortest deadline that suits, as in " +
                     text + ":1ms, or a workload that says how it is scaled (# scale=1/250)");
}

Transform
ParseDeadlines(const TransformKind& kind, const std::string& argument)
{
    const TransformArgument parts(kind, argument);
    if (parts.Size() != 3 && parts.Size() != 4)
    {
        parts.Fail("three values, or four");
    }
    const double slack = parts.Quantity(0, Unit::NUMBER, 0, 1e6);
    const double rate = parts.Quantity(1, Unit::BITS_PER_SECOND, 1, 1e15);
    const auto seed =
        static_cast<std::uint64_t>(parts.Quantity(2, Unit::COUNT, 0, 9007199254740992));
    const bool leastIsGiven = parts.Size() == 4;
    const double least =
        leastIsGiven ? parts.Quantity(3, Unit::SECONDS, 1e-9, 1e6) : DEFAULT_LEAST_SECONDS;
    constexpr double BITS_PER_BYTE = 8;
    std::string text = kind.name + "=" + FormatNumber(slack) + ":" + FormatNumber(rate) + ":" +
                       std::to_string(seed);
    if (leastIsGiven)
    {
        text.append(":").append(FormatNumber(least));
    }
    return {text, [=](Workload& workload) {
                const double shortest = leastIsGiven ? least : least * workload.scale;
                const auto [atLeast, all] = SetDeadlines(workload,
                                                         slack,
                                                         rate / BITS_PER_BYTE,
                                                         seed,
                                                         ToNanoseconds(shortest),
                                                         text);
                if (!leastIsGiven && all > 0 && atLeast == all)
                {
                    RefuseSameDeadlines(text, all, shortest);
                }
            }};
}

Transform
ParseWeights(const TransformKind& kind, const std::string& argument)
{
    const TransformArgument parts(kind, argument);
    parts.RequireSize(3, "three values");
    const double share = parts.Quantity(0, Unit::NUMBER, 0, 1);
    const auto weight = static_cast<std::uint32_t>(parts.Quantity(1, Unit::COUNT, 1, MAX_WEIGHT));
    const auto seed =
        static_cast<std::uint64_t>(parts.Quantity(2, Unit::COUNT, 0, 9007199254740992));
    return {kind.name + "=" + FormatNumber(share) + ":" + std::to_string(weight) + ":" +
                std::to_string(seed),
            [=](Workload& workload) {
                Random random(seed);
                for (Coflow& coflow : workload.coflows)
                {
                    coflow.attributes.weight = random.Uniform(0, 1) < share ? weight : 1;
                }
            }};
}

const TransformEntry g_weights(
    {"weights",
     "P:W:SEED",
     "gives every coflow the weight W with probability P, and otherwise 1: two classes of coflows",
     ParseWeights});

const TransformEntry g_deadlines(
    {"deadlines",
     "X:LINKRATE:SEED[:LEAST]",
     "gives every coflow the deadline Gamma * (1 + U(0, X)) at LINKRATE, but at least LEAST; its "
     "default is 200 ms times the workload's scale (Varys, section 7.1)",
     ParseDeadlines});

} // namespace

} // namespace coflow
