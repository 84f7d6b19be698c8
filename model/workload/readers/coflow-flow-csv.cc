/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-flow-csv.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-quantity.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-trace-reader.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace coflow
{

namespace
{

constexpr int DECIMALS_OF_S = 9;
constexpr std::string_view HEADER = "coflow_id,arrival_s,src,dst,bytes";
constexpr std::string_view DEADLINE_COLUMN = ",deadline_s";
constexpr std::string_view PARENTS_COLUMN = ",parents";
constexpr std::string_view HOSTS = "hosts=";
constexpr std::string_view HISTORY = "history=";
constexpr std::string_view SCALE = "scale=";

/// @return the columns, with optional columns in brackets
std::string
DescribeColumns()
{
    std::string columns(HEADER);
    columns += "[";
    columns += DEADLINE_COLUMN;
    columns += "][";
    columns += PARENTS_COLUMN;
    columns += "]";
    for (const CoflowAttribute& attribute : COFLOW_ATTRIBUTES)
    {
        columns += std::string("[,") + attribute.name + "]";
    }
    return columns;
}

/// Reads a file in one pass.
class CsvReader
{
  public:
    /// @param lines the file; its first line is the current line
    explicit CsvReader(TextLines& lines)
        : m_lines(lines)
    {
    }

    Workload Read()
    {
        ReadHeader();
        while (NextRow())
        {
            ReadRow();
        }
        if (!m_hostsGiven)
        {
            m_workload.hosts = m_hostsSeen;
        }
        SortCoflows(m_workload);
        if (const auto problem = FindWorkloadProblem(m_workload))
        {
            // Every row was checked when it was read, so the problem is one of parents.
            throw InputError(m_lines.Name(),
                             m_lineOf.at(m_workload.coflows.at(problem->coflow.value()).id),
                             problem->field,
                             problem->value,
                             problem->allowed);
        }
        return std::move(m_workload);
    }

  private:
    /// Goes to the next line that is not a comment.
    bool NextRow()
    {
        return m_lines.Next() && ReadComments();
    }

    /// Reads comments from the current line on.
    /// @return whether the current line is not a comment; false at the end of the file
    bool ReadComments()
    {
        while (m_lines.Line().starts_with('#'))
        {
            ReadComment(Trim(m_lines.Line().substr(1)));
            if (!m_lines.Next())
            {
                return false;
            }
        }
        return true;
    }

    void ReadComment(std::string_view text)
    {
        if (text.substr(0, HISTORY.size()) == HISTORY)
        {
            m_workload.history.emplace_back(text.substr(HISTORY.size()));
        }
        if (text.substr(0, SCALE.size()) == SCALE)
        {
            const auto scale = ParseQuantity(text.substr(SCALE.size()), Unit::NUMBER);
            if (!scale || !(*scale >= LEAST_SCALE && *scale <= MOST_SCALE))
            {
                m_lines.Fail("scale",
                             text.substr(SCALE.size()),
                             "a number from 1e-18 to 1e18, such as 0.004 or 1/250");
            }
            m_workload.scale = *scale;
        }
        if (text.substr(0, HOSTS.size()) != HOSTS)
        {
            return;
        }
        const auto hosts = ParseUnsigned(text.substr(HOSTS.size()));
        if (!hosts || *hosts > MAX_HOSTS)
        {
            m_lines.Fail("hosts",
                         text.substr(HOSTS.size()),
                         "a whole number from 0 to " + std::to_string(MAX_HOSTS));
        }
        if (m_hostsGiven || !m_workload.coflows.empty())
        {
            m_lines.Fail("hosts",
                         text.substr(HOSTS.size()),
                         "one such comment, before the first row");
        }
        m_hostsGiven = true;
        m_workload.hosts = static_cast<HostId>(*hosts);
    }

    void ReadHeader()
    {
        ReadComments();
        std::string_view columns = Trim(m_lines.Line());
        const auto take = [&columns](std::string_view what) {
            const bool found = columns.substr(0, what.size()) == what;
            columns.remove_prefix(found ? what.size() : 0);
            return found;
        };
        const bool known = take(HEADER);
        m_deadlines = take(DEADLINE_COLUMN);
        m_parents = take(PARENTS_COLUMN);
        for (const CoflowAttribute& attribute : COFLOW_ATTRIBUTES)
        {
            if (take(std::string(",") + attribute.name))
            {
                m_attributes.push_back(&attribute);
            }
        }
        if (!known || !columns.empty())
        {
            m_lines.Fail("header", m_lines.Line(), "the columns of flow CSV, " + DescribeColumns());
        }
    }

    void ReadRow()
    {
        std::optional<std::string_view> rest = m_lines.Line();
        const auto take = [this, &rest](std::string_view field, std::string_view allowed) {
            const auto text = TakeField(rest, ',');
            if (!text)
            {
                m_lines.Fail(field, "", allowed);
            }
            return Trim(*text);
        };
        Coflow coflow;
        coflow.id = ParseId(take("coflow_id", "a whole number"), "coflow_id");
        coflow.arrival = ParseTime(take("arrival_s", "seconds"), "arrival_s", 0);
        const std::string_view src = take("src", "a host");
        const std::string_view dst = take("dst", "a host");
        const std::string_view bytes = take("bytes", "a whole number");
        if (m_deadlines)
        {
            const auto text = take("deadline_s", "seconds, or nothing");
            if (!text.empty())
            {
                coflow.deadline = ParseTime(text, "deadline_s", 1);
            }
        }
        if (m_parents)
        {
            ParseParents(take("parents", "ids of coflows, or nothing"), coflow);
        }
        for (const CoflowAttribute* attribute : m_attributes)
        {
            coflow.attributes.*attribute->value =
                ParseAttribute(take(attribute->name, "a whole number"), *attribute);
        }
        if (rest)
        {
            m_lines.Fail("after the last column", *rest, "the end of the line");
        }
        const bool isFirst = EnterCoflow(std::move(coflow));
        if (isFirst && src.empty() && dst.empty() && bytes.empty())
        {
            m_withoutFlows = true;
            return;
        }
        const HostId sender = ParseHost(src, "src");
        AddFlow(sender, ParseHost(dst, "dst"), bytes);
    }

    /// Makes the coflow of a row the last coflow of the workload.
    /// @return whether this is the first row of the coflow
    bool EnterCoflow(Coflow coflow)
    {
        auto& coflows = m_workload.coflows;
        if (!coflows.empty() && coflows.back().id == coflow.id)
        {
            const Coflow& known = coflows.back();
            if (m_withoutFlows)
            {
                m_lines.Fail("coflow_id",
                             std::to_string(coflow.id),
                             "another id, since the row before says that this coflow has no flow");
            }
            if (std::tie(known.arrival, known.deadline, known.parents, known.attributes) !=
                std::tie(coflow.arrival, coflow.deadline, coflow.parents, coflow.attributes))
            {
                m_lines.Fail("row of coflow",
                             std::to_string(coflow.id),
                             "the same arrival, deadline, parents and attributes as in line " +
                                 std::to_string(m_lineOf.at(coflow.id)));
            }
            return false;
        }
        const auto [entry, isNew] = m_lineOf.emplace(coflow.id, m_lines.Number());
        if (!isNew)
        {
            m_lines.Fail("coflow_id",
                         std::to_string(coflow.id),
                         "an id that no coflow before has; the rows of a coflow stand together "
                         "(this one's begin in line " +
                             std::to_string(entry->second) + ")");
        }
        if (!coflows.empty() && coflow.arrival < coflows.back().arrival)
        {
            m_lines.Fail("arrival_s",
                         FormatFixedPoint(coflow.arrival, DECIMALS_OF_S),
                         "not before the arrival of the coflow before, " +
                             FormatFixedPoint(coflows.back().arrival, DECIMALS_OF_S) + " s");
        }
        m_withoutFlows = false;
        coflows.push_back(std::move(coflow));
        return true;
    }

    void AddFlow(HostId src, HostId dst, std::string_view bytes)
    {
        const auto size = ParseUnsigned(bytes);
        if (!size || *size > static_cast<std::uint64_t>(MAX_BYTES - m_total))
        {
            m_lines.Fail("bytes",
                         bytes,
                         "a whole number >= 0, in all flows together at most " +
                             std::to_string(MAX_BYTES));
        }
        m_total += static_cast<Bytes>(*size);
        auto& flows = m_workload.coflows.back().flows;
        if (flows.size() > std::numeric_limits<FlowId>::max())
        {
            m_lines.Fail("row", m_lines.Line(), "at most 2^32 flows in a coflow");
        }
        flows.push_back({static_cast<FlowId>(flows.size()), src, dst, static_cast<Bytes>(*size)});
    }

    CoflowId ParseId(std::string_view text, std::string_view field)
    {
        const auto id = ParseUnsigned(text);
        if (!id)
        {
            m_lines.Fail(field, text, "a whole number from 0 to 2^64 - 1");
        }
        return *id;
    }

    Nanoseconds ParseTime(std::string_view text, std::string_view field, Nanoseconds least)
    {
        const auto time = ParseFixedPoint(text, DECIMALS_OF_S);
        if (!time || *time < least || *time > MAX_TIME)
        {
            m_lines.Fail(field,
                         text,
                         "seconds from " + FormatFixedPoint(least, DECIMALS_OF_S) + " to " +
                             FormatFixedPoint(MAX_TIME, DECIMALS_OF_S) + ", at most 9 decimals");
        }
        return *time;
    }

    std::uint32_t ParseAttribute(std::string_view text, const CoflowAttribute& attribute)
    {
        const auto value = ParseUnsigned(text);
        if (!value || *value < attribute.least || *value > attribute.most)
        {
            m_lines.Fail(attribute.name,
                         text,
                         "a whole number from " + std::to_string(attribute.least) + " to " +
                             std::to_string(attribute.most));
        }
        return static_cast<std::uint32_t>(*value);
    }

    HostId ParseHost(std::string_view text, std::string_view field)
    {
        const HostId hosts = m_hostsGiven ? m_workload.hosts : MAX_HOSTS;
        const auto host = ParseUnsigned(text);
        if (!host || *host >= hosts)
        {
            m_lines.Fail(field,
                         text,
                         hosts > 0 ? "a host from 0 to " + std::to_string(hosts - 1)
                                   : "nothing, since there are no hosts");
        }
        m_hostsSeen = std::max(m_hostsSeen, static_cast<HostId>(*host + 1));
        return static_cast<HostId>(*host);
    }

    void ParseParents(std::string_view text, Coflow& coflow)
    {
        std::optional<std::string_view> groups = text;
        while (auto group = TakeField(groups, ';'))
        {
            while (true)
            {
                const std::string_view word = TakeWord(*group);
                if (word.empty())
                {
                    break;
                }
                coflow.parents.push_back(ParseId(word, "parents"));
            }
        }
    }

    TextLines& m_lines;
    Workload m_workload;
    bool m_deadlines{false};                          ///< whether the column deadline_s exists
    bool m_parents{false};                            ///< whether the column parents exists
    std::vector<const CoflowAttribute*> m_attributes; ///< attributes that have a column
    bool m_hostsGiven{false};   ///< whether a comment gave the number of hosts
    bool m_withoutFlows{false}; ///< whether the last row is a coflow without flows
    HostId m_hostsSeen{0};      ///< 1 + the largest host so far
    Bytes m_total{0};
    std::unordered_map<CoflowId, std::size_t> m_lineOf; ///< first line of every coflow
};

/// Whether a line is a comment, or a header with the first column of flow CSV.
bool
IsFlowCsv(std::string_view line)
{
    return line.starts_with('#') || Trim(line).starts_with(HEADER.substr(0, HEADER.find(',')));
}

Workload
ReadCsvLines(TextLines& lines, const TraceOptions& /*options*/)
{
    Workload workload = CsvReader(lines).Read();
    workload.history.push_back("flow-csv " + lines.Name());
    return workload;
}

const TraceReaders::Entry REGISTRATION(
    {"flow-csv", "flow CSV", DescribeColumns(), false, IsFlowCsv, ReadCsvLines});

} // namespace

Workload
ReadFlowCsv(std::istream& in, const std::string& name)
{
    TextLines lines(in, name);
    lines.Next();
    return ReadCsvLines(lines, {});
}

void
WriteFlowCsv(std::ostream& out, const Workload& workload)
{
    const auto& coflows = workload.coflows;
    const bool deadlines = std::ranges::any_of(coflows, [](const Coflow& coflow) {
        return coflow.deadline.has_value();
    });
    const bool parents =
        std::ranges::any_of(coflows, [](const Coflow& coflow) { return !coflow.parents.empty(); });
    std::vector<const CoflowAttribute*> attributes;
    for (const CoflowAttribute& attribute : COFLOW_ATTRIBUTES)
    {
        const auto value = attribute.value;
        if (std::ranges::any_of(coflows, [value](const Coflow& coflow) {
                return coflow.attributes.*value != CoflowAttributes{}.*value;
            }))
        {
            attributes.push_back(&attribute);
        }
    }
    out << "# " << HOSTS << workload.hosts << '\n';
    if (workload.scale != 1)
    {
        out << "# " << SCALE << FormatNumber(workload.scale) << '\n';
    }
    for (std::string line : workload.history)
    {
        std::replace_if(line.begin(), line.end(), [](unsigned char c) { return c < ' '; }, ' ');
        out << "# " << HISTORY << line << '\n';
    }
    out << HEADER << (deadlines ? DEADLINE_COLUMN : "") << (parents ? PARENTS_COLUMN : "");
    for (const CoflowAttribute* attribute : attributes)
    {
        out << ',' << attribute->name;
    }
    out << '\n';
    for (const Coflow& coflow : coflows)
    {
        const std::string start =
            std::to_string(coflow.id) + ',' + FormatFixedPoint(coflow.arrival, DECIMALS_OF_S) + ',';
        std::string end;
        if (deadlines)
        {
            end += ',';
            end += coflow.deadline ? FormatFixedPoint(*coflow.deadline, DECIMALS_OF_S) : "";
        }
        if (parents)
        {
            std::string_view separator = ",";
            end += coflow.parents.empty() ? separator : "";
            for (const CoflowId parent : coflow.parents)
            {
                end += separator;
                end += std::to_string(parent);
                separator = ";";
            }
        }
        for (const CoflowAttribute* attribute : attributes)
        {
            end += ',';
            end += std::to_string(coflow.attributes.*attribute->value);
        }
        for (const Flow& flow : coflow.flows)
        {
            out << start << flow.src << ',' << flow.dst << ',' << flow.bytes << end << '\n';
        }
        if (coflow.flows.empty())
        {
            out << start << ",," << end << '\n';
        }
    }
}

} // namespace coflow
