/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// max-min at packet level: every flow is sent at its own max-min fair rate, whatever carries
// control messages, and fluids of fair are what packets converge to.

#include "central-fixture.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;
using ::coflow::Workload;

namespace
{

/// A flow, and its rate as a part of a port.
struct RatedFlow
{
    ::coflow::CoflowId coflow;
    ::coflow::FlowId flow;
    HostId src;
    HostId dst;
    double rate;
};

/// Four flows share port 0. The one to 4 leaves 3/4 there for 1>4 and 2>4, and 1>4 leaves 5/8 at 1
/// for 1>3. Flows of a coflow have different rates.
const std::vector<RatedFlow> PARKING_LOT{{1, 0, 0, 4, 0.25},
                                         {1, 1, 1, 3, 0.625},
                                         {2, 0, 0, 5, 0.25},
                                         {2, 1, 0, 6, 0.25},
                                         {2, 2, 1, 4, 0.375},
                                         {3, 0, 0, 7, 0.25},
                                         {3, 1, 2, 4, 0.375}};
constexpr HostId HOSTS = 9;     ///< the last one has the coordinator
constexpr double PORT = 12.5e6; ///< bytes per second
constexpr uint64_t LONG = 50'000'000;

/// Bytes of every flow that its receiver has acknowledged.
std::vector<uint64_t>
Acknowledged(const CentralCluster& cluster)
{
    std::vector<uint64_t> bytes;
    for (const auto& each : PARKING_LOT)
    {
        const auto progress =
            cluster.Get().GetHosts()[each.src].source->GetProgress({each.coflow, each.flow});
        bytes.push_back(progress ? progress->acknowledged : 0);
    }
    return bytes;
}

/// Name of what carries control messages; attributes.
using Control = std::pair<std::string, Attributes>;

class MaxMinUnder : public testing::TestWithParam<Control>
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }
};

} // namespace

TEST_P(MaxMinUnder, EveryFlowHasItsOwnRate)
{
    CentralCluster cluster(IdealConfig("max-min", HOSTS, GetParam().second));
    for (::coflow::CoflowId id = 1; id <= 3; ++id)
    {
        const auto isOfIt = [id](const RatedFlow& each) { return each.coflow == id; };
        const auto flows =
            static_cast<uint32_t>(std::count_if(PARKING_LOT.begin(), PARKING_LOT.end(), isOfIt));
        cluster.Register(MilliSeconds(1), id, flows, [&, isOfIt](const CoflowHandle& handle) {
            for (const auto& each : PARKING_LOT)
            {
                if (isOfIt(each))
                {
                    cluster.Move(handle, each.flow, each.src, each.dst, LONG);
                }
            }
        });
    }
    cluster.Run(MilliSeconds(500));
    const auto before = Acknowledged(cluster);
    cluster.Run(MilliSeconds(1500));
    const auto after = Acknowledged(cluster);
    for (std::size_t i = 0; i < PARKING_LOT.size(); ++i)
    {
        const double expected = PARKING_LOT[i].rate * KAPPA;
        EXPECT_NEAR(static_cast<double>(after[i] - before[i]) / PORT, expected, 0.02 * expected)
            << PARKING_LOT[i].src << '>' << PARKING_LOT[i].dst;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Control,
    MaxMinUnder,
    testing::Values(Control{"ideal", {}},
                    Control{"tcp", {{"controlTransport", "tcp"}, {"controlBatch", "1ms"}}}),
    [](const auto& test) { return test.param.first; });

TEST(MaxMinScheduler, PacketsDoWhatFluidsOfFairDo)
{
    // Short and long flows on the parking lot: rates are handed on whenever one is through.
    const Workload workload{8,
                            {MakeCoflow(1, {{0, 4, 0.5}, {1, 3, 4}}),
                             MakeCoflow(2, {{0, 5, 1}, {0, 6, 1.5}, {1, 4, 2.2}}, 0.01),
                             MakeCoflow(3, {{0, 7, 2.5}, {2, 4, 3.5}}, 0.02)}};
    const auto fluid = RunFluidAtGoodput(workload, "fair");
    for (const Attributes& control :
         {Attributes{}, Attributes{{"controlTransport", "tcp"}, {"controlBatch", "100us"}}})
    {
        const auto packet = RunPacketExperiment(workload, IdealConfig("max-min", HOSTS, control));
        for (const auto& flow : packet.flows)
        {
            const auto c = static_cast<std::size_t>(flow.coflow - 1);
            const double expected = static_cast<double>(fluid.FlowFinish(c, flow.flow.id) -
                                                        workload.coflows[c].arrival);
            EXPECT_NEAR(static_cast<double>(flow.finish - workload.coflows[c].arrival),
                        expected,
                        0.03 * expected)
                << "coflow " << flow.coflow << " flow " << flow.flow.id;
        }
    }
}

TEST(MaxMinScheduler, SmallCoflowsDoNotBypassForNobodyMayKnowThatTheyAreSmall)
{
    const Workload workload{4, {MakeCoflow(1, {{0, 2, 4}}), MakeCoflow(2, {{1, 2, 0.02}}, 1)}};
    const auto result = RunPacketExperiment(workload, IdealConfig("max-min", 5));
    EXPECT_FALSE(result.coflows[0].bypassed);
    EXPECT_FALSE(result.coflows[1].bypassed);
}
