/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Ports of hosts share between the queues of Aalo and Graviton, segment by segment, as the fluid
// engine does with rates.

#include "counting-sender.h"
#include "policy-names.h"

#include "ns3/coflow-dclas-policy.h"
#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-port-index.h"
#include "ns3/coflow-queue-sharing.h"
#include "ns3/coflow-send-queues.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace ns3::coflow;
using ::coflow::CoflowId;
using ::coflow::DclasPolicy;
using ::coflow::FlowTable;
using ::coflow::HostId;
using ::coflow::PortRates;
using ::coflow::QueueSharing;
using ::coflow::TableFlow;

namespace
{

constexpr uint32_t SEGMENT_BYTES = 1448;
constexpr double PORT_RATE = 12.5e6; ///< bytes per second

/// One coflow that waits at host 0, with flows to receivers that no other coflow has.
struct Waiting
{
    QueueSharing::Rank rank;
    HostId nFlows;
};

/// Share of host 0's port that each coflow gets as rates.
std::map<CoflowId, double>
SharesOfRates(const DclasPolicy& policy, const std::vector<Waiting>& waiting)
{
    FlowTable table;
    HostId hosts = 1;
    for (std::size_t i = 0; i < waiting.size(); ++i)
    {
        ::coflow::CoflowRow row;
        row.id = i + 1;
        row.index = static_cast<uint32_t>(i + 1);
        std::vector<TableFlow> flows;
        for (HostId flow = 0; flow < waiting[i].nFlows; ++flow)
        {
            flows.push_back({flow, 0, hosts++, 0, 0});
        }
        table.Insert(row, {}, flows);
    }
    const ::coflow::AttainedView view = table.Attained(0);
    ::coflow::PortIndex index;
    index.Update(view, hosts);
    QueueSharing sharing(policy.Queues(), policy.IsStrict());
    sharing.Start(view, index, PortRates::Uniform(hosts, PORT_RATE));
    for (std::size_t r = 0; r < waiting.size(); ++r)
    {
        sharing.AddGroup(waiting[r].rank, static_cast<uint32_t>(r));
        for (uint32_t node = 0; node < index.Of(r).nodes.size(); ++node)
        {
            sharing.AddNode(node);
        }
    }
    std::vector<double> rates(table.Src().size(), 0.0);
    sharing.Serve(rates);
    std::map<CoflowId, double> shares;
    for (std::size_t r = 0; r < waiting.size(); ++r)
    {
        shares[r + 1] = sharing.RowRate(r) / PORT_RATE;
    }
    return shares;
}

/// Share of the segments of host 0 that each coflow gets, where all flows always have some.
std::map<CoflowId, double>
SharesOfSegments(const DclasPolicy& policy, const std::vector<Waiting>& waiting, int segments)
{
    // As HybridScheduler makes them: above all queues is one for what goes before them.
    std::vector<double> weights{1};
    for (int queue = 0; queue < policy.Queues(); ++queue)
    {
        weights.push_back(policy.Weight(queue));
    }
    SendQueues queues;
    ::coflow::test::CountingSender sender;
    queues.SetWeights(weights, policy.IsStrict() ? weights.size() : 1, SEGMENT_BYTES);
    std::map<CoflowId, double> shares;
    for (std::size_t i = 0; i < waiting.size(); ++i)
    {
        const auto& [rank, nFlows] = waiting[i];
        const auto queue = static_cast<uint32_t>(rank.queue - QueueSharing::FIRST);
        shares[i + 1] = 0;
        queues.Place(i + 1, {queue, rank.key, i});
        for (HostId flow = 0; flow < nFlows; ++flow)
        {
            queues.SetReady(queues.Add({i + 1, flow}, sender));
        }
    }
    for (int i = 0; i < segments; ++i)
    {
        SendQueues::Flow* flow = queues.Next();
        queues.Charge(flow, SEGMENT_BYTES);
        shares[SendQueues::GetKey(flow).coflowId] += 1.0 / segments;
        queues.SetReady(flow);
    }
    return shares;
}

} // namespace

TEST(SameRules, QueuesShareAPortInSegmentsAsTheyDoInRates)
{
    std::mt19937 random(1);
    for (const std::string& scheduler : ::coflow::test::PolicyNames(::coflow::Control::HYBRID))
    {
        int nShared = 0;
        int nFirst = 0;
        for (const char* sharing : {"weighted", "strict"})
        {
            const auto made =
                ::coflow::MakePolicy(scheduler, {std::string("sharing=") + sharing, "queues=4"});
            const auto& policy = dynamic_cast<const DclasPolicy&>(*made);
            for (int round = 0; round < 50; ++round)
            {
                std::vector<Waiting> waiting(2 + random() % 5);
                for (auto& each : waiting)
                {
                    // Some coflows go before all queues.
                    each.rank.queue =
                        random() % 8 == 0 ? QueueSharing::FIRST : static_cast<int>(random() % 4);
                    each.rank.key = static_cast<double>(random() % 3);
                    each.nFlows = static_cast<HostId>(1 + random() % 3);
                }
                // A round of all queues is 4 + 3 + 2 + 1 segments, so that a thousand of them
                // differ by less than a thousandth from what any number of them is.
                const auto inRates = SharesOfRates(policy, waiting);
                const auto inSegments = SharesOfSegments(policy, waiting, 10'000);
                double shared = 0;
                for (const auto& [coflow, share] : inRates)
                {
                    EXPECT_NEAR(inSegments.at(coflow), share, 0.002)
                        << scheduler << ", " << sharing << ", round " << round << ", coflow "
                        << coflow;
                    shared += share > 0 && share < 1;
                    nFirst += waiting[coflow - 1].rank.queue == QueueSharing::FIRST && share == 1;
                }
                nShared += shared > 1;
            }
        }
        EXPECT_GT(nShared, 20) << scheduler;
        EXPECT_GT(nFirst, 10) << scheduler;
    }
}
