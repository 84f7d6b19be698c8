/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bindings.h"

#include "ns3/coflow-flow-csv.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-trace-reader.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <sstream>
#include <tuple>

namespace ns3coflow
{

using ::coflow::Bytes;
using ::coflow::Coflow;
using ::coflow::COFLOW_ATTRIBUTES;
using ::coflow::CoflowAttribute;
using ::coflow::Flow;
using ::coflow::HostId;
using ::coflow::InputError;
using ::coflow::Nanoseconds;
using ::coflow::NEVER;
using ::coflow::Workload;

namespace
{

/// A workload as columns, from which FromColumns makes it again. Flows and parents of coflow i
/// are the elements [offsets[i], offsets[i + 1]) of their columns.
nb::dict
ToColumns(const Workload& workload)
{
    const auto& coflows = workload.coflows;
    std::vector<std::int64_t> flowOffsets{0};
    std::vector<std::int64_t> parentOffsets{0};
    std::vector<HostId> src;
    std::vector<HostId> dst;
    std::vector<Bytes> bytes;
    std::vector<std::uint64_t> parents;
    for (const auto& coflow : coflows)
    {
        for (const auto& flow : coflow.flows)
        {
            src.push_back(flow.src);
            dst.push_back(flow.dst);
            bytes.push_back(flow.bytes);
        }
        parents.insert(parents.end(), coflow.parents.begin(), coflow.parents.end());
        flowOffsets.push_back(static_cast<std::int64_t>(src.size()));
        parentOffsets.push_back(static_cast<std::int64_t>(parents.size()));
    }
    nb::dict columns;
    columns["hosts"] = workload.hosts;
    columns["history"] = workload.history;
    columns["scale"] = workload.scale;
    columns["coflow_id"] = Column<std::uint64_t>(coflows, [](const Coflow& c) { return c.id; });
    columns["arrival_ns"] =
        Column<std::int64_t>(coflows, [](const Coflow& c) { return c.arrival; });
    columns["deadline_ns"] =
        Column<std::int64_t>(coflows, [](const Coflow& c) { return c.deadline.value_or(NEVER); });
    for (const CoflowAttribute& attribute : COFLOW_ATTRIBUTES)
    {
        columns[attribute.name] = Column<std::uint32_t>(coflows, [&attribute](const Coflow& c) {
            return c.attributes.*attribute.value;
        });
    }
    columns["flow_offsets"] = ToNumpy(std::move(flowOffsets));
    columns["src"] = ToNumpy(std::move(src));
    columns["dst"] = ToNumpy(std::move(dst));
    columns["bytes"] = ToNumpy(std::move(bytes));
    columns["parent_offsets"] = ToNumpy(std::move(parentOffsets));
    columns["parents"] = ToNumpy(std::move(parents));
    return columns;
}

/// Checks that offsets cut a column of some size into parts.
void
CheckOffsets(const char* name,
             const Array<std::int64_t>& offsets,
             std::size_t parts,
             std::size_t size)
{
    bool good = offsets.size() == parts + 1 && offsets(0) == 0 &&
                offsets(parts) == static_cast<std::int64_t>(size);
    for (std::size_t i = 0; good && i < parts; ++i)
    {
        good = offsets(i) <= offsets(i + 1);
    }
    if (!good)
    {
        throw InputError(std::string("columns of a workload: ") + name +
                         " do not fit; allowed: one more than coflows, rising from 0 to the "
                         "number of elements");
    }
}

/// Sets an attribute of all coflows.
void
SetAttribute(Workload& workload, const std::string& name, const Array<std::uint32_t>& values)
{
    const auto attribute = std::find_if(COFLOW_ATTRIBUTES.begin(),
                                        COFLOW_ATTRIBUTES.end(),
                                        [&name](const auto& each) { return each.name == name; });
    if (attribute == COFLOW_ATTRIBUTES.end() || values.size() != workload.coflows.size())
    {
        throw InputError("columns of a workload: " + name +
                         " does not fit; allowed: attributes of coflows, one value per coflow");
    }
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        workload.coflows[i].attributes.*attribute->value = values(i);
    }
}

Workload
FromColumns(HostId hosts,
            std::vector<std::string> history,
            const Array<std::uint64_t>& ids,
            const Array<std::int64_t>& arrivals,
            const Array<std::int64_t>& deadlines,
            const Array<std::int64_t>& flowOffsets,
            const Array<HostId>& src,
            const Array<HostId>& dst,
            const Array<Bytes>& bytes,
            const Array<std::int64_t>& parentOffsets,
            const Array<std::uint64_t>& parents,
            double scale,
            const nb::kwargs& attributes)
{
    const std::size_t count = ids.size();
    if (arrivals.size() != count || deadlines.size() != count || src.size() != dst.size() ||
        src.size() != bytes.size())
    {
        throw InputError("columns of a workload have different lengths; allowed: one per coflow, "
                         "one per flow");
    }
    CheckOffsets("flow_offsets", flowOffsets, count, src.size());
    CheckOffsets("parent_offsets", parentOffsets, count, parents.size());
    if (!(scale > 0 && std::isfinite(scale)))
    {
        throw InputError("columns of a workload: scale is '" + ::coflow::FormatNumber(scale) +
                         "'; allowed: a number above 0");
    }
    Workload workload{.hosts = hosts, .coflows = {}, .history = std::move(history), .scale = scale};
    workload.coflows.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        Coflow coflow{.id = ids(i), .arrival = arrivals(i)};
        if (deadlines(i) != NEVER)
        {
            coflow.deadline = deadlines(i);
        }
        for (auto f = flowOffsets(i); f < flowOffsets(i + 1); ++f)
        {
            coflow.flows.push_back({.id = static_cast<::coflow::FlowId>(coflow.flows.size()),
                                    .src = src(f),
                                    .dst = dst(f),
                                    .bytes = bytes(f)});
        }
        for (auto p = parentOffsets(i); p < parentOffsets(i + 1); ++p)
        {
            coflow.parents.push_back(parents(p));
        }
        workload.coflows.push_back(std::move(coflow));
    }
    for (const auto& [name, values] : attributes)
    {
        SetAttribute(workload, nb::cast<std::string>(name), nb::cast<Array<std::uint32_t>>(values));
    }
    ::coflow::SortCoflows(workload);
    ::coflow::CheckWorkload(workload, "columns of a workload");
    return workload;
}

/// What describes the coflows, as columns.
nb::dict
Statistics(const Workload& workload, Bytes shortBytes, std::size_t narrowFlows)
{
    const ::coflow::BinLimits limits{shortBytes, narrowFlows};
    std::vector<::coflow::CoflowStatistics> shapes;
    shapes.reserve(workload.coflows.size());
    for (const auto& coflow : workload.coflows)
    {
        shapes.push_back(::coflow::ComputeStatistics(coflow, limits));
    }
    using Shape = ::coflow::CoflowStatistics;
    nb::dict columns;
    columns["bytes"] = Column<Bytes>(shapes, [](const Shape& s) { return s.size; });
    columns["flows"] = Column<std::int64_t>(shapes, [](const Shape& s) { return s.width; });
    columns["senders"] = Column<std::int64_t>(shapes, [](const Shape& s) { return s.senders; });
    columns["receivers"] = Column<std::int64_t>(shapes, [](const Shape& s) { return s.receivers; });
    columns["length_bytes"] = Column<Bytes>(shapes, [](const Shape& s) { return s.length; });
    columns["bottleneck_bytes"] =
        Column<Bytes>(shapes, [](const Shape& s) { return s.bottleneck; });
    columns["skew"] = Column<double>(shapes, [](const Shape& s) { return s.skew; });
    columns["bin"] = Column<std::int8_t>(shapes, [](const Shape& s) { return s.bin; });
    return columns;
}

} // namespace

void
BindWorkload(nb::module_& module)
{
    using namespace nb::literals;
    module.def(
        "coflow_attributes",
        [] {
            std::map<std::string, std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>
                attributes;
            for (const CoflowAttribute& attribute : COFLOW_ATTRIBUTES)
            {
                attributes[attribute.name] = {::coflow::CoflowAttributes{}.*attribute.value,
                                              attribute.least,
                                              attribute.most};
            }
            return attributes;
        },
        "Default, smallest and largest value of each attribute of a coflow.");
    nb::class_<Workload>(module, "Workload", "Coflows by arrival, on hosts 0, 1, ...")
        .def_static(
            "read",
            [](const std::string& path, Bytes bytesPerMb, bool roundUp) {
                nb::gil_scoped_release release;
                return ::coflow::ReadTrace(path, {bytesPerMb, roundUp});
            },
            "path"_a,
            "bytes_per_mb"_a = 1'000'000,
            "round_up_to_whole_mb"_a = false,
            "Reads a trace in the Facebook format or as flow CSV.")
        .def_static(
            "generate",
            [](const std::string& name, const std::vector<std::string>& assignments) {
                nb::gil_scoped_release release;
                return ::coflow::Generate(name, assignments);
            },
            "name"_a,
            "assignments"_a,
            "Makes a workload from texts NAME=VALUE.")
        .def_static("from_columns",
                    &FromColumns,
                    "hosts"_a,
                    "history"_a,
                    "coflow_id"_a,
                    "arrival_ns"_a,
                    "deadline_ns"_a,
                    "flow_offsets"_a,
                    "src"_a,
                    "dst"_a,
                    "bytes"_a,
                    "parent_offsets"_a,
                    "parents"_a,
                    "scale"_a = 1.0,
                    "attributes"_a,
                    "Makes a workload of the columns that columns() returns, in any order of ids; "
                    "attributes by name.",
                    nb::sig("def from_columns(*, hosts: int, history: list[str], "
                            "scale: float = 1.0, **columns: typing.Any) -> Workload"))
        .def("columns",
             &ToColumns,
             nb::sig("def columns(self) -> dict[str, typing.Any]"),
             "Everything, as arrays.")
        .def("statistics",
             &Statistics,
             "short_bytes"_a,
             "narrow_flows"_a,
             nb::sig("def statistics(self, short_bytes: int, narrow_flows: int) -> "
                     "dict[str, typing.Any]"),
             "Statistics of each coflow, as arrays; bin is 0 to 3 for SN, LN, SW, LW.")
        .def(
            "transformed",
            [](const Workload& workload, const std::string& steps) {
                nb::gil_scoped_release release;
                auto changed = workload;
                for (const auto& step : ::coflow::ParseTransforms(steps))
                {
                    ::coflow::ApplyTransform(changed, step);
                }
                return changed;
            },
            "steps"_a,
            "Another workload, after steps NAME=ARGUMENT separated by commas.")
        .def(
            "to_flow_csv",
            [](const Workload& workload) {
                std::ostringstream text;
                ::coflow::WriteFlowCsv(text, workload);
                return text.str();
            },
            "The text of a flow CSV file that reads back the same.")
        .def_ro("hosts", &Workload::hosts, "Number of hosts.")
        .def_ro("history", &Workload::history, "The source, and every step since.")
        .def_ro("scale", &Workload::scale, "The factor of the sizes; 1: full size.")
        .def("__len__", [](const Workload& workload) { return workload.coflows.size(); });
}

} // namespace ns3coflow
