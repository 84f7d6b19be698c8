/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TRACE_READER_H
#define COFLOW_TRACE_READER_H

#include "ns3/coflow-facebook-trace.h"
#include "ns3/coflow-flow-csv.h"
#include "ns3/coflow-types.h"

#include <string>

namespace coflow
{

/// Reads a workload from a file. A file that begins with a comment or with the header of flow CSV
/// is flow CSV; any other one is in the Facebook format.
/// @param path the file
/// @param options how the Facebook format is understood
/// @return the workload, checked, and sorted by arrival
/// @throws InputError where the file cannot be read or is malformed
Workload ReadTrace(const std::string& path, const TraceOptions& options = {});

} // namespace coflow

#endif // COFLOW_TRACE_READER_H
