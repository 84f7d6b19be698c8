/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Three coflows on a network that ns-3's own helpers make. doc/own-network.md goes through it.
//
//     10 hosts ── router 0 ── 10 Gb/s ── router 1 ── 10 hosts       (links of hosts: 1 Gb/s)
//
//     coflow-first --scheduler=aalo --folder=result

#include "ns3/coflow-helper.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-module.h"

#include <iostream>

using namespace ns3;
using namespace ns3::coflow;

int
main(int argc, char* argv[])
{
    std::string scheduler = "varys";
    std::string folder;
    CommandLine cmd(__FILE__);
    cmd.AddValue("scheduler", "name of the scheduler", scheduler);
    cmd.AddValue("folder", "where result files are written; empty: nowhere", folder);
    cmd.Parse(argc, argv);

    // The nodes, each with TCP/IP.
    NodeContainer hosts(20);
    NodeContainer routers(2);
    InternetStackHelper stack;
    stack.Install(NodeContainer(hosts, routers));

    // The links, each a network with addresses of its own.
    PointToPointHelper link;
    Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
    NetDeviceContainer devices;
    const auto connect = [&](Ptr<Node> one, Ptr<Node> other, const std::string& rate) {
        link.SetDeviceAttribute("DataRate", StringValue(rate));
        link.SetChannelAttribute("Delay", StringValue("10us"));
        const auto ends = link.Install(one, other);
        addresses.Assign(ends);
        addresses.NewNetwork();
        devices.Add(ends);
    };
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        connect(hosts.Get(i), routers.Get(i / 10), "1Gbps");
    }
    connect(routers.Get(0), routers.Get(1), "10Gbps");
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    // Sizes are a tenth of what schedulers have thresholds for, so those are a tenth, too.
    constexpr double SCALE = 0.1;

    // The scheduler: queue discs on all devices, then what runs on hosts.
    CoflowHelper coflows;
    coflows.SetScheduler(scheduler);
    coflows.SetScale(SCALE);
    coflows.InstallQueueDiscs(devices);
    coflows.Install(hosts);

    // Three shuffles: 10 MB from each of 2, 4 and 6 hosts, in pieces to as many others.
    ::coflow::Workload workload;
    workload.hosts = hosts.GetN();
    workload.scale = SCALE;
    for (uint32_t id = 1; id <= 3; ++id)
    {
        ::coflow::Coflow coflow;
        coflow.id = id;
        coflow.arrival = (id - 1) * 10'000'000; // nanoseconds
        for (uint32_t i = 0; i < 4 * id * id; ++i)
        {
            coflow.flows.push_back({i, i / (2 * id), 10 + i % (2 * id), 5'000'000 / id});
        }
        workload.coflows.push_back(coflow);
    }
    coflows.InstallWorkload(workload, hosts);

    Simulator::Run(); // until all coflows have finished
    coflows.Print(std::cout);
    if (!folder.empty())
    {
        coflows.WriteFiles(folder);
    }
    Simulator::Destroy();
}
