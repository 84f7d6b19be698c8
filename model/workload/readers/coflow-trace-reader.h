/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TRACE_READER_H
#define COFLOW_TRACE_READER_H

#include "ns3/coflow-registry.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-types.h"

#include <string>
#include <string_view>

namespace coflow
{

/// The meaning of sizes in traces that have sizes in MB.
struct TraceOptions
{
    /// Bytes of a MB in the trace: 1'000'000 or 1'048'576.
    Bytes bytesPerMb{1'000'000};

    /// CoflowSim's rule: the MB of a reducer are rounded up, so that every mapper's share is a
    /// whole number of MB and at least 1.
    bool roundUpToWholeMb{false};

    bool operator==(const TraceOptions&) const = default;
};

/// A format of traces. The source file of a reader has one object of type TraceReaders::Entry.
struct TraceReader
{
    static constexpr const char* KIND = "trace format"; ///< name of the kind in messages

    std::string name;      ///< in lower case with dashes
    std::string title;     ///< name in messages, such as "the Facebook format"
    std::string firstLine; ///< the allowed first lines, for the message on an unknown format
    bool sizesInMb{false}; ///< whether TraceOptions have an effect

    /// @param line the first line of a file
    /// @return whether the file has this format
    bool (*recognise)(std::string_view line){nullptr};

    /// @param lines the file; the first line is the current line
    /// @param options the meaning of sizes in MB
    /// @return the workload, checked, and sorted by arrival
    /// @throws InputError with file, line, field, value and allowed values
    Workload (*read)(TextLines& lines, const TraceOptions& options){nullptr};
};

/// All formats that are linked in, by name.
using TraceReaders = Registry<TraceReader>;

/// Reads a workload from a file. The reader that recognises the first line reads the file.
/// @param path the file
/// @param options the meaning of sizes in MB
/// @return the workload, checked, and sorted by arrival
/// @throws InputError where the file cannot be read, has no known format, or is malformed
Workload ReadTrace(const std::string& path, const TraceOptions& options = {});

} // namespace coflow

#endif // COFLOW_TRACE_READER_H
