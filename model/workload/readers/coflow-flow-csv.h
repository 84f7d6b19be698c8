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
/// Times are decimal numbers of seconds with at most nine decimals, which are converted to
/// nanoseconds exactly. The deadline is relative to the arrival. An empty field means no deadline.
/// Parents are ids, separated by spaces or semicolons. The columns of attributes are declared in
/// COFLOW_ATTRIBUTES, and have whole numbers. Without the column of an attribute, the attribute has
/// its default.
///
/// The rows of a coflow are contiguous, and have the same arrival, deadline, parents and
/// attributes. Coflows are in the order of arrival. The reader sorts coflows that arrive at the
/// same time by id. A coflow without flows is one row with empty src, dst and bytes.
///
/// Lines that begin with # are comments. A line `# hosts=N` before the first row gives the number
/// of hosts. Without this line, the number of hosts is 1 + the largest host of any flow. A line `#
/// scale=1/250` gives Workload::scale. Without this line, sizes are full sizes. A line `#
/// history=TEXT` adds a text to the history.
/// @param in the stream of the text
/// @param name name of the file for messages and for the history
/// @throws InputError with file, line, field, value and allowed values
Workload ReadFlowCsv(std::istream& in, const std::string& name);

/// Writes flow CSV. ReadFlowCsv() reads exactly the same hosts, scale and coflows back. The column
/// deadline_s is written where any coflow has a deadline, the column parents where any coflow has
/// parents, and the column of an attribute where any coflow has another value than the default.
/// @param out the stream of the text
/// @param workload a valid workload
void WriteFlowCsv(std::ostream& out, const Workload& workload);

} // namespace coflow

#endif // COFLOW_FLOW_CSV_H
