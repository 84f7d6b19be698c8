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

/// The resources that coflows may share.
enum class ContendedResources
{
    PORTS,          ///< ports of hosts only
    PORTS_AND_LINKS ///< also links inside the network; paths of flows are not known
};

/// Checks whether a scheduler had a choice. A scheduler had a choice where two coflows may have
/// shared a resource at the same time. It also had a choice where some flows of a coflow, but not
/// all, may have shared a resource.
/// @param workload the workload of the run
/// @param records records of the coflows, in the order of the workload
/// @param places resources that coflows may share; with links, any two coflows at the same time may
///        share a link
bool WasContended(const Workload& workload,
                  const std::vector<CoflowRecord>& records,
                  ContendedResources places);

} // namespace coflow

#endif // COFLOW_CONTENTION_H
