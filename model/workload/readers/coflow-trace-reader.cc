/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-trace-reader.h"

#include "ns3/coflow-error.h"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace coflow
{

namespace
{

/// Editors put these three bytes before a text in UTF-8.
void
SkipByteOrderMark(std::istream& in)
{
    constexpr int MARK[] = {0xEF, 0xBB, 0xBF};
    for (const int byte : MARK)
    {
        if (in.peek() != byte)
        {
            in.clear();
            return;
        }
        in.get();
    }
}

} // namespace

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
    SkipByteOrderMark(in);
    const int first = in.peek();
    in.clear();
    // The header of flow CSV begins with a letter, a Facebook trace with a number.
    const bool isNumber = std::isdigit(first) || std::isspace(first) || first == '-';
    const bool isCsv = first != EOF && !isNumber;
    if (isCsv && options != TraceOptions())
    {
        throw InputError("trace is '" + path +
                         "', flow CSV, whose sizes are bytes; allowed with --bytesPerMb and "
                         "--roundUpToWholeMb: a file in the Facebook format");
    }
    return isCsv ? ReadFlowCsv(in, path) : ReadFacebookTrace(in, path, options);
}

} // namespace coflow
