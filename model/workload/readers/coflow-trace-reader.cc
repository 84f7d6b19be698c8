/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-trace-reader.h"

#include "ns3/coflow-error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace coflow
{

Workload
ReadTrace(const std::string& path, const TraceOptions& options)
{
    if (std::filesystem::is_directory(path))
    {
        throw InputError("trace is '" + path + "', a folder; allowed: a file");
    }
    std::ifstream in(path, std::ios::binary);
    if (!in)
    {
        throw InputError("trace is '" + path + "', which cannot be read (" + std::strerror(errno) +
                         "); allowed: a file");
    }
    const int first = in.peek();
    in.clear();
    // The header of flow CSV begins with a letter, a Facebook trace with a number.
    const bool isCsv = first == '#' || first == 'c';
    return isCsv ? ReadFlowCsv(in, path) : ReadFacebookTrace(in, path, options);
}

} // namespace coflow
