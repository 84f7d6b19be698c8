/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ESTIMATE_H
#define COFLOW_ESTIMATE_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/coflow-types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

namespace ns3::coflow
{

/// Packet-hops that an experiment at packet level causes in one second of CPU time, about, with
/// lean connections: on one core, doc/fabric.md has several million for 16 hosts, and two for a
/// thousand.
inline constexpr double PACKET_HOPS_PER_SECOND = 2'500'000;

/// The same with `--hostStack=ns3`, where connections are ns-3's sockets.
inline constexpr double PACKET_HOPS_PER_SECOND_OF_SOCKETS = 250'000;

/// The same on `--fabric=nodes`, where every switch is an ns-3 node.
inline constexpr double PACKET_HOPS_PER_SECOND_OF_NODES = 60'000;

/// The packets that each flow of a workload needs, one for each port that it passes.
///
/// Of a flow with n bytes they are the full segments of n bytes, an acknowledgement for every
/// delAckCount segments, and seven packets that open and close its connection, each times the ports
/// on its path. Retransmissions and the scheduler's messages are left out.
/// @param workload what is run; its hosts are those of the topology
/// @param topology the network, built
/// @param segmentBytes payload of a full segment, above 0
/// @param delAckCount segments per acknowledgement, above 0
/// @return packet-hops of each flow, in the order of the workload; 0 where a flow needs no network
std::vector<double> CountFlowPacketHops(const ::coflow::Workload& workload,
                                        const Topology& topology,
                                        uint32_t segmentBytes,
                                        uint32_t delAckCount);

/// CountFlowPacketHops() with the segments of a transport.
/// @param workload what is run
/// @param topology the network, built
/// @param profile says how large segments are, and how many an acknowledgement answers
/// @return packet-hops of each flow, in the order of the workload
std::vector<double> CountFlowPacketHops(const ::coflow::Workload& workload,
                                        const Topology& topology,
                                        Ptr<const TransportProfile> profile);

/// The sum of CountFlowPacketHops().
/// @param workload what is run
/// @param topology the network, built
/// @param segmentBytes payload of a full segment, above 0
/// @param delAckCount segments per acknowledgement, above 0
/// @return packet-hops of the run
double CountPacketHops(const ::coflow::Workload& workload,
                       const Topology& topology,
                       uint32_t segmentBytes,
                       uint32_t delAckCount);

/// CountPacketHops() for the network that a configuration names.
/// @param workload what is run
/// @param config the configuration
/// @return packet-hops of the run; none where the engine has no packets, or the workload does not
/// fit the network
/// @throws ::coflow::InputError where a name or value is not allowed
std::optional<double> EstimatePacketHops(const ::coflow::Workload& workload,
                                         const ExperimentConfig& config);

/// @param packetHops of a run
/// @param config of the run
/// @return CPU time in seconds that the run about takes
/// @throws ::coflow::InputError where a name or value is not allowed
double EstimateCpuSeconds(double packetHops, const ExperimentConfig& config);

/// Tells a person who is about to wait how much there is to do, in one line; nothing where
/// config.progress is false, or the engine has no packets.
/// @param workload what is run
/// @param config of one run
/// @param runs number of runs alike
/// @param processes that run them at the same time
/// @param out where to tell
/// @throws ::coflow::InputError as EstimatePacketHops()
void TellEstimate(const ::coflow::Workload& workload,
                  const ExperimentConfig& config,
                  std::size_t runs,
                  std::size_t processes,
                  std::ostream& out);

} // namespace ns3::coflow

#endif // COFLOW_ESTIMATE_H
