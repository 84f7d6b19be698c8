/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_UNLOADED_TIME_H
#define COFLOW_UNLOADED_TIME_H

#include "ns3/coflow-topology.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// Computes the completion times that coflows of a workload would have alone in a network. Each
/// flow has its own TCP connection, whose window does not limit it. These times include costs that
/// Gamma leaves out: a round trip to open the connection, packet headers, store and forward at
/// every switch, and propagation delays. A port of a host sends without pause from the start of its
/// first flow until all its flows are sent, in the best order. Links inside the network are not
/// shared.
/// @param workload the workload
/// @param topology present topology of the network
/// @param segment payload of a full segment, bytes
/// @return times in nanoseconds, rounded down, by index of the coflow; 0 where no flow uses the
///         network; NEVER where a flow has no path
std::vector<::coflow::Nanoseconds> GetUnloadedCcts(const ::coflow::Workload& workload,
                                                   const Topology& topology,
                                                   uint32_t segment);

} // namespace ns3::coflow

#endif // COFLOW_UNLOADED_TIME_H
