/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Shows what is in a trace, generates synthetic ones, and converts them. Works without ns-3:
// `coflow-trace --help`.

#include "coflow-trace-arguments.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-flow-csv.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-main.h"
#include "ns3/coflow-output-file.h"
#include "ns3/coflow-parameter.h"
#include "ns3/coflow-quantity.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-trace-reader.h"
#include "ns3/coflow-transform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace
{

using namespace coflow;

constexpr const char* HELP = R"(coflow-trace: shows, generates and converts coflow traces

  coflow-trace info FILE [options]
      Prints a summary of a trace: coflows, flows and bytes per bin, quantiles of length, width,
      size, skew and Gamma, the offered load and the most loaded ports.
        --linkRate=1Gbps     rate of every port, for loads and Gamma
        --shortBytes=5MB     a coflow is short if its largest flow is smaller than this;
                             default: 5 MB times the scale of the trace
        --narrowFlows=50     coflows of at most this many flows are narrow

  coflow-trace generate NAME [PARAMETER=VALUE ...] --out=FILE.csv
      Writes a synthetic trace as flow CSV.
  coflow-trace generate --list
      Shows every generator with its parameters, and every transform.

  coflow-trace convert FILE --out=FILE.csv
      Writes a trace as flow CSV.

Options of all three
  --transform=NAME=VALUE   changes the trace before it is shown or written; may be repeated, and
                           several may stand together, separated by commas:
                           --transform=max-coflow-bytes=100MB,scale-time=0.1
  --out=-                  writes to the standard output

Options of info and convert, for files in the Facebook format
  --bytesPerMb=1000000     bytes of a MB; 1048576 gives MiB
  --roundUpToWholeMb       CoflowSim's rule: every flow is a whole number of MB, at least one

Files are in the Facebook coflow-benchmark format or flow CSV, according to their first line.
The exit status is 0, or 2 for bad usage or input, with one line that says what is wrong.
)";

std::vector<Transform>
TakeTransforms(Arguments& arguments)
{
    std::vector<Transform> transforms;
    for (const std::string& text : arguments.TakeAll("--transform"))
    {
        for (Transform& transform : ParseTransforms(text))
        {
            transforms.push_back(std::move(transform));
        }
    }
    return transforms;
}

/// Sees that what is written is not read as well.
/// @param output as --out names it; empty or -: no file
/// @param input the trace; empty: none
/// @param transforms of which some read files
void
CheckFiles(const std::string& output,
           const std::string& input,
           const std::vector<Transform>& transforms)
{
    if (output.empty() || output == "-")
    {
        return;
    }
    std::vector<NamedFile> inputs;
    if (!input.empty())
    {
        inputs.push_back({"the trace", input});
    }
    for (const Transform& transform : transforms)
    {
        if (!transform.input.empty())
        {
            inputs.push_back({"--transform=" + transform.text, transform.input});
        }
    }
    CheckOutputs(inputs, {{"--out", output}});
}

/// Reads the trace that the arguments name and applies the transforms that they name.
/// @param arguments where the options are taken from; none may be left
/// @param output where the result is written; empty: nowhere
Workload
ReadInput(Arguments& arguments, const std::string& output = "")
{
    const auto transforms = TakeTransforms(arguments);
    TraceOptions options;
    options.bytesPerMb = std::llround(
        arguments.TakeQuantity("--bytesPerMb", std::to_string(options.bytesPerMb), Unit::COUNT));
    options.roundUpToWholeMb = arguments.TakeFlag("--roundUpToWholeMb");
    arguments.ExpectNoMore();
    if (arguments.Plain().size() != 1)
    {
        throw InputError("number of files is '" + std::to_string(arguments.Plain().size()) +
                         "'; allowed: one");
    }
    CheckFiles(output, arguments.Plain().front(), transforms);
    Workload workload = ReadTrace(arguments.Plain().front(), options);
    ApplyTransforms(workload, transforms);
    return workload;
}

std::string
TakeOutput(Arguments& arguments)
{
    const std::string path = arguments.Take("--out", "");
    if (path.empty())
    {
        throw InputError("--out is missing; allowed: --out=FILE.csv, or --out=-");
    }
    return path;
}

/// Writes flow CSV.
void
WriteOutput(const std::string& path, const Workload& workload)
{
    if (path == "-")
    {
        WriteFlowCsv(std::cout, workload);
        return;
    }
    OutputFile file("--out", path);
    WriteFlowCsv(file.Out(), workload);
    file.Commit();
}

/// Prints a row of quantiles.
/// @param name what the values are
/// @param values the values, in any order
/// @param unit what one of them is divided by
void
PrintQuantiles(const std::string& name, std::vector<double> values, double unit)
{
    std::sort(values.begin(), values.end());
    std::printf("%-12s", name.c_str());
    for (const double q : {0.0, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0})
    {
        std::printf(" %11.6g", Quantile(values, q) / unit);
    }
    double sum = 0;
    for (const double value : values)
    {
        sum += value;
    }
    const double mean = values.empty() ? 0 : sum / static_cast<double>(values.size());
    std::printf(" %11.6g\n", mean / unit);
}

struct BinTotals
{
    std::size_t coflows{0};
    std::size_t flows{0};
    double bytes{0};

    BinTotals& operator+=(const BinTotals& more)
    {
        coflows += more.coflows;
        flows += more.flows;
        bytes += more.bytes;
        return *this;
    }
};

void
PrintBins(const std::array<BinTotals, ALL_BINS.size()>& bins)
{
    BinTotals all;
    for (const BinTotals& bin : bins)
    {
        all += bin;
    }
    const auto percent = [](double part, double whole) {
        return whole > 0 ? 100 * part / whole : 0;
    };
    const auto print = [&](std::string_view name, const BinTotals& bin) {
        std::printf("%-6s %8zu %7.2f %10zu %12.6g %7.2f\n",
                    std::string(name).c_str(),
                    bin.coflows,
                    percent(static_cast<double>(bin.coflows), static_cast<double>(all.coflows)),
                    bin.flows,
                    bin.bytes / 1e6,
                    percent(bin.bytes, all.bytes));
    };
    std::printf("%-6s %8s %7s %10s %12s %7s\n", "bin", "coflows", "%", "flows", "MB", "% of MB");
    for (const Bin bin : ALL_BINS)
    {
        print(BinName(bin), bins[static_cast<std::size_t>(bin)]);
    }
    print("all", all);
}

void
PrintLoad(const Workload& workload, double bytesPerSecond)
{
    struct Port
    {
        Bytes bytes;
        const char* direction;
        HostId host;
    };

    const PortTotals totals = ComputePortTotals(workload);
    const OfferedLoad offered =
        ComputeOfferedLoad(workload, PortRates::Uniform(workload.hosts, bytesPerSecond));
    std::vector<Port> ports;
    for (HostId host = 0; host < workload.hosts; ++host)
    {
        ports.push_back({totals.ingress[host], "uplink", host});
        ports.push_back({totals.egress[host], "downlink", host});
    }
    const auto show = [&](double load) {
        char text[32];
        std::snprintf(text, sizeof text, "%.2f %%", 100 * load);
        return offered.seconds > 0 ? std::string(text) : std::string("(all arrive at once)");
    };
    std::printf("\noffered load from the first to the last arrival, at links of %g Gbps: %s of all "
                "uplinks\n",
                bytesPerSecond * 8 / 1e9,
                show(offered.mean).c_str());
    constexpr std::size_t SHOWN = 5;
    const auto shown = ports.begin() + static_cast<std::ptrdiff_t>(std::min(SHOWN, ports.size()));
    std::partial_sort(ports.begin(), shown, ports.end(), [](const Port& a, const Port& b) {
        return a.bytes > b.bytes || (a.bytes == b.bytes && a.host < b.host);
    });
    for (auto port = ports.begin(); port != shown; ++port)
    {
        std::printf(
            "  %-8s of host %-6u %12.6g MB   %s\n",
            port->direction,
            port->host,
            static_cast<double>(port->bytes) / 1e6,
            show(static_cast<double>(port->bytes) / (bytesPerSecond * offered.seconds)).c_str());
    }
}

void
Info(Arguments& arguments)
{
    constexpr double BITS_PER_BYTE = 8;
    const double rate =
        arguments.TakeQuantity("--linkRate", "1Gbps", Unit::BITS_PER_SECOND) / BITS_PER_BYTE;
    BinLimits limits;
    const bool isScaled = !arguments.Has("--shortBytes");
    const double shortBytes = arguments.TakeQuantity("--shortBytes", "5MB", Unit::BYTES);
    limits.narrowFlows =
        static_cast<std::size_t>(arguments.TakeQuantity("--narrowFlows", "50", Unit::COUNT));
    const Workload workload = ReadInput(arguments);
    limits.shortBytes = std::llround(shortBytes * (isScaled ? workload.scale : 1));

    std::array<BinTotals, ALL_BINS.size()> bins{};
    std::size_t localFlows = 0;
    std::map<std::string, std::vector<double>> values;
    const PortRates rates = PortRates::Uniform(workload.hosts, rate);
    for (const Coflow& coflow : workload.coflows)
    {
        const CoflowStatistics statistics = ComputeStatistics(coflow, limits);
        localFlows += statistics.localFlows;
        bins[static_cast<std::size_t>(statistics.bin)] +=
            {1, statistics.width, static_cast<double>(statistics.size)};
        values["length"].push_back(static_cast<double>(statistics.length));
        values["width"].push_back(static_cast<double>(statistics.width));
        values["size"].push_back(static_cast<double>(statistics.size));
        values["skew"].push_back(statistics.skew);
        values["senders"].push_back(static_cast<double>(statistics.senders));
        values["receivers"].push_back(static_cast<double>(statistics.receivers));
        values["gamma"].push_back(GammaSeconds(coflow, rates));
    }
    for (const std::string& line : workload.history)
    {
        std::printf("%s\n", line.c_str());
    }
    std::printf("%zu coflows on %u hosts; %zu flows are local\n"
                "short (S): no flow of %lld bytes or more; narrow (N): at most %zu flows\n\n",
                workload.coflows.size(),
                workload.hosts,
                localFlows,
                static_cast<long long>(limits.shortBytes),
                limits.narrowFlows);
    PrintBins(bins);
    std::printf("\n%-12s %11s %11s %11s %11s %11s %11s %11s %11s\n",
                "",
                "least",
                "25 %",
                "median",
                "75 %",
                "95 %",
                "99 %",
                "most",
                "mean");
    PrintQuantiles("length, MB", values["length"], 1e6);
    PrintQuantiles("width, flows", values["width"], 1);
    PrintQuantiles("senders", values["senders"], 1);
    PrintQuantiles("receivers", values["receivers"], 1);
    PrintQuantiles("size, MB", values["size"], 1e6);
    PrintQuantiles("skew", values["skew"], 1);
    PrintQuantiles("Gamma, s", values["gamma"], 1);
    PrintLoad(workload, rate);
}

void
ListGenerators()
{
    std::printf("Generators: coflow-trace generate NAME [PARAMETER=VALUE ...] --out=FILE.csv\n");
    for (const auto& [name, generator] : Generators::All())
    {
        std::printf("\n  %s: %s\n", name.c_str(), generator.help.c_str());
        for (const ParameterSpec& spec : generator.parameters)
        {
            const std::string unit(UnitName(spec.unit));
            std::printf("    %-12s %s\n    %-12s   default %s%s%s, from %s to %s\n",
                        spec.name.c_str(),
                        spec.help.c_str(),
                        "",
                        FormatNumber(spec.defaultValue).c_str(),
                        unit.empty() ? "" : " ",
                        unit.c_str(),
                        FormatNumber(spec.least).c_str(),
                        FormatNumber(spec.most).c_str());
        }
    }
    std::printf("\nTransforms: --transform=NAME=VALUE[,NAME=VALUE ...]\n");
    for (const auto& [name, kind] : TransformKinds::All())
    {
        std::printf("\n  %s=%s\n    %s\n", name.c_str(), kind.syntax.c_str(), kind.help.c_str());
    }
}

void
GenerateTrace(Arguments& arguments)
{
    if (arguments.TakeFlag("--list"))
    {
        arguments.ExpectNoMore();
        if (!arguments.Plain().empty())
        {
            throw InputError("argument is '" + arguments.Plain().front() +
                             "'; allowed with --list: none");
        }
        ListGenerators();
        return;
    }
    if (arguments.Plain().empty())
    {
        throw InputError("generator is missing; allowed: what coflow-trace generate --list shows");
    }
    const std::string path = TakeOutput(arguments);
    const auto transforms = TakeTransforms(arguments);
    arguments.ExpectNoMore();
    CheckFiles(path, "", transforms);
    const auto& plain = arguments.Plain();
    Workload workload = Generate(plain.front(), {plain.begin() + 1, plain.end()});
    ApplyTransforms(workload, transforms);
    WriteOutput(path, workload);
}

void
Convert(Arguments& arguments)
{
    const std::string path = TakeOutput(arguments);
    WriteOutput(path, ReadInput(arguments, path));
}

int
Run(int argc, char** argv)
{
    const std::map<std::string, std::function<void(Arguments&)>> commands{
        {"info", Info},
        {"generate", GenerateTrace},
        {"convert", Convert}};
    const std::string name = argc > 1 ? argv[1] : "";
    const auto command = commands.find(name);
    if (command == commands.end() && name != "--help")
    {
        throw InputError("subcommand is '" + name + "'; allowed: info, generate, convert, --help");
    }
    Arguments arguments(argv + std::min(argc, 2), argv + argc);
    if (name == "--help" || arguments.TakeFlag("--help"))
    {
        std::fputs(HELP, stdout);
        return 0;
    }
    command->second(arguments);
    return 0;
}

} // namespace

int
main(int argc, char** argv)
{
    return ns3::coflow::RunMain(argc, argv, Run);
}
