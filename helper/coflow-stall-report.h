/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_STALL_REPORT_H
#define COFLOW_STALL_REPORT_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-tracker.h"
#include "ns3/coflow-types.h"
#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// How long nothing may happen in a run before it counts as stalled, where the user does not say:
/// four times the sum of all times that the run's parts are set with (timeouts, heartbeats,
/// periods, delays) and of what a thousand full segments take on the slowest link. Each is the
/// longest for which a process that is alive may wait for something; a sum covers those that
/// follow one another. The longest deadline counts as well: a policy may give a coflow a rate with
/// which its few bytes arrive only then.
/// @param workload what is played
/// @param cluster what it is played on
Time GetStallLimit(const ::coflow::Workload& workload, const PacketCluster& cluster);

/// @param limit of GetStallLimit()
/// @param cluster on which a workload is being played
/// @return the same, for a coordinator that needs time for every message longer: how long messages
///         wait there is no timer, and may depend on how many come at the same time
Time ExtendStallLimit(Time limit, const PacketCluster& cluster);

/// @param workload what is played
/// @param cluster on which
/// @param tracker of the run
/// @return of every coflow that has arrived and neither finished nor was refused, a line that says
///         what it waits for; lines of its flows follow, the first few
std::vector<std::string> DescribeWaits(const ::coflow::Workload& workload,
                                       const PacketCluster& cluster,
                                       const CoflowTracker& tracker);

} // namespace ns3::coflow

#endif // COFLOW_STALL_REPORT_H
