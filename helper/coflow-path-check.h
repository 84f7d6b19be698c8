/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PATH_CHECK_H
#define COFLOW_PATH_CHECK_H

#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-types.h"

namespace ns3::coflow
{

/// @param workload the workload
/// @param topology the network
/// @throws ::coflow::InputError where failed links leave no path between the two hosts of a flow
void CheckFlowPaths(const ::coflow::Workload& workload, const Topology& topology);

/// @param workload the workload
/// @param cluster the cluster that plays the workload
/// @throws ::coflow::InputError where failed links leave no path between two hosts that exchange
///         messages of the scheduler or of applications
void CheckControlPaths(const ::coflow::Workload& workload, const PacketCluster& cluster);

} // namespace ns3::coflow

#endif // COFLOW_PATH_CHECK_H
