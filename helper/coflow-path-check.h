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

/// @param workload what is run
/// @param topology on which
/// @throws ::coflow::InputError where links that have failed leave no path between two hosts that a
///         flow needs
void CheckFlowPaths(const ::coflow::Workload& workload, const Topology& topology);

/// @param workload what is played
/// @param cluster on which
/// @throws ::coflow::InputError where links that have failed leave no path between two hosts that
///         messages of the scheduler or of applications need
void CheckControlPaths(const ::coflow::Workload& workload, const PacketCluster& cluster);

} // namespace ns3::coflow

#endif // COFLOW_PATH_CHECK_H
