/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-replay-options.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-dctcp.h"
#include "ns3/coflow-engine-options.h"
#include "ns3/coflow-engine.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-option-table.h"
#include "ns3/coflow-run-options.h"
#include "ns3/coflow-scheduler-options.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-timeline-file.h"
#include "ns3/coflow-topology.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::Workload;

namespace
{

/// @return "a, b (default), c"
std::string
ListNames(TypeId parent, const std::string& byDefault)
{
    std::string list;
    for (const auto& type : GetNamedTypes(parent))
    {
        list += list.empty() ? "" : ", ";
        list += type.name;
        list += type.name == byDefault ? " (default)" : "";
    }
    return list;
}

/// @return the time; 0 for "no"
::coflow::Nanoseconds
ParseLimit(const std::string& option, const std::string& value)
{
    constexpr double LONGEST = 2e9;
    const auto seconds = value == "no" ? std::optional<double>(0)
                                       : ::coflow::ParseQuantity(value, ::coflow::Unit::SECONDS);
    if (!seconds || !(*seconds >= 0 && *seconds <= LONGEST))
    {
        throw InputError("option --" + option + " is '" + value +
                         "'; allowed: no, or a time such as 500ms or 20s, from 0 to 2e9 s");
    }
    return std::llround(*seconds * 1e9);
}

/// @return the factor for defaults that scale; none: the scale of the workload
std::optional<double>
ParseScaleControl(const std::string& value)
{
    constexpr double LEAST = 1e-9;
    constexpr double MOST = 1e9;
    if (value == "yes")
    {
        return std::nullopt;
    }
    const auto scale = value == "no" ? std::optional<double>(1)
                                     : ::coflow::ParseQuantity(value, ::coflow::Unit::NUMBER);
    if (!scale || !(*scale >= LEAST && *scale <= MOST))
    {
        throw InputError("option --scaleControl is '" + value +
                         "'; allowed: yes, no, or a number from 1e-9 to 1e9, such as 1/250");
    }
    return scale;
}

/// @return the table of all options; their setters write to @p options
OptionTable
MakeTable(ReplayOptions& options)
{
    OptionTable table;
    auto& experiment = options.experiment;
    const auto text = [](std::string& target) {
        return [&target](const std::string& value) { target = value; };
    };
    const auto transform = [&options](const std::string& name) {
        return [&options, name](const std::string& value) {
            const auto prefix = name.empty() ? name : name + "=";
            for (auto& step : ::coflow::ParseTransforms(prefix + value))
            {
                options.transforms.push_back(std::move(step));
            }
        };
    };

    table.AddSection("Workload (one of --trace and --generate)");
    table.Add("trace",
              "FILE",
              "a trace: Facebook coflow-benchmark format, or flow CSV\n"
              "(coflow_id,arrival_s,src,dst,bytes[,deadline_s][,parents][,weight])",
              text(options.trace));
    table.Add("generate",
              "NAME,KEY=VALUE,...",
              "a generated workload, such as incast,senders=8;\n"
              "coflow-trace generate --list names them all",
              text(options.generate));
    table.Add("bytesPerMb",
              "1e6|1048576",
              "bytes of an MB in a Facebook trace; default 1e6",
              [&options](const std::string& value) {
                  options.traceOptions.bytesPerMb =
                      static_cast<int>(ParseCount("bytesPerMb", value, 1, 1 << 30));
              });
    table.AddFlag("roundUpToWholeMb",
                  "round each flow of a Facebook trace up to whole MB, as CoflowSim does",
                  options.traceOptions.roundUpToWholeMb);
    table.Add("firstCoflows", "N", "only the first N coflows", transform("first"));
    table.Add("window",
              "FROM:TO",
              "only coflows that arrive in this window, in seconds",
              transform("window"));
    table.Add("maxCoflowBytes",
              "B",
              "only coflows of at most B bytes, such as 1e8",
              transform("max-coflow-bytes"));
    table.Add("scale",
              "X",
              "multiply all sizes, arrival times and deadlines by X, such as 1/250:\n"
              "the same load with smaller coflows. Defaults that scale are\n"
              "multiplied by X, too",
              transform("scale"));
    table.Add("scaleBytes",
              "X",
              "multiply all sizes by X. Defaults that scale are multiplied, too",
              transform("scale-bytes"));
    table.Add("scaleTime",
              "X",
              "multiply all arrival times and deadlines by X: this changes the load",
              transform("scale-time"));
    table.Add("remap",
              "HOW:HOSTS",
              "move the workload to another number of hosts: fold:16, spread:432,\n"
              "random:432:SEED",
              transform("remap"));

    table.Add("transform",
              "STEP,...",
              "change the workload in these steps, such as\n"
              "first=100,min-flow-bytes=1448; coflow-trace generate --list shows\n"
              "all steps. Each option above, from --firstCoflows to --remap, is\n"
              "short for one step. All apply in the order given",
              transform(""),
              true);

    table.AddSection("Network");
    table.Add("topology",
              "NAME",
              ListNames(Topology::GetTypeId(), experiment.topology),
              text(experiment.topology));
    table.Add("fabric",
              "NAME",
              "how the network is simulated: " + ListNames(Fabric::GetTypeId(), experiment.fabric),
              [&options](const std::string& value) {
                  options.experiment.fabric = value;
                  options.packetOnly.emplace_back("fabric");
              });
    table.Add("ATTRIBUTE",
              "VALUE",
              "any attribute of the chosen topology, fabric, transport or\n"
              "scheduler, of sources or of jumps: --k=8, --linkRate=1Gbps,\n"
              "--failedLinks=edge0-agg1, --hostStack=ns3, --ratePhase=spread,\n"
              "--jump; --describe lists them",
              [](const std::string&) {
                  throw InputError("option --ATTRIBUTE stands for the name of an attribute; "
                                   "allowed: such as --linkRate=1Gbps");
              });
    table.Add("transport",
              "NAME",
              "congestion control: Dctcp (default), TcpNewReno, TcpCubic or any\n"
              "other TcpCongestionOps of ns-3; TcpDctcp is the DCTCP of ns-3",
              [&experiment](const std::string& value) {
                  const bool ours = Dctcp::GetTypeId().GetName() == "ns3::coflow::" + value;
                  const std::string room = value.starts_with("ns3::") ? "" : "ns3::";
                  experiment.attributes.emplace_back("CongestionOps",
                                                     (ours ? "ns3::coflow::" : room) + value);
              });
    table.Add("segment",
              "BYTES",
              "TCP payload of a full segment; default 1448",
              [&experiment](const std::string& value) {
                  experiment.attributes.emplace_back("SegmentSize", value);
              });

    table.AddSection("Scheduler");
    table.Add("scheduler",
              "NAME",
              "the coflow scheduler; default fair (see --list)",
              text(experiment.scheduler));
    table.Add(
        "compare",
        "A,B,...|all",
        "run several schedulers on the same workload, in parallel\n"
        "processes, and print their results side by side; with --out,\n"
        "each result is in a separate folder",
        [&options](const std::string& value) { options.compare = ParseSchedulerNames(value); });
    table.Add("jobs",
              "N",
              "number of parallel processes of --compare; default: one per core",
              [&options](const std::string& value) {
                  options.jobs = static_cast<unsigned>(ParseCount("jobs", value, 1, 4096));
              });
    table.Add("baseline",
              "NAME",
              "the scheduler that --compare compares others with; default: the first",
              text(options.baseline));
    table.Add("SCHEDULER.NAME",
              "VALUE",
              "option NAME of only one scheduler of --compare: --varys.T=8ms",
              [](const std::string&) {
                  throw InputError("option --SCHEDULER.NAME stands for an option of one scheduler; "
                                   "allowed: such as --varys.T=8ms");
              });
    std::string engines;
    for (const auto& engine : AllEngines())
    {
        engines += engines.empty() ? "" : "\n";
        engines += engine.name + ": " + engine.description;
    }
    table.Add("engine", "NAME", engines, text(experiment.engine));

    table.AddSection("Parameters of the engine, and of coordinators in both engines");
    table.Add(
        "scaleControl",
        "yes|no|X",
        "factor of all defaults that scale (--describe marks them): yes, the\n"
        "scale of the workload (default); no, 1; or a number X. Values that\n"
        "you give are used as given",
        [&experiment](const std::string& value) { experiment.scale = ParseScaleControl(value); });
    AddEngineParameters(table, experiment);

    table.AddSection("Run");
    table.Add("stop",
              "SECONDS",
              "end the run at this simulated time; the exit status is 3 if coflows\n"
              "are unfinished",
              [&experiment](const std::string& value) {
                  const auto seconds = ParseNumber("stop", value, 0, 9e9);
                  experiment.stop = std::llround(seconds * 1e9);
              });
    table.Add("watchdog",
              "TIME|no",
              "end the run if no coflow has come nearer to its end for this\n"
              "simulated time, such as 10s. Then the run prints what each coflow\n"
              "waits for, and the exit status is 3. no or 0: never; default:\n"
              "computed from all timers of the run. In the packet engine",
              [&experiment, &options](const std::string& value) {
                  experiment.watchdog = ParseLimit("watchdog", value);
                  options.packetOnly.emplace_back("watchdog");
              });
    table.AddFlag("progress",
                  "print the progress of the run, even if standard error is no terminal",
                  experiment.progress);
    table.Add("RngRun",
              "N",
              "random run: changes ECMP hashes and start times; default 1",
              [](const std::string& value) { SetGlobalValue("RngRun", value); });
    table.Add("RngSeed", "N", "random seed; default 1", [](const std::string& value) {
        SetGlobalValue("RngSeed", value);
    });
    table.Add("ns3::CLASS::ATTRIBUTE",
              "VALUE",
              "default of any ns-3 attribute, such as\n"
              "--ns3::coflow::FifoQueueDisc::MaxSize=100p",
              [](const std::string&) {
                  throw InputError("option --ns3::CLASS::ATTRIBUTE stands for the name of an "
                                   "attribute; allowed: such as "
                                   "--ns3::coflow::FifoQueueDisc::MaxSize=100p");
              });

    table.AddSection("Output");
    table.Add("out",
              "DIR",
              "write coflows.csv and summary.json to this folder, both or none. It\n"
              "has to be new or empty (see --force)",
              text(options.out));
    table.AddFlag("flows", "also write flows.csv", options.flows);
    table.AddFlag("force", "replace a result that is in this folder already", options.force);
    table.Add("segments",
              "FILE",
              "also write a line for every TCP segment: time, host, flow, sequence\n"
              "number, acknowledgement, flags, window and more. In the packet\n"
              "engine, for one scheduler, on the fabric express",
              [&options](const std::string& value) {
                  options.experiment.segments = value;
                  options.packetOnly.emplace_back("segments");
              });
    table.Add("timeline",
              "FILE",
              "also write a timeline of hosts, coflows and control messages, as\n"
              "trace events for ui.perfetto.dev. In the packet engine, for one\n"
              "scheduler",
              [&options](const std::string& value) {
                  options.experiment.timeline = value;
                  options.packetOnly.emplace_back("timeline");
              });
    table.Add("timelineWindow",
              "BEGIN,END",
              "times that the timeline covers, such as 0.5s,2s; default: 0s,1s",
              [&options](const std::string& value) {
                  ParseTimelineWindow(value);
                  options.experiment.timelineWindow = value;
                  options.packetOnly.emplace_back("timelineWindow");
                  options.hasTimelineWindow = true;
              });
    table.AddFlag("list", "list all schedulers", options.list);
    table.AddFlag("describe",
                  "print all schedulers, options, attributes, defaults and units as\n"
                  "JSON, and the sizes of queues and TCP buffers on the given network",
                  options.describe);
    table.AddFlag("version", "print the versions of this module and of ns-3", options.version);
    table.AddFlag("help", "print this text", options.help);
    return table;
}

/// Whether an option does not change results, such as an option for the output folder or for
/// progress.
bool
ChangesNoResult(const std::string& argument)
{
    for (const char* name : {"--out=",
                             "--flows",
                             "--force",
                             "--segments=",
                             "--timeline=",
                             "--timelineWindow=",
                             "--progress",
                             "--jobs=",
                             "--compare=",
                             "--baseline=",
                             "--scheduler="})
    {
        if (argument.starts_with(name))
        {
            return true;
        }
    }
    return false;
}

} // namespace

ReplayOptions
ParseReplayOptions(const std::vector<std::string>& arguments)
{
    ReplayOptions options;
    const auto table = MakeTable(options);
    for (const auto& [name, given] : table.Parse(arguments))
    {
        const auto nearest = table.GetNearest(name);
        if (!given && !IsFlag(options.experiment, name))
        {
            throw InputError("option --" + name + " is unknown or needs a value; allowed: " +
                             (nearest.empty() ? "those of --help" : "perhaps --" + nearest));
        }
        const std::string value = given.value_or("true");
        if (name.starts_with("ns3::"))
        {
            SetDefaultAttribute(name, value);
        }
        else if (!SetGlobalValue(name, value))
        {
            options.experiment.attributes.emplace_back(name, value);
        }
    }
    for (const auto& argument : arguments)
    {
        // Options of one scheduler are only in the command line of that scheduler's run.
        if (!ChangesNoResult(argument) && !IsOfOneScheduler(argument.substr(0, argument.find('='))))
        {
            options.reproduce += " " + ::coflow::ShellQuote(argument);
        }
    }
    if (options.help || options.list || options.describe || options.version)
    {
        return options;
    }
    if (options.experiment.engine != "packet" && !options.packetOnly.empty())
    {
        throw InputError("option --" + options.packetOnly.front() + " has no effect in the " +
                         options.experiment.engine + " engine; allowed: with --engine=packet");
    }
    for (const auto& [name, file] : {std::pair("segments", options.experiment.segments),
                                     std::pair("timeline", options.experiment.timeline)})
    {
        if (!file.empty() && !options.compare.empty())
        {
            throw InputError(std::string("option --") + name +
                             " is of one run; allowed: with --scheduler, not with --compare");
        }
    }
    if (options.hasTimelineWindow && options.experiment.timeline.empty())
    {
        throw InputError("option --timelineWindow has no effect; allowed: with --timeline=FILE");
    }
    if (options.compare == std::vector<std::string>{"all"})
    {
        options.compare.clear();
        for (const auto& scheduler : FindEngine(options.experiment.engine).getSchedulers())
        {
            options.compare.push_back(scheduler.name);
        }
        // The first scheduler is the baseline of ratios. Papers commonly compare with fair sharing.
        std::stable_partition(options.compare.begin(), options.compare.end(), [](const auto& name) {
            return name == "fair";
        });
    }
    if (!options.baseline.empty() &&
        std::ranges::find(options.compare, options.baseline) == options.compare.end())
    {
        throw InputError("option --baseline is '" + options.baseline +
                         "'; allowed: one of the schedulers of --compare");
    }
    CheckSchedulerOptions(options.experiment,
                          options.compare.empty()
                              ? std::vector<std::string>{options.experiment.scheduler}
                              : options.compare);
    if (options.trace.empty() == options.generate.empty())
    {
        throw InputError("the workload is missing or given twice; allowed: one of --trace=FILE and "
                         "--generate=NAME (see --help)");
    }
    CheckFiles(options);
    return options;
}

std::string
GetReplayHelp()
{
    ReplayOptions options;
    return "coflow-replay: run a workload of coflows on a simulated data center network under a\n"
           "coflow scheduler, and print the coflow completion times (CCT).\n\n"
           "  coflow-replay --trace=FILE [--scheduler=NAME] [--topology=NAME] [--out=DIR] ...\n" +
           MakeTable(options).GetHelp() +
           "\nExamples\n"
           "  coflow-replay --generate=incast,senders=8 --topology=big-switch --hosts=9\n"
           "  coflow-replay --trace=FB2010-1Hr-150-0.txt --maxCoflowBytes=1e8 --topology=fat-tree\n"
           "      --k=12 --linkRate=1Gbps --scheduler=fair --out=results\n"
           "\nExit status: 0, all coflows finished; 2, wrong usage or input, with an error of\n"
           "one line; 3, some coflows were unfinished at --stop or at the limit of\n"
           "--watchdog, and are listed.\n";
}

std::vector<std::string>
GetReplayOptionNames()
{
    ReplayOptions options;
    std::vector<std::string> names;
    for (const auto& option : MakeTable(options).GetOptions())
    {
        names.push_back(option.name);
    }
    return names;
}

::coflow::Json
DescribeReplayOptions()
{
    const auto packetOnly =
        ::coflow::SplitText("fabric transport segment watchdog segments timeline timelineWindow",
                            ' ');
    ReplayOptions options;
    auto list = ::coflow::Json::Array();
    for (const auto& option : MakeTable(options).GetOptions())
    {
        auto engines = ::coflow::Json::Array();
        for (const auto& engine : AllEngines())
        {
            if (engine.name == "packet" || std::ranges::count(packetOnly, option.name) == 0)
            {
                engines.Add(engine.name);
            }
        }
        list.Add(::coflow::Json::Object()
                     .Set("section", option.section)
                     .Set("name", option.name)
                     .Set("placeholder", option.placeholder)
                     .Set("engines", engines)
                     .Set("help", option.help));
    }
    return list;
}

} // namespace ns3::coflow
