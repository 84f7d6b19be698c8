/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// RAPIER with packets: that they take the paths which its coordinator decides, that times are those
// of the fluid, and where it is refused.

#include "checked-experiment.h"
#include "coflow-expect-error.h"

#include "ns3/coflow-engine.h"
#include "ns3/coflow-fabric-listener.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-transform.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::FlowId;
using ::coflow::Workload;

namespace
{

/// Bytes of a unit: 12 ms at 1 Gbps.
constexpr int64_t UNIT = 1'500'000;

/// Links inside the fat-tree of k = 4 that the data of flows passed, on each fabric.
class LinksOfFlows final : public FabricListener
{
  public:
    explicit LinksOfFlows(Ptr<Fabric> fabric)
        : m_hosts(fabric->GetTopology()->GetNHosts()),
          m_paths(fabric->GetPaths())
    {
        fabric->SetListener(*this);
    }

    void Receive(LinkPort port, const Seen& packet) override
    {
        if (packet.bytes > 500 && packet.packetClass.flow.coflowId != PacketClass::NO_COFLOW &&
            port >= 2 * m_hosts)
        {
            m_links[packet.packetClass.flow].insert(port - 2 * m_hosts);
        }
    }

    void Drop(LinkPort, const Seen&) override
    {
    }

    void Arrive(LinkPort, const Seen&) override
    {
    }

    void Lose(const Seen&) override
    {
    }

    const std::map<FlowKey, std::set<::coflow::FabricLink>>& Links() const
    {
        return m_links;
    }

    const ::coflow::PathMap& Paths() const
    {
        return *m_paths;
    }

  private:
    HostId m_hosts;
    std::shared_ptr<const ::coflow::PathMap> m_paths;
    std::map<FlowKey, std::set<::coflow::FabricLink>> m_links;
};

/// Two coflows whose senders are at one switch: 2 and 3 units into another pod. And one inside
/// that pod.
Workload
Neighbours()
{
    Workload workload;
    workload.hosts = 16;
    workload.coflows = {{1, 0, {}, {{0, 0, 4, 2 * UNIT}}, {}},
                        {2, 0, {}, {{0, 1, 6, 3 * UNIT}}, {}},
                        {3, 0, {}, {{0, 8, 10, UNIT}, {1, 9, 11, UNIT}, {2, 12, 15, UNIT}}, {}}};
    return workload;
}

ExperimentConfig
FatTree(const std::string& scheduler)
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.attributes = {{"k", "4"}, {"bypassBytes", "0"}, {"controlBatch", "100us"}};
    return config;
}

} // namespace

// What the policy decides when it is asked about all coflows at once is where all packets go.
TEST(RapierInPackets, PacketsTakeThePathsThatTheCoordinatorDecides)
{
    const Workload workload = Neighbours();
    for (const std::string fabric : {"express", "nodes"})
    {
        SCOPED_TRACE(fabric);
        auto config = FatTree("rapier");
        config.fabric = fabric;
        std::shared_ptr<LinksOfFlows> seen;
        config.instrument = [&](const PacketCluster& cluster) {
            seen = std::make_shared<LinksOfFlows>(cluster.GetFabric());
            return seen;
        };
        const auto result = FindEngine("packet").run(workload, config);
        ASSERT_EQ(result.end, RunEnd::COMPLETE);

        const auto policy = ::coflow::MakePolicy("rapier");
        policy->ShowPaths(seen->Paths(), 1);
        ::coflow::FlowTable table;
        for (uint32_t c = 0; c < workload.coflows.size(); ++c)
        {
            table.Add(workload.coflows[c], c, 0);
        }
        std::vector<double> rates(table.Src().size(), 0.0);
        const auto ports = ::coflow::PortRates::Uniform(16, 125e6);
        table.TakePaths(policy->Decide(table, 0, ports, rates).paths);
        std::set<::coflow::FabricLink> used;
        for (const auto& row : table.Rows())
        {
            for (auto f = row.begin; f < row.end; ++f)
            {
                ASSERT_NE(table.Paths()[f], ::coflow::NO_PATH);
                const auto& path =
                    seen->Paths().Between(table.Src()[f], table.Dst()[f])[table.Paths()[f] - 1];
                const std::set<::coflow::FabricLink> links(path.Links().begin(),
                                                           path.Links().end());
                EXPECT_EQ(seen->Links().at({row.id, table.FlowIds()[f]}), links)
                    << row.id << "." << table.FlowIds()[f];
                for (const auto link : links)
                {
                    EXPECT_TRUE(used.insert(link).second) << "there is room for every flow";
                }
            }
        }
    }
}

// By hand: at 0.94 of 1 Gbps nobody waits for anybody. By hashes, some do.
TEST(RapierInPackets, TakesWhatAPathOfItsOwnTakes)
{
    for (const std::string stack : {"lean", "ns3"})
    {
        SCOPED_TRACE(stack);
        const auto run = [&](const std::string& scheduler) {
            auto config = FatTree(scheduler);
            config.attributes.emplace_back("hostStack", stack);
            return FindEngine("packet").run(Neighbours(), test::Checked(config)).coflows;
        };
        const double unit = UNIT / 0.94 / 125e6;
        const auto told = run("rapier");
        EXPECT_NEAR(told[0].CctSeconds(), 2 * unit, 0.1 * unit);
        EXPECT_NEAR(told[1].CctSeconds(), 3 * unit, 0.1 * unit);
        EXPECT_NEAR(told[2].CctSeconds(), unit, 0.1 * unit);
    }
}

// A mix on a fat-tree takes what it takes as fluids on the same links, also where these have half
// of what hosts have.
TEST(RapierInPackets, FluidsAndPacketsAgreeOnAMix)
{
    auto workload = ::coflow::Generate("fb-like", {"coflows=20", "hosts=16", "seed=3", "load=0.9"});
    for (const auto& step : ::coflow::ParseTransforms("scale-bytes=0.002,scale-time=0.002"))
    {
        ::coflow::ApplyTransform(workload, step);
    }
    for (const std::string reroute : {"false", "true"})
    {
        for (const std::string inside : {"1Gbps", "500Mbps"})
        {
            SCOPED_TRACE(reroute + ", " + inside);
            ExperimentConfig config;
            config.scheduler = "rapier";
            config.attributes = {{"k", "4"},
                                 {"bypassBytes", "0"},
                                 {"reroute", reroute},
                                 {"fabricLinkRate", inside}};
            auto packets = config;
            packets.attributes.emplace_back("controlTransport", "ideal");
            packets.attributes.emplace_back("controlBatch", "0s");
            const auto told = FindEngine("packet").run(workload, test::Checked(packets));
            config.engine = "fluid";
            config.attributes.emplace_back("limits", "links");
            const auto fluid = FindEngine("fluid").run(workload, config);
            double inPackets = 0;
            double asFluid = 0;
            for (std::size_t i = 0; i < workload.coflows.size(); ++i)
            {
                inPackets += told.coflows[i].CctSeconds();
                asFluid += fluid.coflows[i].CctSeconds();
            }
            EXPECT_LT(inPackets, 1.5 * asFluid);
            EXPECT_GT(inPackets, 0.9 * asFluid);
        }
    }
}

TEST(RapierInPackets, IsRefusedWherePathsCannotBeTold)
{
    const auto run = [](const std::string& name,
                        const std::string& value,
                        const std::string& engine = "packet") {
        ExperimentConfig config;
        config.scheduler = "rapier";
        config.engine = engine;
        config.attributes = {{"k", "4"}, {name, value}};
        if (engine == "fluid")
        {
            config.attributes.emplace_back("limits", "links");
        }
        return ::coflow::test::ErrorOf([&] { FindEngine(engine).run(Neighbours(), config); });
    };
    EXPECT_NE(run("enforceAt", "network").find("allowed: sender"), std::string::npos);
    for (const std::string engine : {"packet", "fluid"})
    {
        EXPECT_NE(run("pathChoice", "move", engine).find("chooses paths itself"),
                  std::string::npos);
    }
}
