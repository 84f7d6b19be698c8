/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The agents of D-CAS at packet level have the keys of the fluid engine's policy in every round, on
// the same arrivals, bytes and ends.

#include "ns3/coflow-client.h"
#include "ns3/coflow-dcas-agent.h"
#include "ns3/coflow-dcas.h"
#include "ns3/coflow-experiment.h"
#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::CoflowId;
using ::coflow::FlowId;
using ::coflow::FlowTable;
using ::coflow::Nanoseconds;
using ::coflow::PortRates;
using ::coflow::TableFlow;

namespace
{

/// A flow of a run, and how far it is.
struct RunningFlow
{
    CoflowId coflow;
    FlowId id;
    HostId src;
    HostId dst;
    ::coflow::Bytes bytes;
    Time ended{Time::Max()}; ///< when all was acknowledged
};

/// Runs D-CAS in packets, and asks the policy about the same bytes at the same times.
class DcasTwin
{
  public:
    static constexpr int64_t DELTA_US = 2000;
    static constexpr int64_t LOOK_US = 50; ///< between two looks of the policy

    explicit DcasTwin(uint32_t seed)
        : m_cluster(Config()),
          m_policy(::coflow::Parameters(
              "dcas",
              ::coflow::Dcas::Specs(),
              {"delta=0.002", "T=0.005", "expiry=0.007", "threshold=" + std::to_string(THRESHOLD)}))
    {
        for (const auto& agent : m_cluster.GetAgents())
        {
            m_agents.push_back(DynamicCast<DcasAgent>(agent));
        }
        for (const auto& host : m_cluster.GetHosts())
        {
            host.source->TraceConnectWithoutContext(
                "FlowSent",
                Callback<void, CoflowId, FlowId, uint64_t, uint64_t>(
                    [this](CoflowId coflow, FlowId flow, uint64_t, uint64_t) {
                        m_flows.at({coflow, flow}).ended = Simulator::Now();
                    }));
        }
        // The policy looks before the agents act at the same time.
        for (int64_t us = 0; us <= END_US; us += LOOK_US)
        {
            Simulator::Schedule(MicroSeconds(us), &DcasTwin::Look, this);
        }
        // The end of a round: what was to be heard has been heard.
        for (int64_t us = DELTA_US - 10; us <= END_US; us += DELTA_US)
        {
            Simulator::Schedule(MicroSeconds(us), &DcasTwin::Compare, this);
        }
        Fill(seed);
    }

    void Run()
    {
        Simulator::Stop(MicroSeconds(END_US + 1));
        Simulator::Run();
    }

    int nSmall{0};   ///< keys that were the same: <0, arrival>
    int nStarved{0}; ///< <1, 0>
    int nAgreed{0};  ///< <1, time>
    int nAdopted{0}; ///< of these, what another sender wants

  private:
    static constexpr int64_t END_US = 60'000;
    static constexpr uint64_t THRESHOLD = 300'000;
    static constexpr HostId HOSTS = 7;
    static constexpr double RATE = 125e6;

    static ExperimentConfig Config()
    {
        ExperimentConfig config;
        config.scheduler = "dcas";
        config.topology = "big-switch";
        config.attributes = {{"hosts", std::to_string(HOSTS)},
                             {"delta", "2ms"},
                             {"T", "5ms"},
                             {"expiry", "7ms"},
                             {"threshold", std::to_string(THRESHOLD)}};
        return config;
    }

    /// Coflows of up to five flows, from four senders to three receivers.
    void Fill(uint32_t seed)
    {
        std::mt19937 random(seed);
        int64_t arrival = 313;
        for (CoflowId id = 1; id <= 7; ++id)
        {
            const auto n = static_cast<FlowId>(1 + random() % 5);
            std::vector<RunningFlow> flows;
            for (FlowId flow = 0; flow < n; ++flow)
            {
                const HostId src = random() % 4;
                const HostId dst = 4 + random() % 3;
                const auto bytes = static_cast<::coflow::Bytes>(100'000 + random() % 1'500'000);
                flows.push_back({id, flow, src, dst, bytes});
            }
            Simulator::Schedule(MicroSeconds(arrival), [this, flows, id] { Arrive(id, flows); });
            arrival += 1 + static_cast<int64_t>(random() % 9000);
        }
    }

    void Arrive(CoflowId id, const std::vector<RunningFlow>& flows)
    {
        CoflowOptions options;
        options.id = id;
        options.arrivalNumber = id;
        const auto put = [&](const CoflowHandle& handle) {
            for (const auto& flow : flows)
            {
                m_flows.emplace(FlowKey{id, flow.id}, flow);
                m_cluster.GetClient(flow.src)->Put(handle,
                                                   flow.id,
                                                   Fabric::GetHostAddress(flow.dst),
                                                   flow.bytes);
            }
        };
        m_cluster.GetClient(flows.front().src)
            ->Register(static_cast<uint32_t>(flows.size()), options, put);
    }

    /// The policy is shown what the agents know: per sender, bytes not acknowledged.
    void Look()
    {
        m_table = FlowTable();
        std::map<CoflowId, std::vector<TableFlow>> coflows;
        std::map<CoflowId, double> sent;
        for (const auto& [key, flow] : m_flows)
        {
            sent[flow.coflow] += static_cast<double>(flow.bytes);
            if (flow.ended == Time::Max())
            {
                const auto progress = m_cluster.GetHosts()[flow.src].source->GetProgress(key);
                const auto left =
                    static_cast<double>(flow.bytes) - static_cast<double>(progress->acknowledged);
                coflows[flow.coflow].push_back({flow.id, flow.src, flow.dst, flow.bytes, left});
            }
        }
        for (auto& [id, flows] : coflows)
        {
            // An agent hears of acknowledgements with its next packet.
            for (HostId host = 0; host < HOSTS; ++host)
            {
                double left = static_cast<double>(m_agents[host]->GetRemaining(id));
                TableFlow* first = nullptr;
                for (auto& flow : flows)
                {
                    first = !first && flow.src == host ? &flow : first;
                    left -= flow.src == host ? flow.remaining : 0;
                }
                if (first)
                {
                    first->remaining += left;
                }
            }
            ::coflow::CoflowRow row;
            row.id = id;
            row.index = static_cast<uint32_t>(id);
            row.ready = static_cast<Nanoseconds>(id);
            row.sent = sent[id];
            for (const auto& flow : flows)
            {
                row.sent -= flow.remaining;
            }
            m_table.Insert(row, {}, flows);
        }
        std::vector<double> rates(m_table.Src().size(), 0.0);
        const Nanoseconds now = Simulator::Now().GetNanoSeconds();
        m_policy.Decide(m_table, now, PortRates::Uniform(HOSTS, RATE), rates);
        if (now % (DELTA_US * 1000) == 0)
        {
            m_expected.clear();
            for (const auto& [id, flows] : coflows)
            {
                for (const auto& flow : flows)
                {
                    m_expected.insert_or_assign(
                        {id, flow.src},
                        m_policy.KeyOf(static_cast<uint32_t>(id), flow.src));
                }
            }
            m_round = Simulator::Now();
        }
    }

    void Compare()
    {
        for (const auto& [subcoflow, expected] : m_expected)
        {
            const auto& [id, host] = subcoflow;
            // Whoever has finished meanwhile is forgotten, which the others may have heard or not.
            const bool disturbed =
                std::any_of(m_flows.begin(), m_flows.end(), [&, id = id](const auto& entry) {
                    return entry.first.coflowId == id && entry.second.ended > m_round &&
                           entry.second.ended != Time::Max();
                });
            if (disturbed)
            {
                continue;
            }
            const uint64_t key = m_agents[host]->GetKey(id);
            if (expected < ::coflow::DcasKey::Starved())
            {
                EXPECT_EQ(key, id) << "coflow " << id << ", host " << host << ", " << m_round;
                ++nSmall;
            }
            else if (expected == ::coflow::DcasKey::Starved())
            {
                EXPECT_EQ(key, expected.Pack())
                    << "coflow " << id << ", host " << host << ", " << m_round;
                ++nStarved;
            }
            else
            {
                // Messages have whole nanoseconds, rounded up.
                EXPECT_EQ(key, expected.Pack() + 1)
                    << "coflow " << id << ", host " << host << ", " << m_round;
                const auto own = ::coflow::DcasKey::Agreed(::coflow::DcasProtocol::WantedTime(
                    static_cast<double>(m_agents[host]->GetRemaining(id)),
                    RATE));
                nAdopted += own.Pack() + 2'000'000 < expected.Pack() ? 1 : 0;
                ++nAgreed;
            }
        }
    }

    PacketCluster m_cluster;
    ::coflow::Dcas m_policy;
    std::vector<Ptr<DcasAgent>> m_agents;
    std::map<FlowKey, RunningFlow> m_flows;
    FlowTable m_table;
    std::map<std::pair<CoflowId, HostId>, ::coflow::DcasKey> m_expected; ///< of the last round
    Time m_round;                                                        ///< when that was
};

} // namespace

TEST(SameRules, DcasHasTheKeysOfThePolicyInEveryRound)
{
    int nSmall = 0;
    int nStarved = 0;
    int nAgreed = 0;
    int nAdopted = 0;
    for (uint32_t seed = 1; seed <= 4; ++seed)
    {
        SCOPED_TRACE(seed);
        DcasTwin twin(seed);
        twin.Run();
        nSmall += twin.nSmall;
        nStarved += twin.nStarved;
        nAgreed += twin.nAgreed;
        nAdopted += twin.nAdopted;
    }
    // All cases occur.
    EXPECT_GT(nSmall, 5);
    EXPECT_GT(nStarved, 5);
    EXPECT_GT(nAgreed, 100);
    EXPECT_GT(nAdopted, 10);
}
