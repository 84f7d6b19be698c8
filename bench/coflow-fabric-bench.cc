/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Whole runs: a permutation of TCP flows over several networks, each in a process of its own, one
// after the other. Prints packet-hops per second of CPU time, and its ratio to the first network.
//
//     coflow-fabric-bench --k=8 --networks=vanilla,nixvector,nodes,express,lean
//     coflow-fabric-bench --topology=big-switch --hosts=150 --tcp=ns3::TcpNewReno --segment=8948
//     coflow-fabric-bench --k=32 --networks=express --bytes=0          set-up alone

#include "coflow-bench-network.h"

#include "ns3/boolean.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-process-cost.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/command-line.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cstdio>
#include <iostream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

struct Options
{
    std::string networks{"vanilla,nodes,express,lean"};
    std::string topology{"fat-tree"};
    uint32_t k{8};
    uint32_t hosts{150};
    std::string rate{"10Gbps"};
    std::string tcp{"ns3::TcpDctcp"};
    uint32_t segment{1448};
    uint64_t bytes{500'000};
    bool timestamps{true};
    std::string eventScheduler{"ns3::MapScheduler"};
};

struct Result
{
    uint32_t hosts;
    double setUpSeconds;
    double setUpMegabytes; ///< more than before, at its peak
    double runSeconds;
    double megabytes;
    uint64_t packetHops;
    uint64_t events;
    uint64_t finished;
};

Result
Run(const std::string& network, const Options& options)
{
    const ProcessCost before = ProcessCost::Now();
    // Networks are told apart by their fabric, but the last: express with lean connections, which
    // brings its own simulator.
    const bool isLean = network == "lean";
    if (isLean)
    {
        WheelSimulatorImpl::Install();
    }
    else
    {
        ObjectFactory eventScheduler;
        eventScheduler.SetTypeId(options.eventScheduler);
        Simulator::SetScheduler(eventScheduler);
    }
    const auto topology = CreateByName<Topology>(options.topology);
    topology->SetAttribute("LinkRate", StringValue(options.rate));
    if (options.topology == "fat-tree")
    {
        topology->SetAttribute("K", UintegerValue(options.k));
    }
    else
    {
        topology->SetAttribute("Hosts", UintegerValue(options.hosts));
    }
    const auto profile = CreateObject<TransportProfile>();
    profile->SetAttribute("CongestionOps", StringValue(options.tcp));
    profile->SetAttribute("SegmentSize", UintegerValue(options.segment));
    profile->SetAttribute("Timestamps", BooleanValue(options.timestamps));
    profile->SetAttribute("HostStack", StringValue(isLean ? "lean" : "ns3"));
    const auto net = MakeBenchNetwork(isLean ? "express" : network,
                                      topology,
                                      static_cast<uint16_t>(profile->GetRequiredMtu()));
    const NodeContainer& hosts = net->GetHosts();
    profile->Install(hosts);
    Result result{};
    result.hosts = hosts.GetN();
    const Callback<void, ::coflow::CoflowId, ::coflow::FlowId, uint64_t, Time> onFinish(
        [&result](::coflow::CoflowId, ::coflow::FlowId, uint64_t, Time) {
            if (++result.finished == result.hosts)
            {
                Simulator::Stop();
            }
        });
    std::vector<Ptr<CoflowSource>> sources;
    for (HostId host = 0; host < hosts.GetN(); ++host)
    {
        const auto source = CreateObject<CoflowSource>();
        const auto sink = CreateObject<CoflowSink>();
        source->SetAttribute("Profile", PointerValue(profile));
        sink->SetAttribute("Profile", PointerValue(profile));
        sink->TraceConnectWithoutContext("FlowFinished", onFinish);
        hosts.Get(host)->AddApplication(source);
        hosts.Get(host)->AddApplication(sink);
        sources.push_back(source);
    }
    const ProcessCost atStart = ProcessCost::Now();
    for (HostId host = 0; options.bytes > 0 && host < hosts.GetN(); ++host)
    {
        // Half of all hosts away: in a fat-tree, all paths have six ports.
        const HostId dst = (host + hosts.GetN() / 2) % hosts.GetN();
        Simulator::ScheduleWithContext(
            hosts.Get(host)->GetId(),
            NanoSeconds(1 + 977 * host),
            [&net, &options, source = sources[host], host, dst] {
                source->StartFlow(
                    {1, host, net->GetAddress(dst), options.bytes, RateLimit::Unlimited()});
            });
    }
    if (options.bytes > 0)
    {
        Simulator::Stop(Seconds(100));
        Simulator::Run();
    }
    const ProcessCost atEnd = ProcessCost::Now();
    result.setUpSeconds = atStart.cpuSeconds - before.cpuSeconds;
    result.setUpMegabytes =
        static_cast<double>(atStart.peakMemoryBytes - before.peakMemoryBytes) / 1e6;
    result.runSeconds = atEnd.cpuSeconds - atStart.cpuSeconds;
    result.megabytes = static_cast<double>(atEnd.peakMemoryBytes) / 1e6;
    result.packetHops = net->GetPacketHops();
    result.events = Simulator::GetEventCount();
    return result;
}

/// Runs a network in a process of its own, which ns-3 needs.
Result
RunInProcess(const std::string& network, const Options& options)
{
    int ends[2];
    if (pipe(ends) != 0)
    {
        throw ::coflow::InputError("no pipe could be made");
    }
    const pid_t child = fork();
    if (child == 0)
    {
        int status = 2;
        try
        {
            const Result result = Run(network, options);
            status = write(ends[1], &result, sizeof(result)) == sizeof(result) ? 0 : 1;
        }
        catch (const ::coflow::InputError& error)
        {
            std::cerr << "coflow-fabric-bench: " << error.what() << "\n";
        }
        _exit(status);
    }
    close(ends[1]);
    Result result{};
    const bool whole = read(ends[0], &result, sizeof(result)) == sizeof(result);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (!whole || status != 0)
    {
        throw ::coflow::InputError("the run of '" + network + "' failed");
    }
    return result;
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    CommandLine cmd(__FILE__);
    cmd.AddValue("networks",
                 "fabrics (with ns-3's sockets), vanilla, nixvector, and lean: express with lean "
                 "connections; the first is 1",
                 options.networks);
    cmd.AddValue("topology", "fat-tree or big-switch", options.topology);
    cmd.AddValue("k", "of the fat-tree", options.k);
    cmd.AddValue("hosts", "of the big switch", options.hosts);
    cmd.AddValue("rate", "of all links", options.rate);
    cmd.AddValue("tcp", "congestion control", options.tcp);
    cmd.AddValue("segment", "TCP segments, bytes", options.segment);
    cmd.AddValue("bytes", "of each flow; 0: set up only", options.bytes);
    cmd.AddValue("timestamps", "whether TCP segments have timestamps", options.timestamps);
    cmd.AddValue("eventScheduler",
                 "subclass of ns3::Scheduler, for all networks but lean",
                 options.eventScheduler);
    cmd.Parse(argc, argv);
    try
    {
        std::printf("%-10s %6s %8s %8s %8s %8s %10s %10s %9s %6s %6s\n",
                    "network",
                    "hosts",
                    "setup_s",
                    "setup_MB",
                    "run_s",
                    "peak_MB",
                    "hops",
                    "events",
                    "hops/s",
                    "ratio",
                    "done");
        double first = 0;
        std::istringstream networks(options.networks);
        for (std::string network; std::getline(networks, network, ',');)
        {
            const Result r = RunInProcess(network, options);
            const double rate = static_cast<double>(r.packetHops) / r.runSeconds;
            first = first == 0 ? rate : first;
            std::printf("%-10s %6u %8.3f %8.1f %8.2f %8.1f %10llu %10llu %9.0f %6.2f %6llu\n",
                        network.c_str(),
                        r.hosts,
                        r.setUpSeconds,
                        r.setUpMegabytes,
                        r.runSeconds,
                        r.megabytes,
                        static_cast<unsigned long long>(r.packetHops),
                        static_cast<unsigned long long>(r.events),
                        rate,
                        rate / first,
                        static_cast<unsigned long long>(r.finished));
            std::fflush(stdout);
        }
    }
    catch (const ::coflow::InputError& error)
    {
        std::cerr << "coflow-fabric-bench: " << error.what() << "\n";
        return 2;
    }
    return 0;
}
