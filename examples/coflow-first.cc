/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// 10 hosts ── router 0 ── 10 Gb/s ── router 1 ── 10 hosts    (links of hosts: 1 Gb/s)
// Three shuffles cross it, under any scheduler: see doc/tutorials/3-own-network.md.

#include "ns3/coflow-helper.h"
#include "ns3/coflow-main.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-module.h"

using namespace ns3;

int
Script(int argc, char* argv[])
{
    std::string scheduler = "varys"; // or aalo, dcas, fair, ...: coflow-replay --list
    std::string out = "coflow-first";
    CommandLine cmd(__FILE__);
    cmd.AddValue("scheduler", "name of the scheduler", scheduler);
    cmd.AddValue("out", "folder of the result files", out);
    cmd.Parse(argc, argv);

    NodeContainer hosts(20);
    NodeContainer routers(2);
    InternetStackHelper().InstallAll();
    PointToPointHelper link;
    Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
    for (uint32_t i = 0; i < 21; ++i) // the last one connects the routers
    {
        link.SetDeviceAttribute("DataRate", StringValue(i < 20 ? "1Gbps" : "10Gbps"));
        const auto end = i < 20 ? hosts.Get(i) : routers.Get(0);
        addresses.Assign(link.Install(end, routers.Get(i < 10 ? 0 : 1)));
        addresses.NewNetwork();
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    ns3::coflow::CoflowHelper coflows;
    coflows.SetScheduler(scheduler);
    coflows.SetScale(0.01); // thresholds and periods of schedulers are for coflows of full size
    coflows.InstallQueueDiscs();
    coflows.Install(hosts);
    ::coflow::Workload shuffles{.hosts = 20};
    for (uint32_t n = 1; n <= 3; ++n) // 1.5, 1 and 0.5 MB from each of 2 n hosts
    {
        ::coflow::Coflow shuffle{.id = n, .arrival = n * 1'000'000}; // nanoseconds
        for (uint32_t i = 0; i < 4 * n * n; ++i)
        {
            // number of the flow, sending host, receiving host, bytes
            shuffle.flows.push_back({i, i / (2 * n), 10 + i % (2 * n), 250'000 * (4 - n) / n});
        }
        shuffles.coflows.push_back(shuffle);
    }
    coflows.InstallWorkload(shuffles, hosts);

    Simulator::Run(); // until all coflows have finished
    coflows.Print(std::cout);
    coflows.WriteFiles(out);
    Simulator::Destroy();
    return 0;
}

int
main(int argc, char* argv[])
{
    return ns3::coflow::RunMain(argc, argv, Script); // an error is one line
}
