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

/// A period or delay of a scheduler. The scheduler hardly affects coflows that are shorter.
struct ControlPeriod
{
    std::string name;  ///< name of the parameter, as an option
    double seconds{0}; ///< value in force, in seconds
};

/// Constants of a packet network that should fit its rate and round trip.
struct NetworkConstants
{
    double bandwidthDelayProduct{0}; ///< link rate x base round trip, bytes
    double markingThreshold{0};      ///< marking threshold of ports, bytes; 0: no marks
    double queueLimit{0};            ///< queue limit of ports, bytes; 0: not known in bytes
    double roundTrip{0};             ///< base round-trip time, seconds
};

/// The input of checks: numbers of a run that has ended.
struct RunFacts
{
    std::size_t coflows{0};   ///< coflows of the workload
    std::size_t bypassed{0};  ///< coflows that were too small to wait for the scheduler
    double bypassedBytes{0};  ///< share of all bytes that bypassed coflows have, 0 to 1
    std::size_t scheduled{0}; ///< finished coflows with bytes between hosts that did not bypass
    double medianGamma{0};    ///< median of the scheduled coflows, seconds
    double medianCct{0};      ///< median of the scheduled coflows, seconds
    std::vector<ControlPeriod> controlPeriods{}; ///< control periods of the scheduler, longest
                                                 ///< first
    std::size_t metAtPort{0}; ///< coflows that have shared a port of a host with another coflow
    bool contended{true};     ///< see WasContended()
    double utilisation{0};    ///< utilisation of the hosts' uplinks over the makespan, 0 to 1
    double offeredLoad{0}; ///< bytes of the busiest port of a host over its capacity from the first
                           ///< to the last arrival; 0: all arrive at once
    double arrivalSpan{0}; ///< time from the first to the last arrival, seconds
    bool arrivalsMoved{false};   ///< the transform load or scale-time has changed arrivals
    double shortestTimeout{0};   ///< smallest retransmission timeout, seconds; 0: no packets
    std::size_t timedOut{0};     ///< coflows with retransmissions in their last flow and a CCT of
                                 ///< at least Gamma + shortestTimeout
    std::uint64_t portWaits{0};  ///< connections that waited for a free port of their host
    std::uint64_t timesAlone{0}; ///< number of times that a daemon went on without the coordinator
    double controlShare{0}; ///< share of control packets in their bytes and the delivered payload,
                            ///< 0 to 1
    std::optional<double> idleShare; ///< share of bytes that finished flows could have sent until
                                     ///< the next decision; none: not known
    bool linksWithoutOrder{false};   ///< a scheduler's order holds at ports of hosts, not at links
    std::optional<double> skippedHops{};       ///< share of packet-hops jumped over, 0 to 1
    std::optional<NetworkConstants> network{}; ///< constants of the network; none: not known
    double portRate{0};       ///< rate of the hosts' fastest port, bytes per second; 0: not known
    std::string queueDiscs{}; ///< queue discs of a user-built network that do not fit the
                              ///< scheduler; empty: all fit

    /// Adds the facts of records.
    /// @param workload the workload of the run
    /// @param coflows records of its coflows, in the order of the workload
    /// @param flows records of its flows; empty: not known
    /// @param rates rates of the hosts' ports
    void Add(const Workload& workload,
             const std::vector<CoflowRecord>& coflows,
             const std::vector<FlowRecord>& flows,
             const PortRates& rates);
};

} // namespace coflow

#endif // COFLOW_RUN_FACTS_H
