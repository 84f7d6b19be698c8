/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A network made by hand of ns-3's nodes, devices and routing, and the fabric `nodes` on the same
// topology with the same settings give the same files.

#include "coflow-effort.h"
#include "coflow-program.h"
#include "own-network.h"

#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-run.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ::coflow::test;

namespace
{

constexpr uint32_t HOSTS = 20;
constexpr int64_t STREAM = 100;
const Time SLOWER_AT = MilliSeconds(5);
constexpr const char* SLOWER_RATE = "50Mbps";

/// Parameters that a scheduler has and the others have not.
std::vector<std::pair<std::string, std::string>>
ParametersOf(const std::string& scheduler)
{
    if (scheduler == "dcas8")
    {
        return {{"bands", "8"}};
    }
    return {};
}

class OwnNetworkEquality : public ProgramTest, public testing::WithParamInterface<std::string>
{
  protected:
    std::string Scheduler() const
    {
        return GetParam() == "dcas8" ? "dcas" : IsLinkSlower() ? "varys" : GetParam();
    }

    /// Whether the link of host 0 becomes slower in the run.
    bool IsLinkSlower() const
    {
        return GetParam() == "varysOnASlowerLink";
    }

    /// The last host is the coordinator's.
    void RunFabric(const ::coflow::Workload& workload)
    {
        ExperimentConfig config;
        config.scheduler = Scheduler();
        config.topology = "big-switch";
        config.fabric = "nodes";
        config.attributes = {{"hosts", std::to_string(HOSTS + 1)},
                             {"linkRate", "1Gbps"},
                             {"linkDelay", "5us"}};
        for (const auto& parameter : ParametersOf(GetParam()))
        {
            config.attributes.push_back(parameter);
        }
        config.instrument = [this](const PacketCluster& cluster) {
            cluster.GetDriver()->AssignStreams(STREAM);
            if (IsLinkSlower())
            {
                const auto topology = cluster.GetFabric()->GetTopology();
                Simulator::Schedule(SLOWER_AT, [topology] {
                    topology->SetLinkRate(0, HOSTS + 1, DataRate(SLOWER_RATE));
                });
            }
            return nullptr;
        };
        m_fabric = RunExperiment(workload, config, "", m_folder / "fabric", true).result;
    }

    void RunScript(const ::coflow::Workload& workload)
    {
        OwnNetwork own;
        own.MakeStar(HOSTS + 1);
        NodeContainer hosts;
        for (uint32_t i = 0; i < HOSTS; ++i)
        {
            hosts.Add(own.hosts.Get(i));
        }
        CoflowHelper helper;
        helper.SetScheduler(Scheduler());
        for (const auto& [name, value] : ParametersOf(GetParam()))
        {
            helper.Set(name, value);
        }
        helper.SetScale(workload.scale);
        helper.InstallQueueDiscs(own.devices);
        helper.SetCoordinator(own.hosts.Get(HOSTS));
        helper.Install(hosts);
        helper.AssignStreams(STREAM);
        helper.InstallWorkload(workload, hosts);
        if (IsLinkSlower())
        {
            Simulator::Schedule(SLOWER_AT, [&own] {
                for (const uint32_t end : {0U, 1U})
                {
                    DynamicCast<PointToPointNetDevice>(own.devices.Get(end))
                        ->SetDataRate(DataRate(SLOWER_RATE));
                }
            });
        }
        Simulator::Run();
        helper.WriteFiles(m_folder / "script");
        m_script = helper.GetOutcome().result;
    }

    ExperimentResult m_fabric;
    ExperimentResult m_script;
};

INSTANTIATE_TEST_SUITE_P(Schedulers,
                         OwnNetworkEquality,
                         // Representatives of all that ask something of a network: nothing, rates,
                         // a host's port, priorities in ports with and without bands, paths, rates
                         // in ports. In one run a port changes, which daemons tell.
                         testing::Values("fair",
                                         "varys",
                                         "varysOnASlowerLink",
                                         "aalo",
                                         "dcas",
                                         "dcas8",
                                         "pfabric",
                                         "baraat"),
                         [](const auto& name) { return name.param; });

} // namespace

TEST_P(OwnNetworkEquality, SameFilesAsTheFabricNodes)
{
    const auto workload =
        MakeMix(HOSTS, ::coflow::test::Effort(3, 8), ::coflow::test::Effort(0.25, 1.0));
    RunFabric(workload);
    RunScript(workload);
    EXPECT_EQ(ReadFile(m_folder / "fabric/flows.csv"), ReadFile(m_folder / "script/flows.csv"));
    // How long coflows take alone is not known of a script's network.
    ASSERT_EQ(m_fabric.coflows.size(), m_script.coflows.size());
    for (auto& record : m_fabric.coflows)
    {
        EXPECT_TRUE(record.unloadedCct.has_value());
        record.unloadedCct.reset();
    }
    EXPECT_EQ(::coflow::ToCsv(m_fabric.coflows), ::coflow::ToCsv(m_script.coflows));
    EXPECT_EQ(m_fabric.deliveredBytes, m_script.deliveredBytes);
    EXPECT_EQ(m_fabric.network->retransmissions, m_script.network->retransmissions);
    EXPECT_EQ(m_fabric.network->droppedPackets, m_script.network->droppedPackets);
    EXPECT_EQ(m_fabric.network->markedPackets, m_script.network->markedPackets);
    EXPECT_EQ(m_fabric.network->packetHops, m_script.network->packetHops);
    EXPECT_EQ(m_fabric.network->controlMessages, m_script.network->controlMessages);
    EXPECT_EQ(m_fabric.network->controlBytes, m_script.network->controlBytes);
    EXPECT_EQ(m_fabric.control.ToString(), m_script.control.ToString());
}
