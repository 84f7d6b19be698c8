/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-facebook-trace.h"

#include "ns3/coflow-text.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace coflow
{

namespace
{

/// Reads a file in one pass.
class FacebookReader
{
  public:
    /// @param lines the file; its first line is the current line
    FacebookReader(TextLines& lines, const TraceOptions& options)
        : m_lines(lines),
          m_options(options)
    {
    }

    Workload Read()
    {
        m_rest = m_lines.Line();
        if (m_rest.empty())
        {
            m_lines.Fail("file", "", "a first line with two numbers: ports and coflows");
        }
        m_workload.hosts =
            static_cast<HostId>(TakeUnsigned("number of ports", 1, MAX_HOSTS, "a whole number"));
        const std::uint64_t coflows =
            TakeUnsigned("number of coflows", 0, UINT32_MAX, "a whole number");
        ExpectEndOfLine();
        while (m_lines.Next())
        {
            m_rest = m_lines.Line();
            if (m_workload.coflows.size() == coflows)
            {
                m_lines.Fail("line",
                             m_lines.Line(),
                             "the end of the file after " + std::to_string(coflows) +
                                 " coflows, as line 1 says");
            }
            m_workload.coflows.push_back(ReadCoflow());
        }
        if (m_workload.coflows.size() < coflows)
        {
            m_lines.Fail("end of file",
                         std::to_string(m_workload.coflows.size()) + " coflows",
                         std::to_string(coflows) + " coflows, as line 1 says");
        }
        SortCoflows(m_workload);
        return std::move(m_workload);
    }

  private:
    /// Takes the next field of the line. Throws InputError where the field is missing.
    std::string_view Take(std::string_view field, std::string_view allowed)
    {
        const std::string_view word = TakeWord(m_rest);
        if (word.empty())
        {
            m_lines.Fail(field, "", allowed);
        }
        return word;
    }

    std::uint64_t TakeUnsigned(std::string_view field,
                               std::uint64_t least,
                               std::uint64_t most,
                               std::string_view kind)
    {
        return CheckUnsigned(TakeWord(m_rest), field, least, most, kind);
    }

    /// Reads a whole number within limits. The text of the error is made only for an error.
    std::uint64_t CheckUnsigned(std::string_view word,
                                std::string_view field,
                                std::uint64_t least,
                                std::uint64_t most,
                                std::string_view kind)
    {
        const auto value = ParseUnsigned(word);
        if (!value || *value < least || *value > most)
        {
            m_lines.Fail(field,
                         word,
                         std::string(kind) + " from " + std::to_string(least) + " to " +
                             std::to_string(most));
        }
        return *value;
    }

    HostId CheckPort(std::string_view word, std::string_view field)
    {
        return static_cast<HostId>(CheckUnsigned(word, field, 0, m_workload.hosts - 1, "a port"));
    }

    void ExpectEndOfLine()
    {
        if (const std::string_view word = TakeWord(m_rest); !word.empty())
        {
            m_lines.Fail("after the last field", word, "the end of the line");
        }
    }

    Coflow ReadCoflow()
    {
        Coflow coflow;
        coflow.id = TakeUnsigned("coflow id", 0, UINT64_MAX, "a whole number");
        if (!m_ids.insert(coflow.id).second)
        {
            m_lines.Fail("coflow id", std::to_string(coflow.id), "an id that no line before has");
        }
        coflow.arrival = TakeArrival();
        const std::uint64_t mappers =
            TakeUnsigned("number of mappers", 1, UINT32_MAX, "a whole number");
        m_mappers.clear();
        for (std::uint64_t i = 0; i < mappers; ++i)
        {
            m_mappers.push_back(CheckPort(TakeWord(m_rest), "mapper"));
        }
        const std::uint64_t reducers = TakeUnsigned("number of reducers",
                                                    1,
                                                    std::numeric_limits<FlowId>::max() / mappers,
                                                    "a whole number");
        for (std::uint64_t i = 0; i < reducers; ++i)
        {
            TakeReducer(coflow);
        }
        ExpectEndOfLine();
        return coflow;
    }

    Nanoseconds TakeArrival()
    {
        constexpr int DECIMALS_OF_MS = 6;
        const std::string_view word = TakeWord(m_rest);
        const auto arrival = ParseFixedPoint(word, DECIMALS_OF_MS);
        if (!arrival || *arrival > MAX_TIME)
        {
            m_lines.Fail("arrival",
                         word,
                         "milliseconds from 0 to " + std::to_string(MAX_TIME / 1'000'000) +
                             ", at most 6 decimals");
        }
        if (*arrival < m_previousArrival)
        {
            m_lines.Fail("arrival",
                         word,
                         "not before the arrival of the line before, " +
                             FormatFixedPoint(m_previousArrival, DECIMALS_OF_MS) + " ms");
        }
        return m_previousArrival = *arrival;
    }

    /// Reads PORT:MB and adds the flows to this reducer.
    void TakeReducer(Coflow& coflow)
    {
        const std::string_view word = Take("reducer", "PORT:MB");
        const std::size_t colon = word.find(':');
        if (colon == std::string_view::npos)
        {
            m_lines.Fail("reducer", word, "PORT:MB");
        }
        const HostId reducer = CheckPort(word.substr(0, colon), "reducer");
        const auto mappers = static_cast<Bytes>(m_mappers.size());
        const Bytes bytes = ParseSize(word.substr(colon + 1), mappers);
        const Bytes share = bytes / mappers;
        const Bytes remainder = bytes % mappers;
        for (Bytes i = 0; i < mappers; ++i)
        {
            coflow.flows.push_back({static_cast<FlowId>(coflow.flows.size()),
                                    m_mappers[static_cast<std::size_t>(i)],
                                    reducer,
                                    share + (i < remainder ? 1 : 0)});
        }
    }

    /// @return the bytes of a reducer, from its MB
    Bytes ParseSize(std::string_view text, Bytes mappers)
    {
        auto megabytes = ParseNumber(text);
        if (megabytes && m_options.roundUpToWholeMb)
        {
            const auto parts = static_cast<double>(mappers);
            const double share = std::max(1.0, std::ceil(*megabytes / parts));
            // A negative size stays negative, so that the check below finds it.
            megabytes = *megabytes < 0 ? *megabytes : share * parts;
        }
        const auto left = static_cast<double>(MAX_BYTES - m_total);
        const double bytes = megabytes.value_or(-1) * static_cast<double>(m_options.bytesPerMb);
        if (!megabytes || std::signbit(*megabytes) || bytes > left)
        {
            std::string allowed = "a number of MB >= 0, in all coflows together at most ";
            allowed.append(std::to_string(MAX_BYTES)).append(" bytes");
            m_lines.Fail("size of the reducer", text, allowed);
        }
        const Bytes rounded = std::min<Bytes>(std::llround(bytes), MAX_BYTES - m_total);
        m_total += rounded;
        return rounded;
    }

    TextLines& m_lines;
    const TraceOptions& m_options;
    Workload m_workload;
    std::string_view m_rest; ///< rest of the current line
    std::unordered_set<CoflowId> m_ids;
    std::vector<HostId> m_mappers; ///< mappers of the current coflow
    Nanoseconds m_previousArrival{0};
    Bytes m_total{0};
};

/// Whether the first word of a line begins like a number and has no comma. The number may be
/// malformed.
bool
IsFacebookTrace(std::string_view line)
{
    const std::string_view word = TakeWord(line);
    const bool isNumber =
        !word.empty() &&
        (std::isdigit(static_cast<unsigned char>(word.front())) || word.front() == '-');
    return isNumber && word.find(',') == std::string_view::npos;
}

Workload
ReadFacebookLines(TextLines& lines, const TraceOptions& options)
{
    Workload workload = FacebookReader(lines, options).Read();
    CheckWorkload(workload, lines.Name());
    std::string source = "facebook-trace " + lines.Name();
    source += " bytesPerMb=" + std::to_string(options.bytesPerMb);
    source += options.roundUpToWholeMb ? " roundUpToWholeMb" : "";
    workload.history.push_back(source);
    return workload;
}

const TraceReaders::Entry REGISTRATION({"facebook-trace",
                                        "the Facebook format",
                                        "PORTS COFLOWS, two numbers",
                                        true,
                                        IsFacebookTrace,
                                        ReadFacebookLines});

} // namespace

Workload
ReadFacebookTrace(std::istream& in, const std::string& name, const TraceOptions& options)
{
    TextLines lines(in, name);
    lines.Next();
    return ReadFacebookLines(lines, options);
}

} // namespace coflow
