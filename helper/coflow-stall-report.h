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

/// @param workload the workload
/// @param cluster the cluster that plays the workload
/// @param tracker the tracker of the run
/// @return a line for each known cause. A line follows for every coflow that has arrived, has not
///         finished and was not refused; the line gives the reason for which the coflow waits.
///         Lines for the first few of its flows follow
std::vector<std::string> DescribeWaits(const ::coflow::Workload& workload,
                                       const PacketCluster& cluster,
                                       const CoflowTracker& tracker);

/// @param workload the workload of a run in the fluid engine
/// @param outcome the result of the run, in which flows are stuck
/// @return lines as of DescribeWaits()
std::vector<std::string> DescribeStuck(const ::coflow::Workload& workload,
                                       const ::coflow::FluidResult& outcome);

} // namespace ns3::coflow

#endif // COFLOW_STALL_REPORT_H
