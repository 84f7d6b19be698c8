/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_CSV_H
#define COFLOW_FLOW_CSV_H

#include "ns3/coflow-types.h"

#include <istream>
#include <ostream>
#include <string>

namespace coflow
{

/// Reads flow CSV, one row per flow:
///
///     # hosts=16
///     coflow_id,arrival_s,src,dst,bytes[,deadline_s][,parents][,weight]
///     1,0,0,3,1000000
///
/// Times are decimal numbers of seconds with at most nine decimals and become nanoseconds
/// exactly. The deadline is relative to the arrival; an empty one stands for none. Parents are
/// ids separated by spaces or semicolons. The weight is a whole number from 1 to 1000; without the
/// column it is 1.
///
/// The rows of a coflow stand together and agree in arrival, deadline, parents and weight; coflows
/// are in the order of arrival, and those that arrive together are sorted by id on reading. A
/// coflow without flows is one row whose src, dst and bytes are empty.
///
/// Lines that begin with # are comments. `# hosts=N`, before the first row, gives the number of
/// hosts; otherwise it is 1 + the largest host that occurs. `# scale=1/250` says that sizes are
/// scaled (Workload::scale); without it they are of full size. `# history=TEXT` is taken into the
/// history.
/// @param in where the text comes from
/// @param name name of the file for messages and for the history
/// @throws InputError with file, line, field, value and what is allowed
Workload ReadFlowCsv(std::istream& in, const std::string& name);

/// Writes flow CSV; ReadFlowCsv reads the same hosts, scale and coflows back, exactly. The columns
/// deadline_s and parents are written where some coflow has one, weight where one is not 1.
/// @param out where the text goes
/// @param workload a valid workload
void WriteFlowCsv(std::ostream& out, const Workload& workload);

} // namespace coflow

#endif // COFLOW_FLOW_CSV_H
