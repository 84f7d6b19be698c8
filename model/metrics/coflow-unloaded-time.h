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

/// The completion times that coflows of a workload would have alone in a network, each flow over a
/// TCP connection of its own whose window never limits it. This is what Gamma leaves out: a
/// connection is opened in a round trip; packets have headers and are stored and forwarded at every
/// switch; wires are long. A port of a host sends from when the first of its flows is there until
/// all of them are through, in the order that is best. Links inside the network are not shared.
/// @param workload whose coflows
/// @param topology of the network, as it is now
/// @param segment payload of a full segment, bytes
/// @return nanoseconds, rounded down, by index of the coflow; 0 where no flow crosses the network,
///         NEVER where a flow has no path
std::vector<::coflow::Nanoseconds> GetUnloadedCcts(const ::coflow::Workload& workload,
                                                   const Topology& topology,
                                                   uint32_t segment);

} // namespace ns3::coflow

#endif // COFLOW_UNLOADED_TIME_H
