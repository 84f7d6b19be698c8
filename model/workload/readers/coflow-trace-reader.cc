/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-trace-reader.h"

#include "ns3/coflow-error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace coflow
{

namespace
{

/// Skips the byte order mark that some editors write before a text in UTF-8.
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

/// Joins texts by ", or " for a message.
std::string
JoinByOr(const std::vector<std::string>& texts)
{
    std::string joined;
    for (const auto& text : texts)
    {
        joined += joined.empty() ? text : ", or " + text;
    }
    return joined;
}

/// @return the names of the formats with sizes in MB, for messages
std::string
TitlesOfSizesInMb()
{
    std::vector<std::string> titles;
    for (const auto& [name, reader] : TraceReaders::All())
    {
        if (reader.sizesInMb)
        {
            titles.push_back(reader.title);
        }
    }
    return JoinByOr(titles);
}

/// @return the reader that recognises the current line. Throws InputError where no reader does
const TraceReader&
FindReader(const TextLines& lines)
{
    std::vector<std::string> firstLines;
    for (const auto& [name, reader] : TraceReaders::All())
    {
        if (reader.recognise(lines.Line()))
        {
            return reader;
        }
        firstLines.push_back(reader.firstLine + " (" + reader.title + ")");
    }
    lines.Fail("first line", lines.Line(), JoinByOr(firstLines));
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
    TextLines lines(in, path);
    lines.Next();
    const TraceReader& reader = FindReader(lines);
    if (!reader.sizesInMb && options != TraceOptions())
    {
        throw InputError("trace is '" + path + "', " + reader.title +
                         ", whose sizes are bytes; allowed with --bytesPerMb and "
                         "--roundUpToWholeMb: a file in " +
                         TitlesOfSizesInMb());
    }
    return reader.read(lines, options);
}

} // namespace coflow
