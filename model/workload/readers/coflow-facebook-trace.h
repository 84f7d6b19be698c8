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
/// Ports are numbered from 0 and become hosts. MB may be a decimal fraction. Every mapper sends
/// to every reducer: the reducer's MB, as bytes rounded to the nearest integer, are split equally
/// over the mappers, and what does not divide goes byte by byte to the first mappers. Flows are
/// ordered by reducer, then mapper, as the line names them; a mapper and a reducer on the same
/// port give a local flow.
///
/// Lines are in the order of arrival; coflows that arrive together are sorted by id.
/// @param in where the text comes from
/// @param name name of the file for messages and for the history
/// @param options how sizes are understood
/// @throws InputError with file, line, field, value and what is allowed
Workload ReadFacebookTrace(std::istream& in,
                           const std::string& name,
                           const TraceOptions& options = {});

} // namespace coflow

#endif // COFLOW_FACEBOOK_TRACE_H
