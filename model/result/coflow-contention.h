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

/// Whether two coflows ever were under way at the same time at the same port of a host. Where none
/// were, no coflow has waited for another one, and there was nothing for a scheduler to decide.
/// @param workload what was run
/// @param records what happened, in the order of the workload
bool WasContended(const Workload& workload, const std::vector<CoflowRecord>& records);

} // namespace coflow

#endif // COFLOW_CONTENTION_H
