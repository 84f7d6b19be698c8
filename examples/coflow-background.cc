/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Varys beside traffic that it knows nothing of: UDP between the same hosts takes a share of every
// port. Varys may be told that share, or hand out rates that are not there.
// doc/how-to/own-network.md shows what it prints.
//
//     coflow-background --background=0.2

#include "ns3/applications-module.h"
#include "ns3/coflow-helper.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-module.h"

#include <algorithm>
#include <cstdio>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

constexpr uint32_t HOSTS = 8;
constexpr double LINK_RATE = 1e8; // bit/s

/// @param scale of sizes and arrivals
/// @return coflows of which two at a time want the same ports
::coflow::Workload
MakeWorkload(double scale)
{
    ::coflow::Workload workload;
    workload.hosts = HOSTS;
    workload.scale = scale;
    for (uint32_t id = 1; id <= 6; ++id)
    {
        ::coflow::Coflow coflow;
        coflow.id = id;
        coflow.arrival = static_cast<::coflow::Nanoseconds>(scale * 6e9 * id);
        const auto bytes = static_cast<::coflow::Bytes>(scale * 4e7 * id);
        for (uint32_t i = 0; i < HOSTS; ++i)
        {
            coflow.flows.push_back({i, i, (i + id) % HOSTS, bytes});
        }
        workload.coflows.push_back(coflow);
    }
    return workload;
}

/// @param scale of the workload, and of the thresholds that schedulers have for it
/// @param background share of every port that UDP takes
/// @param told whether the scheduler is told
/// @return mean CCT in seconds
double
Run(const std::string& scheduler, double scale, double background, bool told)
{
    NodeContainer hosts(HOSTS);
    NodeContainer center(1);
    InternetStackHelper stack;
    stack.Install(NodeContainer(hosts, center));
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(DataRate(LINK_RATE)));
    link.SetChannelAttribute("Delay", StringValue("10us"));
    Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
    NetDeviceContainer devices;
    for (uint32_t i = 0; i < HOSTS; ++i)
    {
        const auto ends = link.Install(hosts.Get(i), center.Get(0));
        addresses.Assign(ends);
        addresses.NewNetwork();
        devices.Add(ends);
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    CoflowHelper coflows;
    coflows.SetScheduler(scheduler);
    coflows.SetScale(scale);
    if (told)
    {
        // What is left of every port for coflows. UDP's headers count too: 42 bytes for 1400.
        for (uint32_t i = 0; i < HOSTS; ++i)
        {
            coflows.SetAvailableShare(hosts.Get(i), 1 - background);
        }
    }
    coflows.InstallQueueDiscs(devices);
    coflows.Install(hosts);
    coflows.AssignStreams(1);
    coflows.InstallWorkload(MakeWorkload(scale), hosts);

    // Every host sends UDP to the next one, and receives as much.
    constexpr uint16_t PORT = 9;
    constexpr uint32_t BYTES = 1400;
    constexpr uint32_t HEADER_BYTES = 30; // of UDP, IPv4 and PPP
    const auto rate = LINK_RATE * background * BYTES / (BYTES + HEADER_BYTES);
    for (uint32_t i = 0; i < HOSTS && background > 0; ++i)
    {
        const auto to = CoflowHelper::GetClient(hosts.Get((i + 1) % HOSTS))->GetAddress();
        OnOffHelper udp("ns3::UdpSocketFactory", InetSocketAddress(to, PORT));
        udp.SetConstantRate(DataRate(static_cast<uint64_t>(rate)), BYTES);
        udp.Install(hosts.Get(i)).Start(MicroSeconds(3 * i));
        PacketSinkHelper sink("ns3::UdpSocketFactory",
                              InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sink.Install(hosts.Get(i));
    }

    Simulator::Run(); // until the last coflow has finished
    double sum = 0;
    for (const auto& record : coflows.GetCoflowRecords())
    {
        sum += static_cast<double>(record.finish - record.arrival) * 1e-9;
    }
    const double mean = sum / static_cast<double>(coflows.GetCoflowRecords().size());
    Simulator::Destroy();
    return mean;
}

} // namespace

int
main(int argc, char* argv[])
{
    double background = 0.2;
    double scale = 0.01;
    CommandLine cmd(__FILE__);
    cmd.AddValue("background", "share of every port that other traffic takes", background);
    cmd.AddValue("scale", "factor of sizes, arrivals and thresholds", scale);
    cmd.Parse(argc, argv);
    std::printf("mean CCT in ms     alone    beside %.0f %% of UDP    and the scheduler knows\n",
                100 * background);
    for (const std::string scheduler : {"fair", "varys"})
    {
        std::printf("%-14s %9.1f %18.1f %24.1f\n",
                    scheduler.c_str(),
                    1e3 * Run(scheduler, scale, 0, false),
                    1e3 * Run(scheduler, scale, background, false),
                    1e3 * Run(scheduler, scale, background, true));
    }
}
