/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The daemons of Aalo and Graviton have coflows in the queues and the order of the fluid engine's
// policy, on the same arrivals, bytes and ends.

#include "hybrid-fixture.h"
#include "policy-names.h"

#include "ns3/coflow-dclas-policy.h"
#include "ns3/coflow-flow-table.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;
using ::coflow::CoflowId;
using ::coflow::FlowId;
using ::coflow::FlowTable;
using ::coflow::PortRates;
using ::coflow::TableFlow;
using test::HybridCluster;
using test::HybridConfig;

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

/// Runs a policy with queues in packets, and asks the same policy, as one that knows all at once,
/// about the same bytes at the same times.
class HybridTwin
{
  public:
    HybridTwin(const std::string& scheduler, uint32_t seed, bool manySenders)
        : m_cluster(HybridConfig(scheduler, HOSTS, {{"firstThreshold", LIMIT}, {"factor", "4"}})),
          m_policy(::coflow::MakePolicy(
              scheduler,
              {"delta=0", std::string("firstThreshold=") + LIMIT, "factor=4"})),
          m_random(seed),
          m_manySenders(manySenders)
    {
        for (const auto& host : m_cluster.Get().GetHosts())
        {
            host.source->TraceConnectWithoutContext(
                "FlowSent",
                Callback<void, CoflowId, FlowId, uint64_t, uint64_t>(
                    [this](CoflowId coflow, FlowId flow, uint64_t, uint64_t) {
                        m_flows.at({coflow, flow}).ended = Simulator::Now();
                        NoteSent(coflow);
                    }));
        }
        for (CoflowId id = 1; id <= 9; ++id)
        {
            Fill(id);
        }
        for (int64_t us = 777; us <= END_US; us += 1000)
        {
            Simulator::Schedule(MicroSeconds(us), &HybridTwin::Compare, this);
        }
    }

    void Run()
    {
        Simulator::Stop(MicroSeconds(END_US + 1));
        Simulator::Run();
    }

    int nQueues{0};              ///< queues that were compared
    int nOrders{0};              ///< orders of several coflows that were compared
    std::map<int, int> byQueue;  ///< how many queues of each number
    std::set<CoflowId> overtook; ///< coflows that were behind a later one

  private:
    static constexpr HostId HOSTS = 8; ///< the last one is the coordinator's
    static constexpr HostId SENDERS = 3;
    static constexpr int64_t END_US = 700'000;
    static constexpr const char* LIMIT = "60000";

    void Fill(CoflowId id)
    {
        const HostId home = m_random() % SENDERS;
        const uint32_t n = 1 + m_random() % 4;
        std::vector<test::UnitFlow> flows;
        for (FlowId flow = 0; flow < n; ++flow)
        {
            const HostId src = m_manySenders ? (home + flow) % SENDERS : home;
            const HostId dst = SENDERS + m_random() % 4;
            const double size = 0.02 + 0.001 * (m_random() % 600);
            flows.push_back({src, dst, size});
            m_flows[{id, flow}] = {id,
                                   flow,
                                   src,
                                   dst,
                                   static_cast<::coflow::Bytes>(size * test::UNIT_BYTES)};
        }
        m_cluster.Play(0.011 * static_cast<double>(id * id), id, flows);
    }

    /// Takes down what hosts have sent of a coflow. They forget one that they are through with.
    void NoteSent(CoflowId id)
    {
        for (HostId host = 0; host < SENDERS; ++host)
        {
            auto& sent = m_sent[{id, host}];
            sent = std::max(sent, m_cluster.GetScheduler()->GetNic(host)->GetSent(id));
        }
    }

    /// Bytes that a host has sent of a coflow.
    double SentBy(HostId host, CoflowId id) const
    {
        return static_cast<double>(m_sent.at({id, host}));
    }

    void Compare()
    {
        FlowTable table;
        std::map<CoflowId, std::set<HostId>> senders;
        for (const auto& [id, handle] : m_cluster.handles)
        {
            std::vector<TableFlow> flows;
            for (const auto& [key, flow] : m_flows)
            {
                if (flow.coflow == id && flow.ended == Time::Max())
                {
                    flows.push_back({flow.id, flow.src, flow.dst, 0, 0});
                    senders[id].insert(flow.src);
                }
            }
            if (flows.empty())
            {
                continue;
            }
            ::coflow::CoflowRow row;
            row.id = id;
            row.index = static_cast<uint32_t>(id);
            row.ready = static_cast<::coflow::Nanoseconds>(handle.order);
            NoteSent(id);
            for (HostId host = 0; host < SENDERS; ++host)
            {
                row.sent += SentBy(host, id);
            }
            table.Insert(row, {}, flows);
        }
        std::vector<double> rates(table.Src().size(), 0.0);
        const auto now = Simulator::Now().GetNanoSeconds();
        m_policy->Decide(table, now, PortRates::Uniform(HOSTS, 12.5e6), rates);
        const auto& dclas = dynamic_cast<const ::coflow::DclasPolicy&>(*m_policy);
        std::map<HostId, std::vector<CoflowId>> orders;
        for (const auto r : dclas.Order())
        {
            const auto& row = table.Rows()[r];
            for (const HostId host : senders[row.id])
            {
                orders[host].push_back(row.id);
                CompareQueue(dclas, host, row, dclas.QueueOfRow(r));
            }
        }
        for (const auto& [host, order] : orders)
        {
            CompareOrder(host, order);
        }
    }

    void CompareQueue(const ::coflow::DclasPolicy& dclas,
                      HostId host,
                      const ::coflow::CoflowRow& row,
                      int ofAll)
    {
        const auto queue = m_cluster.CentralDaemon(host)->GetQueue(row.id);
        if (!queue)
        {
            return; // its flows have not been put yet
        }
        // A host knows what it has sent itself, and some of what others have. Where nobody else
        // sends, that is all.
        EXPECT_GE(*queue, dclas.QueueAfter(0, SentBy(host, row.id)));
        EXPECT_LE(*queue, ofAll) << "coflow " << row.id << ", host " << host;
        if (!m_manySenders)
        {
            EXPECT_EQ(*queue, ofAll) << "coflow " << row.id << ", host " << host;
        }
        ++nQueues;
        ++byQueue[*queue];
    }

    void CompareOrder(HostId host, const std::vector<CoflowId>& order)
    {
        // How wide a coflow is, hosts are told with a delay.
        const bool disturbed = std::any_of(m_flows.begin(), m_flows.end(), [](const auto& entry) {
            return entry.second.ended != Time::Max() &&
                   Simulator::Now() - entry.second.ended < MilliSeconds(5);
        });
        if (m_manySenders || disturbed || order.size() < 2)
        {
            return;
        }
        EXPECT_EQ(m_cluster.CentralDaemon(host)->GetOrder(), order)
            << "host " << host << " at " << Simulator::Now();
        ++nOrders;
        for (std::size_t i = 1; i < order.size(); ++i)
        {
            if (order[i] < order[i - 1])
            {
                overtook.insert(order[i]);
            }
        }
    }

    HybridCluster m_cluster;
    std::unique_ptr<::coflow::Policy> m_policy;
    std::mt19937 m_random;
    bool m_manySenders;
    std::map<FlowKey, RunningFlow> m_flows;
    std::map<std::pair<CoflowId, HostId>, uint64_t> m_sent; ///< NoteSent()
};

} // namespace

TEST(SameRules, DaemonsHaveTheQueuesAndTheOrderOfThePolicy)
{
    for (const std::string& scheduler : ::coflow::test::PolicyNames(::coflow::Control::HYBRID))
    {
        int nOrders = 0;
        std::map<int, int> byQueue;
        std::size_t nOvertook = 0;
        for (uint32_t seed = 1; seed <= 2; ++seed)
        {
            SCOPED_TRACE(scheduler + " " + std::to_string(seed));
            HybridTwin twin(scheduler, seed, false);
            twin.Run();
            nOrders += twin.nOrders;
            nOvertook += twin.overtook.size();
            for (const auto& [queue, n] : twin.byQueue)
            {
                byQueue[queue] += n;
            }
        }
        EXPECT_GT(nOrders, 100) << scheduler;
        EXPECT_GT(nOvertook, 1U) << scheduler;
        for (int queue = 0; queue < 4; ++queue)
        {
            EXPECT_GT(byQueue[queue], 0) << scheduler << ", queue " << queue;
        }
    }
}

TEST(SameRules, DaemonsOfManySendersAreBetweenWhatTheyAndWhatAllHaveSent)
{
    HybridTwin twin("aalo", 3, true);
    twin.Run();
    EXPECT_GT(twin.nQueues, 100);
}
