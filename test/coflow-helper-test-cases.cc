/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coflow-helper-test-cases.h"

#include "ns3/coflow-fabric-helper.h"
#include "ns3/coflow-helper.h"
#ifdef COFLOW_HAS_CSMA
#include "ns3/csma-helper.h"
#endif
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <utility>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// Makes links, each of which is a network of its own.
class Linker
{
  public:
    Linker()
        : m_addresses("10.1.0.0", "255.255.255.252")
    {
    }

    void Connect(Ptr<Node> one, Ptr<Node> other, const std::string& rate)
    {
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue(rate));
        link.SetChannelAttribute("Delay", StringValue("5us"));
        m_addresses.Assign(link.Install(one, other));
        m_addresses.NewNetwork();
    }

  private:
    Ipv4AddressHelper m_addresses;
};

NodeContainer
MakeNodes(uint32_t number)
{
    NodeContainer nodes;
    nodes.Create(number);
    InternetStackHelper().Install(nodes);
    return nodes;
}

/// Two routers, two hosts at each, and a link between them of a tenth of the hosts' rate.
NodeContainer
MakeDumbbell()
{
    const auto hosts = MakeNodes(4);
    const auto routers = MakeNodes(2);
    Linker linker;
    for (uint32_t i = 0; i < 4; ++i)
    {
        linker.Connect(hosts.Get(i), routers.Get(i / 2), "1Gbps");
    }
    linker.Connect(routers.Get(0), routers.Get(1), "100Mbps");
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    return hosts;
}

/// Four pods of two edge and two aggregation switches with two hosts each, and four core switches.
NodeContainer
MakeFatTree()
{
    const auto hosts = MakeNodes(16);
    const auto edges = MakeNodes(8);
    const auto aggregations = MakeNodes(8);
    const auto cores = MakeNodes(4);
    Linker linker;
    for (uint32_t i = 0; i < 16; ++i)
    {
        linker.Connect(hosts.Get(i), edges.Get(i / 2), "100Mbps");
        linker.Connect(edges.Get(i / 2), aggregations.Get(i / 4 * 2 + i % 2), "100Mbps");
        linker.Connect(aggregations.Get(i / 2), cores.Get(i % 4), "100Mbps");
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    return hosts;
}

#ifdef COFLOW_HAS_CSMA

/// A medium that all share.
NodeContainer
MakeCsma()
{
    const auto hosts = MakeNodes(4);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
    csma.SetChannelAttribute("Delay", StringValue("1us"));
    Ipv4AddressHelper("10.2.0.0", "255.255.255.0").Assign(csma.Install(hosts));
    return hosts;
}

#endif

/// Nodes, switches and devices of this module's own fabric, used as a script's.
NodeContainer
MakeFabricNodes()
{
    FabricHelper helper("big-switch", "nodes");
    helper.SetTopologyAttributes("Hosts", UintegerValue(4), "LinkRate", StringValue("100Mbps"));
    const auto fabric = helper.Create();
    // As long as its nodes.
    Simulator::ScheduleDestroy(+[](Ptr<Fabric> kept) { kept->Dispose(); }, fabric);
    return fabric->GetHosts();
}

/// Two coflows cross a network, and share what it has.
class HelperTestCase : public TestCase
{
  public:
    /// @param name of the network
    /// @param scheduler its name
    /// @param make makes a network, on which hosts 0 and 1 share 100 Mb/s to hosts 2 and 3 or less
    /// @param shared whether they do
    HelperTestCase(const std::string& name,
                   const std::string& scheduler,
                   std::function<NodeContainer()> make,
                   bool shared)
        : TestCase("CoflowHelper on " + name + ", " + scheduler),
          m_scheduler(scheduler),
          m_make(std::move(make)),
          m_shared(shared)
    {
    }

  private:
    void DoRun() override
    {
        const auto hosts = m_make();
        ::coflow::Workload workload;
        workload.hosts = 4;
        for (uint32_t i = 0; i < 2; ++i)
        {
            ::coflow::Coflow coflow;
            coflow.id = i + 1;
            coflow.flows = {{0, i, i + 2, 250'000}};
            workload.coflows.push_back(coflow);
        }
        CoflowHelper helper;
        helper.SetScheduler(m_scheduler);
        helper.SetScale(0.01);
        helper.InstallQueueDiscs();
        helper.Install(hosts);
        helper.InstallWorkload(workload, hosts);
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        double last = 0;
        for (const auto& record : helper.GetCoflowRecords())
        {
            NS_TEST_EXPECT_MSG_EQ(record.IsFinished(), true, "coflow " << record.id << " finishes");
            last = std::max(last, record.CctSeconds());
        }
        // 250 kB take 20 ms and the headers of 173 segments; twice as long where they share.
        const double least = m_shared ? 0.04 : 0.02;
        NS_TEST_EXPECT_MSG_GT(last, least, "not faster than the network");
        NS_TEST_EXPECT_MSG_LT(last, 2.5 * least, "and not much slower");
        Simulator::Destroy();
    }

    std::string m_scheduler;
    std::function<NodeContainer()> m_make;
    bool m_shared; ///< whether the two coflows have to share 100 Mb/s
};

} // namespace

std::vector<TestCase*>
MakeCoflowHelperTestCases()
{
    std::vector<TestCase*> cases;
    // Representatives of what schedulers may ask of a network: nothing, rates, the host's port,
    // queue discs.
    for (const std::string scheduler : {"fair", "varys", "aalo", "dcas"})
    {
        const auto add = [&](const std::string& name, auto make, bool shared) {
            cases.push_back(new HelperTestCase(name, scheduler, make, shared));
        };
        add("the fabric nodes", MakeFabricNodes, false);
        add("a dumbbell", MakeDumbbell, true);
        add("a fat-tree", MakeFatTree, false);
#ifdef COFLOW_HAS_CSMA
        add("CSMA", MakeCsma, true);
#endif
    }
    return cases;
}
