/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_STALL_REPORT_H
#define COFLOW_STALL_REPORT_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-fluid-result.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-tracker.h"
#include "ns3/coflow-types.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// @param workload what is played
/// @param cluster on which
/// @param tracker of the run
/// @return a line for each cause that is known; then of every coflow that has arrived and neither
///         finished nor was refused, a line that says what it waits for; lines of its flows follow,
///         the first few
std::vector<std::string> DescribeWaits(const ::coflow::Workload& workload,
                                       const PacketCluster& cluster,
                                       const CoflowTracker& tracker);

/// @param workload what was run as fluids
/// @param outcome of a run in which flows are stuck
/// @return the same lines for it
std::vector<std::string> DescribeStuck(const ::coflow::Workload& workload,
                                       const ::coflow::FluidResult& outcome);

} // namespace ns3::coflow

#endif // COFLOW_STALL_REPORT_H
