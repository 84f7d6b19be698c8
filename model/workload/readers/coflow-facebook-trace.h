/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FACEBOOK_TRACE_H
#define COFLOW_FACEBOOK_TRACE_H

#include "ns3/coflow-trace-reader.h"
#include "ns3/coflow-types.h"

#include <istream>
#include <string>

namespace coflow
{

/// Reads a trace in the format of the Facebook coflow-benchmark:
///
///     PORTS COFLOWS
///     ID ARRIVAL_MS MAPPERS PORT... REDUCERS PORT:MB...        (one line per coflow)
///
/// Ports are numbered from 0 and become hosts. MB may be a decimal fraction. Every mapper sends to
/// every reducer. The reducer's MB, as bytes rounded to the nearest integer, are split equally over
/// the mappers. The first mappers have one byte more each where the bytes cannot be divided
/// equally. Flows are ordered by reducer, then by mapper, in the order of the line. A mapper and a
/// reducer on the same port make a local flow.
///
/// Lines are in the order of arrival. Coflows that arrive at the same time are sorted by id.
/// @param in the stream of the text
/// @param name name of the file for messages and for the history
/// @param options the meaning of sizes
/// @throws InputError with file, line, field, value and allowed values
Workload ReadFacebookTrace(std::istream& in,
                           const std::string& name,
                           const TraceOptions& options = {});

} // namespace coflow

#endif // COFLOW_FACEBOOK_TRACE_H
