/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run.h"

#include "ns3/coflow-description.h"
#include "ns3/coflow-engine.h"
#include "ns3/coflow-record.h"
#include "ns3/coflow-run-report.h"
#include "ns3/coflow-run-sample.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"

#include <limits>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <type_traits>
#include <variant>

namespace ns3coflow
{

using ::coflow::ColumnTime;
using ::coflow::Workload;

namespace
{

constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();

/// A value of a column as numpy has it: NaN, and -1 in the place of a flag, where it is unknown.
template <typename Value>
auto
ToNumber(Value value)
{
    if constexpr (std::is_same_v<Value, ColumnTime>)
    {
        return value.Seconds();
    }
    else if constexpr (std::is_same_v<Value, std::optional<bool>>)
    {
        return static_cast<std::int8_t>(value ? int{*value} : -1);
    }
    else if constexpr (std::is_same_v<Value, bool> || std::is_enum_v<Value>)
    {
        return static_cast<std::int8_t>(value);
    }
    else if constexpr (std::is_integral_v<Value>)
    {
        return value;
    }
    else
    {
        return value ? static_cast<double>(*value) : UNKNOWN;
    }
}

/// The columns of a file, as arrays.
template <typename Record>
nb::dict
ToColumns(const std::vector<::coflow::Column<Record>>& columns, const std::vector<Record>& records)
{
    nb::dict arrays;
    for (const auto& column : columns)
    {
        arrays[std::string(column.name).c_str()] = std::visit(
            [&records](auto read) {
                const auto number = [read](const Record& record) { return ToNumber(read(record)); };
                using Number = std::invoke_result_t<decltype(number), const Record&>;
                return Column<Number>(records, number);
            },
            column.read);
    }
    return arrays;
}

} // namespace

ns3::coflow::ReplayOptions
Parse(std::vector<std::string> arguments, bool workloadGiven)
{
    if (workloadGiven)
    {
        arguments.emplace_back("--trace=given");
    }
    ns3::Config::Reset();
    ns3::RngSeedManager::ResetNextStreamIndex(); // or a second run here had other random numbers
    auto options = ns3::coflow::ParseReplayOptions(arguments);
    ns3::coflow::CheckNames(options.experiment);
    return options;
}

Workload
ReadWorkload(const Workload* given, const ns3::coflow::ReplayOptions& options)
{
    if (given == nullptr)
    {
        return ns3::coflow::LoadWorkload(options);
    }
    Workload workload = *given;
    ::coflow::ApplyTransforms(workload, options.transforms);
    return workload;
}

nb::dict
ToDict(const ns3::coflow::ExperimentConfig& config, const ns3::coflow::RunOutcome& outcome)
{
    nb::dict result;
    result["coflows"] = ToColumns(::coflow::CoflowColumns(), outcome.result.coflows);
    result["flows"] = ToColumns(::coflow::FlowColumns(), outcome.result.flows);
    result["samples"] = ToColumns(::coflow::SampleColumns(), outcome.result.samples);
    result["ingress_rates"] = ToNumpy(outcome.result.rates.ingress);
    result["egress_rates"] = ToNumpy(outcome.result.rates.egress);
    result["summary"] = outcome.summaryJson.ToString();
    result["text"] = ns3::coflow::FormatRun(config, outcome.result, outcome.summary);
    result["unfinished"] = outcome.summary.unfinished.empty()
                               ? std::string()
                               : ns3::coflow::FormatUnfinished(outcome.summary);
    return result;
}

namespace
{

nb::dict
Run(const Workload* given, const std::vector<std::string>& arguments, const std::string& reproduce)
{
    RequireSimulator();
    ns3::coflow::ReplayOptions options;
    ns3::coflow::RunOutcome outcome;
    std::vector<std::string> history;
    {
        nb::gil_scoped_release release;
        options = Parse(arguments, given != nullptr);
        const auto workload = ReadWorkload(given, options);
        options.experiment.poll = [] {
            nb::gil_scoped_acquire lock;
            if (PyErr_CheckSignals() != 0)
            {
                throw nb::python_error();
            }
        };
        outcome = ns3::coflow::RunExperiment(workload,
                                             options.experiment,
                                             reproduce,
                                             options.out,
                                             options.flows,
                                             options.force);
    }
    return ToDict(options.experiment, outcome);
}

} // namespace

void
BindRun(nb::module_& module)
{
    using namespace nb::literals;
    module.def(
        "run",
        &Run,
        "workload"_a.none(),
        "arguments"_a,
        "reproduce"_a,
        nb::sig("def run(workload: Workload | None, arguments: Sequence[str], reproduce: str)"
                " -> dict[str, typing.Any]"),
        "Runs an experiment in this process. Arguments are those of coflow-replay. A workload, if\n"
        "given, replaces --trace and --generate.");
    module.def(
        "check",
        [](const std::vector<std::string>& arguments, bool workloadGiven) {
            RequireSimulator();
            Parse(arguments, workloadGiven);
        },
        "arguments"_a,
        "workload_given"_a,
        "Raises the InputError of run() for wrong names of options, parts and schedulers.");
    module.def(
        "check_workload",
        [](const std::vector<std::string>& arguments) {
            nb::gil_scoped_release release;
            ReadWorkload(nullptr, Parse(arguments, false));
        },
        "arguments"_a,
        "Raises the InputError of run() for the workload that arguments name.");
    module.def(
        "describe_run",
        [](const std::vector<std::string>& arguments) {
            RequireSimulator();
            return ns3::coflow::DescribeRun(Parse(arguments, false).experiment).ToString();
        },
        "arguments"_a,
        "The JSON that coflow-replay prints for these arguments, which include --describe.");
    module.def("help", &ns3::coflow::GetReplayHelp, "The text of coflow-replay --help.");
}

} // namespace ns3coflow
