/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run.h"

#include "ns3/coflow-description.h"
#include "ns3/coflow-engine.h"
#include "ns3/coflow-run-report.h"
#include "ns3/config.h"
#include "ns3/rng-seed-manager.h"

#include <iostream>
#include <limits>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace ns3coflow
{

using ::coflow::CoflowRecord;
using ::coflow::FlowRecord;
using ::coflow::Nanoseconds;
using ::coflow::NEVER;
using ::coflow::RunSample;
using ::coflow::Workload;

namespace
{

constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();

/// Seconds, the double nearest to the decimal number in the CSV file; NaN for "never".
double
Seconds(Nanoseconds time)
{
    return time == NEVER ? UNKNOWN : static_cast<double>(time) / 1e9;
}

/// The columns of coflows.csv.
nb::dict
ToColumns(const std::vector<CoflowRecord>& records)
{
    using Record = CoflowRecord;
    nb::dict columns;
    columns["coflow_id"] = Column<std::uint64_t>(records, [](const Record& r) { return r.id; });
    columns["arrival_s"] =
        Column<double>(records, [](const Record& r) { return Seconds(r.arrival); });
    columns["finish_s"] =
        Column<double>(records, [](const Record& r) { return Seconds(r.finish); });
    columns["cct_s"] = Column<double>(records, [](const Record& r) {
        return r.IsFinished() ? Seconds(r.Cct()) : UNKNOWN;
    });
    columns["min_cct_s"] = Column<double>(records, [](const Record& r) {
        return r.minCct == NEVER ? r.MinCctSeconds() : Seconds(r.minCct);
    });
    columns["slowdown"] =
        Column<double>(records, [](const Record& r) { return r.Slowdown().value_or(UNKNOWN); });
    columns["unloaded_cct_s"] = Column<double>(records, [](const Record& r) {
        return Seconds(r.unloadedCct.value_or(NEVER));
    });
    columns["unloaded_slowdown"] = Column<double>(records, [](const Record& r) {
        return r.UnloadedSlowdown().value_or(UNKNOWN);
    });
    columns["bytes"] = Column<std::int64_t>(records, [](const Record& r) { return r.shape.size; });
    columns["flows"] = Column<std::int64_t>(records, [](const Record& r) { return r.shape.width; });
    columns["senders"] =
        Column<std::int64_t>(records, [](const Record& r) { return r.shape.senders; });
    columns["receivers"] =
        Column<std::int64_t>(records, [](const Record& r) { return r.shape.receivers; });
    columns["length_bytes"] =
        Column<std::int64_t>(records, [](const Record& r) { return r.shape.length; });
    columns["bin"] = Column<std::int8_t>(records, [](const Record& r) { return r.shape.bin; });
    columns["deadline_s"] = Column<double>(records, [](const Record& r) {
        return Seconds(r.deadline.value_or(NEVER));
    });
    columns["admitted"] = Column<std::int8_t>(records, [](const Record& r) { return r.admitted; });
    columns["met_deadline"] = Column<std::int8_t>(records, [](const Record& r) {
        const auto met = r.MetDeadline();
        return met ? int{*met} : -1;
    });
    columns["bypassed"] = Column<std::int8_t>(records, [](const Record& r) { return r.bypassed; });
    return columns;
}

/// The columns of flows.csv.
nb::dict
ToColumns(const std::vector<FlowRecord>& records)
{
    using Record = FlowRecord;
    nb::dict columns;
    columns["coflow_id"] = Column<std::uint64_t>(records, [](const Record& r) { return r.coflow; });
    columns["flow_id"] = Column<std::uint32_t>(records, [](const Record& r) { return r.flow.id; });
    columns["src"] = Column<std::uint32_t>(records, [](const Record& r) { return r.flow.src; });
    columns["dst"] = Column<std::uint32_t>(records, [](const Record& r) { return r.flow.dst; });
    columns["bytes"] = Column<std::int64_t>(records, [](const Record& r) { return r.flow.bytes; });
    columns["start_s"] = Column<double>(records, [](const Record& r) { return Seconds(r.start); });
    columns["finish_s"] =
        Column<double>(records, [](const Record& r) { return Seconds(r.finish); });
    columns["fct_s"] = Column<double>(records, [](const Record& r) {
        return r.start == NEVER || r.finish == NEVER ? UNKNOWN : Seconds(r.finish - r.start);
    });
    columns["retransmits"] =
        Column<std::uint64_t>(records, [](const Record& r) { return r.retransmits; });
    return columns;
}

/// Samples over time, by the columns of timeseries.csv.
nb::dict
ToColumns(const std::vector<RunSample>& samples)
{
    using Sample = RunSample;
    nb::dict columns;
    columns["time_s"] = Column<double>(samples, [](const Sample& s) { return Seconds(s.time); });
    columns["coflows"] = Column<std::uint64_t>(samples, [](const Sample& s) { return s.coflows; });
    columns["flows"] = Column<std::uint64_t>(samples, [](const Sample& s) { return s.flows; });
    columns["utilisation"] = Column<double>(samples, [](const Sample& s) { return s.utilisation; });
    columns["progress_min"] =
        Column<double>(samples, [](const Sample& s) { return s.smallestProgress; });
    columns["progress_max"] =
        Column<double>(samples, [](const Sample& s) { return s.largestProgress; });
    columns["disparity"] = Column<double>(samples, [](const Sample& s) { return s.Disparity(); });
    columns["queue_bytes"] = Column<double>(samples, [](const Sample& s) {
        return s.network ? static_cast<double>(s.network->bytes) : UNKNOWN;
    });
    columns["largest_queue_bytes"] = Column<double>(samples, [](const Sample& s) {
        return s.network ? static_cast<double>(s.network->largestBytes) : UNKNOWN;
    });
    columns["control_wire_bytes"] = Column<double>(samples, [](const Sample& s) {
        return s.network ? static_cast<double>(s.network->controlBytes) : UNKNOWN;
    });
    return columns;
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
    result["coflows"] = ToColumns(outcome.result.coflows);
    result["flows"] = ToColumns(outcome.result.flows);
    result["samples"] = ToColumns(outcome.result.samples);
    result["ingress_rates"] = ToNumpy(std::vector<double>(outcome.result.rates.ingress));
    result["egress_rates"] = ToNumpy(std::vector<double>(outcome.result.rates.egress));
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
        "Runs an experiment in this process: arguments as those of coflow-replay, and the\n"
        "workload, where it is given, in the place of --trace and --generate.");
    module.def(
        "check",
        [](const std::vector<std::string>& arguments, bool workloadGiven) {
            RequireSimulator();
            Parse(arguments, workloadGiven);
        },
        "arguments"_a,
        "workload_given"_a,
        "Raises InputError where run() would for names of options, parts and schedulers.");
    module.def(
        "check_workload",
        [](const std::vector<std::string>& arguments) {
            nb::gil_scoped_release release;
            ReadWorkload(nullptr, Parse(arguments, false));
        },
        "arguments"_a,
        "Raises InputError where run() would for the workload that arguments name.");
    module.def(
        "describe_run",
        [](const std::vector<std::string>& arguments) {
            RequireSimulator();
            return ns3::coflow::DescribeRun(Parse(arguments, false).experiment).ToString();
        },
        "arguments"_a,
        "What coflow-replay prints for these arguments, of which --describe is one, as JSON.");
    module.def("help", &ns3::coflow::GetReplayHelp, "The text of coflow-replay --help.");
}

} // namespace ns3coflow
