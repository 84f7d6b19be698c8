/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RUN_FACTS_H
#define COFLOW_RUN_FACTS_H

#include "ns3/coflow-record.h"
#include "ns3/coflow-types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coflow
{

/// How often a scheduler acts, or how late: a coflow that is shorter hardly sees it act.
struct ControlPeriod
{
    std::string name;  ///< of the parameter, as an option
    double seconds{0}; ///< its value in force
};

/// Constants of a network of packets that should fit its rate and round trip.
struct NetworkConstants
{
    double bandwidthDelayProduct{0}; ///< link rate times base round trip, bytes
    double markingThreshold{0};      ///< of ports, bytes; 0: they do not mark
    double queueLimit{0};            ///< of ports, bytes; 0: not known in bytes
};

/// What checks look at: numbers of a run that has ended.
struct RunFacts
{
    std::size_t coflows{0};                      ///< submitted
    std::size_t bypassed{0};                     ///< of them, too small to wait for the scheduler
    double bypassedBytes{0};                     ///< share of all bytes that these have, 0 to 1
    std::size_t scheduled{0};                    ///< coflows that have finished and did not bypass
    double medianGamma{0};                       ///< of the scheduled ones, seconds
    double medianCct{0};                         ///< of the scheduled ones, seconds
    std::vector<ControlPeriod> controlPeriods{}; ///< of the scheduler, longest first
    std::size_t metAtPort{0}; ///< coflows that were at a port of a host together with another
    bool contended{true};     ///< see WasContended()
    double utilisation{0};    ///< of the hosts' uplinks over the makespan, 0 to 1
    double offeredLoad{0};    ///< bytes of the busiest port of a host over what it carries from the
                              ///< first to the last arrival; 0: all arrive at once
    double arrivalSpan{0};    ///< from the first to the last arrival, seconds
    bool arrivalsMoved{false}; ///< a transform of the workload has moved arrivals together
    std::size_t repeated{0};   ///< scheduled or not, coflows whose last flow sent segments again
    double shortestTimeout{0}; ///< smallest retransmission timeout, seconds; 0: not of packets
    std::size_t timedOut{0};   ///< of `repeated`, those later than Gamma by shortestTimeout or more
    std::uint64_t portWaits{0};      ///< connections that waited for a free port of their host
    std::optional<double> idleShare; ///< of all bytes, those that ended flows could have sent until
                                     ///< the next decision; none: not known
    std::optional<double> skippedHops{};       ///< share of packet-hops jumped over, 0 to 1
    std::optional<NetworkConstants> network{}; ///< none: not known
    double portRate{0};       ///< of the hosts' fastest port, bytes per second; 0: not known
    std::string queueDiscs{}; ///< of the script's own network, where they are not what the
                              ///< scheduler is made for; empty: they are

    /// Takes what records say.
    /// @param workload what was run
    /// @param coflows records of its coflows, in its order
    /// @param flows records of its flows; empty: not known
    /// @param rates of the hosts' ports
    void Add(const Workload& workload,
             const std::vector<CoflowRecord>& coflows,
             const std::vector<FlowRecord>& flows,
             const PortRates& rates);
};

} // namespace coflow

#endif // COFLOW_RUN_FACTS_H
