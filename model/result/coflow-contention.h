/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTENTION_H
#define COFLOW_CONTENTION_H

#include "ns3/coflow-record.h"
#include "ns3/coflow-types.h"

#include <vector>

namespace coflow
{

/// Where coflows may meet.
enum class ContendedResources
{
    PORTS,          ///< at the ports of hosts alone
    PORTS_AND_LINKS ///< on links inside the network too, and nobody knows which flows use which
};

/// Whether a scheduler had anything to decide: two coflows may have been under way at the same time
/// at the same place, or flows of one coflow may have met where not all of them do.
/// @param workload what was run
/// @param records what happened, in the order of the workload
/// @param places where coflows may meet; with links, whoever is under way at the same time may have
bool WasContended(const Workload& workload,
                  const std::vector<CoflowRecord>& records,
                  ContendedResources places);

} // namespace coflow

#endif // COFLOW_CONTENTION_H
