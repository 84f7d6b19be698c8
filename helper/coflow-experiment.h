/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EXPERIMENT_H
#define COFLOW_EXPERIMENT_H

#include "ns3/coflow-json.h"
#include "ns3/coflow-record.h"
#include "ns3/coflow-types.h"
#include "ns3/type-id.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// What to run a workload on, all by name.
struct ExperimentConfig
{
    std::string scheduler{"fair"};    ///< such as "fair"; see Scheduler
    std::string topology{"fat-tree"}; ///< such as "fat-tree"; see Topology
    std::string fabric{"express"};    ///< such as "express" or "nodes"; see Fabric
    /// Attributes of whichever of the parts has them (topology, fabric, transport profile,
    /// scheduler, source, workload driver), in the order given: name as in options, value as text.
    std::vector<std::pair<std::string, std::string>> attributes;
    ::coflow::BinLimits binLimits;             ///< which coflows tables call short and narrow
    std::optional<::coflow::Nanoseconds> stop; ///< end the run then, finished or not
    bool progress{false};                      ///< tell on standard error how far it is
};

/// What came out of a run, whichever engine did it.
struct ExperimentResult
{
    std::vector<::coflow::CoflowRecord> coflows; ///< in the order of the workload
    std::vector<::coflow::FlowRecord> flows;     ///< in the order of the workload
    ::coflow::PortRates rates;                   ///< of the hosts' ports
    ::coflow::Json configuration;                ///< every attribute of every part
    uint64_t deliveredBytes{0};                  ///< of finished flows, at the receivers
    uint64_t droppedPackets{0};
    uint64_t markedPackets{0}; ///< with ECN's congestion experienced
    uint64_t retransmissions{0};
    uint64_t packetHops{0}; ///< packets put on a wire, summed over all ports
    uint64_t events{0};     ///< of the simulator
    double simulatedSeconds{0};
    double cpuSeconds{0};        ///< of the run alone
    double setUpCpuSeconds{0};   ///< of building the network
    double wallSeconds{0};       ///< of the run alone
    uint64_t peakMemoryBytes{0}; ///< of the process so far
};

/// @return the classes whose attributes ExperimentConfig::attributes may name for these choices
/// @throws ::coflow::InputError where a part's name is unknown
std::vector<TypeId> GetPartTypes(const ExperimentConfig& config);

/// Runs a workload at packet level. A simulation is a process-wide thing in ns-3: one at a time.
/// @param workload what to run; its hosts 0, 1, ... are those of the topology
/// @param config what to run it on
/// @throws ::coflow::InputError where a name or value is not allowed, or the workload has more
///         hosts than the topology
ExperimentResult RunPacketExperiment(const ::coflow::Workload& workload,
                                     const ExperimentConfig& config);

} // namespace ns3::coflow

#endif // COFLOW_EXPERIMENT_H
