/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-diagnosis-checks.h"

#include "ns3/coflow-format.h"
#include "ns3/coflow-text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coflow
{

namespace
{

/// Smallest marking threshold, as a share of rate times round trip: DCTCP needs at least a seventh
/// (Alizadeh et al., SIGCOMM 2010, section 3.3). A smaller threshold changes completion times.
constexpr double LEAST_MARKING_SHARE = 1.0 / 7;
/// Largest marking threshold, as a multiple of rate times round trip. With a larger threshold,
/// packets wait in long queues before TCP reduces its rate.
constexpr double MOST_MARKING_SHARE = 20;
/// Largest load of a port that the port can carry.
constexpr double OVERLOAD = 1;
/// Share of coflows that have shared a port, below which contention counts as rare.
constexpr double RARE_MEETINGS = 0.05;
/// Number of control periods. Arrivals within a shorter time are one burst for a scheduler.
constexpr double FEW_PERIODS = 10;
/// Smallest share of coflows with timeouts that is a finding.
constexpr double MANY_TIMEOUTS = 0.01;
/// Smallest share of bytes that finished flows leave unused that is a finding.
constexpr double MUCH_IDLE = 0.05;
/// Smallest share of control packets in all bytes that is a finding.
constexpr double MUCH_CONTROL = 0.1;

std::string
Percent(double share)
{
    return FormatRounded(100 * share, 3) + " %";
}

std::string
Of(std::size_t part, std::size_t whole)
{
    const double share = whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
    return std::to_string(part) + " of " + std::to_string(whole) + " coflows (" + Percent(share) +
           ")";
}

/// @return a time as text, in the largest unit in which the number is at least 1
std::string
FormatTime(double seconds)
{
    static constexpr std::pair<double, const char*> UNITS[] = {{1, "s"},
                                                               {1e-3, "ms"},
                                                               {1e-6, "us"}};
    for (const auto& [size, name] : UNITS)
    {
        if (seconds >= size)
        {
            return FormatRounded(seconds / size, 3) + " " + name;
        }
    }
    return FormatRounded(seconds * 1e9, 3) + " ns";
}

std::string
FormatKilobytes(double bytes)
{
    return FormatRounded(bytes / 1e3, 3) + " kB";
}

std::optional<Finding>
CheckControlPeriod(const RunFacts& facts)
{
    if (facts.scheduled == 0 || facts.controlPeriods.empty())
    {
        return {};
    }
    const auto& period = facts.controlPeriods.front();
    if (period.seconds <= std::min(facts.medianGamma, facts.medianCct))
    {
        return {};
    }
    return Finding{.sentence = period.name + " is " + FormatTime(period.seconds) +
                               ", but the median scheduled coflow needs only " +
                               FormatTime(facts.medianGamma) + " alone in the network (" +
                               FormatTime(facts.medianCct) + " in this run)",
                   .change = "set --" + period.name +
                             " well below the time that a coflow takes, or read the result as the "
                             "cost of that period"};
}

std::optional<Finding>
CheckControlRoundTrip(const RunFacts& facts)
{
    const auto& periods = facts.controlPeriods;
    const auto delta = std::ranges::find(periods, "delta", &ControlPeriod::name);
    if (!facts.network || delta == periods.end() || delta->seconds >= facts.network->roundTrip)
    {
        return {};
    }
    return Finding{.sentence = "delta is " + FormatTime(delta->seconds) +
                               ", shorter than the round trip of the network (" +
                               FormatTime(facts.network->roundTrip) +
                               "): a period ends before the answers to its reports arrive",
                   .change = "set --delta above the round trip, in a comparison for one scheduler "
                             "alone as in aalo.delta: the scale of a workload shortens delta and "
                             "not the round trip"};
}

std::optional<Finding>
CheckBypass(const RunFacts& facts)
{
    if (facts.bypassed == 0)
    {
        return {};
    }
    return Finding{.sentence = Of(facts.bypassed, facts.coflows) + " with " +
                               Percent(facts.bypassedBytes) +
                               " of the bytes bypassed the scheduler: they are smaller than "
                               "bypassBytes, or the coordinator was silent",
                   .change = facts.timesAlone == 0
                                 ? "with --bypassBytes=0 the scheduler decides for all coflows; "
                                   "compare schedulers with the same bypass"
                                 : "first see that the coordinator is heard; then, with "
                                   "--bypassBytes=0, the scheduler decides for all coflows"};
}

/// @return an option with a transform that sets the load of the hosts' uplinks, at the rate of
///         their ports
std::string
LoadOption(const RunFacts& facts)
{
    constexpr double GBPS = 1e9 / 8;
    return "--transform=load=0.7:" +
           (facts.portRate > 0 ? FormatNumber(facts.portRate / GBPS) : std::string("1")) + "Gbps";
}

std::optional<Finding>
CheckContention(const RunFacts& facts)
{
    if (facts.coflows < 2 ||
        static_cast<double>(facts.metAtPort) >= RARE_MEETINGS * static_cast<double>(facts.coflows))
    {
        return {};
    }
    const std::string met = facts.metAtPort == 0
                                ? "no two coflows were at the same port of a host at the same time"
                                : "only " + Of(facts.metAtPort, facts.coflows) +
                                      " were at a port of a host together with another coflow";
    return Finding{.sentence = met +
                               (std::isnan(facts.utilisation)
                                    ? ""
                                    : " (utilisation " + Percent(facts.utilisation) + ")") +
                               (facts.contended ? ""
                                                : ", so that a scheduler has nothing to decide: "
                                                  "schedulers differ only by the cost of control"),
                   .change = "raise the load, such as with " + LoadOption(facts) +
                             ", or with --scaleTime=X and X below 1"};
}

std::optional<Finding>
CheckOverload(const RunFacts& facts)
{
    // A few coflows that never share a port are not a lasting overload.
    if (facts.offeredLoad <= OVERLOAD || !std::isfinite(facts.offeredLoad) ||
        CheckContention(facts))
    {
        return {};
    }
    return Finding{
        .sentence = "the busiest port of a host was offered " +
                    FormatRounded(facts.offeredLoad, 3) +
                    " times the bytes that it can carry between the first and the last arrival (" +
                    FormatTime(facts.arrivalSpan) +
                    "), so that completion times grow with the length of the trace",
        .change = "lower the load, such as with " + LoadOption(facts) +
                  ":busiest, or say that the network is overloaded"};
}

std::optional<Finding>
CheckBurst(const RunFacts& facts)
{
    if (!facts.arrivalsMoved || facts.controlPeriods.empty() || facts.coflows < 2)
    {
        return {};
    }
    const auto& period = facts.controlPeriods.front();
    if (facts.arrivalSpan >= FEW_PERIODS * period.seconds)
    {
        return {};
    }
    return Finding{
        .sentence = "all " + std::to_string(facts.coflows) + " coflows arrive within " +
                    FormatTime(facts.arrivalSpan) + ", less than ten times " + period.name + " (" +
                    FormatTime(period.seconds) + "): to the scheduler they are one burst",
        .change =
            "use a longer trace or larger coflows at the same load, or a shorter " + period.name};
}

std::optional<Finding>
CheckMarking(const RunFacts& facts)
{
    if (!facts.network || facts.network->markingThreshold == 0)
    {
        return {};
    }
    const auto& [product, threshold, limit, roundTrip] = *facts.network;
    if (limit > 0 && threshold >= limit)
    {
        return Finding{.sentence = "ports mark from " + FormatKilobytes(threshold) +
                                   " on, but hold only " + FormatKilobytes(limit) +
                                   ": they drop packets before they mark one",
                       .change = "choose a MarkingThreshold below the size of the queue, or leave "
                                 "it at its default"};
    }
    const bool low = threshold < LEAST_MARKING_SHARE * product;
    if (!low && threshold <= std::max(MOST_MARKING_SHARE * product, 30e3))
    {
        return {};
    }
    return Finding{.sentence = "ports mark from " + FormatKilobytes(threshold) +
                               " on, but rate times round trip is " + FormatKilobytes(product) +
                               (low ? ": links stay partly idle under DCTCP"
                                    : ": packets wait in long queues before TCP sends less"),
                   .change =
                       "leave MarkingThreshold at its default, which follows the network, or "
                       "choose it between a seventh of that product and a few times that product"};
}

std::optional<Finding>
CheckBuffer(const RunFacts& facts)
{
    if (!facts.network || facts.network->queueLimit == 0 ||
        facts.network->queueLimit >= facts.network->bandwidthDelayProduct)
    {
        return {};
    }
    return Finding{.sentence = "ports hold " + FormatKilobytes(facts.network->queueLimit) +
                               ", less than rate times round trip (" +
                               FormatKilobytes(facts.network->bandwidthDelayProduct) +
                               "): a burst of one window is lost",
                   .change = "leave MaxSize of the queue discs at its default, which follows the "
                             "network, or choose it above that product"};
}

std::optional<Finding>
CheckTimeouts(const RunFacts& facts)
{
    if (static_cast<double>(facts.timedOut) <
        std::max(1.0, MANY_TIMEOUTS * static_cast<double>(facts.coflows)))
    {
        return {};
    }
    return Finding{
        .sentence = "in " + Of(facts.timedOut, facts.coflows) +
                    " the last flow to end had retransmitted segments, and the coflow took at "
                    "least the shortest timeout (" +
                    FormatTime(facts.shortestTimeout) +
                    ") longer than alone: timeouts may have decided when these coflows ended",
        .change = "larger buffers, or ports that mark earlier, avoid losses; --minRto sets "
                  "the shortest timeout"};
}

std::optional<Finding>
CheckPortWaits(const RunFacts& facts)
{
    if (facts.portWaits == 0)
    {
        return {};
    }
    return Finding{
        .sentence = std::to_string(facts.portWaits) +
                    " connections waited for a free port of their host, so that their "
                    "flows began late",
        .change =
            "start fewer flows of a host at the same time, or report that hosts ran out of ports"};
}

std::optional<Finding>
CheckSilence(const RunFacts& facts)
{
    if (facts.timesAlone == 0)
    {
        return {};
    }
    return Finding{.sentence = "daemons went on without the coordinator " +
                               std::to_string(facts.timesAlone) +
                               " times, because they heard nothing of it for too long or a process "
                               "failed: until it is back, the scheduler decides nothing",
                   .change = "where no failure was asked for, set a longer --masterTimeout "
                             "(central) or --delta (hybrid): the scale of a workload shortens "
                             "these times, and not the round trip"};
}

std::optional<Finding>
CheckControlLoad(const RunFacts& facts)
{
    if (facts.controlShare < MUCH_CONTROL)
    {
        return {};
    }
    return Finding{.sentence = "control packets are " + Percent(facts.controlShare) +
                               " of the bytes of control packets and delivered payload together: "
                               "their load may decide the result",
                   .change = "set a longer --heartbeat (central) or --delta (hybrid), or larger "
                             "coflows, or report the result as the cost of control"};
}

std::optional<Finding>
CheckIdlePorts(const RunFacts& facts)
{
    if (facts.idleShare.value_or(0) < MUCH_IDLE)
    {
        return {};
    }
    return Finding{.sentence = "the rates of ended flows stayed unused until the next decision: " +
                               Percent(*facts.idleShare) +
                               " of all bytes could have been sent in that time",
                   .change = "report this with the numbers, or compare with a scheduler that "
                             "decides at every end of a flow, such as sincronia"};
}

std::optional<Finding>
CheckLinkOrder(const RunFacts& facts)
{
    if (!facts.linksWithoutOrder)
    {
        return {};
    }
    return Finding{.sentence =
                       "links inside the fabric limit flows, and the fluid engine keeps the "
                       "scheduler's order at ports of hosts only: at a link, flows share "
                       "alike, and packets may be faster",
                   .change = "compare this scheduler in packets, or with --limits=ports"};
}

std::optional<Finding>
CheckJumpShare(const RunFacts& facts)
{
    if (!facts.skippedHops || *facts.skippedHops == 0)
    {
        return {};
    }
    return Finding{
        .sentence = Percent(*facts.skippedHops) +
                    " of all packet-hops were skipped by jumps, and not simulated",
        .change = "report this share with the numbers; without --jump all packets are simulated"};
}

std::optional<Finding>
CheckQueueDiscs(const RunFacts& facts)
{
    if (facts.queueDiscs.empty())
    {
        return {};
    }
    return Finding{.sentence = facts.queueDiscs,
                   .change = "call CoflowHelper::InstallQueueDiscs() on the devices before "
                             "Install(), or report which queue disc the ports had"};
}

} // namespace

const std::vector<DiagnosisCheck>&
AllDiagnosisChecks()
{
    static const std::vector<DiagnosisCheck> CHECKS = {
        {"control-period",
         "the longest control period or batch of the scheduler is longer than the time of the "
         "median scheduled coflow, alone in the network or in the run",
         CheckControlPeriod},
        {"control-round-trip",
         "the scheduler's period delta is shorter than the base round trip",
         CheckControlRoundTrip},
        {"bypass", "coflows bypassed the scheduler", CheckBypass},
        {"rare-contention",
         "fewer than 5 % of the coflows were at a port of a host together with another coflow",
         CheckContention},
        {"overload",
         "the busiest port of a host is offered more bytes than it can carry between the first and "
         "the last arrival",
         CheckOverload},
        {"burst",
         "the transforms load or scale-time have moved all arrivals into fewer than ten control "
         "periods",
         CheckBurst},
        {"marking-threshold",
         "the marking threshold is below a seventh of rate times base round trip, or above both 20 "
         "times this product and 30 kB, or not below the size of the queue",
         CheckMarking},
        {"buffer", "the size of the queues is below rate times base round trip", CheckBuffer},
        {"timeouts",
         "in at least 1 % of the coflows, the last flow to end had retransmitted segments, and the "
         "coflow took at least the shortest timeout longer than Gamma",
         CheckTimeouts},
        {"port-waits", "connections waited for a free port of their host", CheckPortWaits},
        {"silence", "daemons went on without the coordinator", CheckSilence},
        {"control-load",
         "control packets are at least 10 % of the bytes of control packets and delivered payload "
         "together",
         CheckControlLoad},
        {"idle-ports",
         "at least 5 % of all bytes could have been sent at the rates of ended flows before the "
         "scheduler decided again; only in the fluid engine",
         CheckIdlePorts},
        {"link-order",
         "links inside the fabric limit flows, and the scheduler has an order that the fluid "
         "engine "
         "does not keep at links",
         CheckLinkOrder},
        {"jumps", "jumps have skipped a share of the packet-hops", CheckJumpShare},
        {"queue-disc",
         "on a script's own network, ports have other queue discs than the scheduler and TCP are "
         "made for",
         CheckQueueDiscs},
    };
    return CHECKS;
}

} // namespace coflow
