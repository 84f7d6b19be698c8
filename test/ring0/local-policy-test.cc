/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Worked examples of the policies without a coordinator: D-CAS and Baraat.

#include "fluid-test-util.h"

#include "ns3/coflow-dcas.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

using Times = std::vector<double>;

/// E6: D-CAS, figure 1. A {1, 3} and B {2, 4} from four senders to one receiver.
Workload
E6()
{
    return MakeWorkload(
        6,
        {MakeCoflow(1, {{0, 4, 1}, {1, 4, 3}}), MakeCoflow(2, {{2, 4, 2}, {3, 4, 4}})});
}

/// E9: Baraat. 10, 2 and 2 on one link, in this order.
Workload
E9()
{
    return MakeWorkload(
        2,
        {MakeCoflow(1, {{0, 1, 10}}), MakeCoflow(2, {{0, 1, 2}}), MakeCoflow(3, {{0, 1, 2}})});
}

/// What senders 0, 1 and 2, who want 4, 2 and 1, agree on with their receivers.
std::vector<double>
Agreed(const std::vector<std::pair<HostId, HostId>>& flows)
{
    std::vector<HostId> src;
    std::vector<HostId> dst;
    for (const auto& [from, to] : flows)
    {
        src.push_back(from);
        dst.push_back(to);
    }
    const std::vector<FlowId> ids(flows.size());
    CoflowRow row;
    row.end = static_cast<std::uint32_t>(flows.size());
    PortIndex index;
    index.Update({0, std::span(&row, 1), src, dst, ids, {}}, 5);
    return Dcas::Negotiate(index.Of(0), std::vector<double>{4, 2, 1});
}

void
ExpectNear(const Times& values, const Times& expected)
{
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        EXPECT_NEAR(values[i], expected[i], 1e-6) << i;
    }
}

} // namespace

TEST(Dcas, E6)
{
    const FluidResult fair = RunUnits(E6(), "fair");
    ExpectNear(Ccts(fair), {9, 10});
    EXPECT_EQ(fair.FlowFinish(0, 0), 4 * UNIT);
    EXPECT_EQ(fair.FlowFinish(1, 0), 7 * UNIT);
    ExpectNear(Ccts(RunUnits(E6(), "pfabric")), {6, 10});
    ExpectNear(Ccts(RunUnits(E6(), "dcas", {"threshold=0"})), {4, 10});
}

TEST(Dcas, E6Negotiation)
{
    // Figure 2: receiver 3 hears 4 and 2, receiver 4 hears 4, 2 and 1.
    EXPECT_EQ(Agreed({{0, 3}, {1, 3}, {0, 4}, {1, 4}, {2, 4}}), (std::vector<double>{4, 4, 4}));
    // The chain: the maximum spreads one hop only.
    EXPECT_EQ(Agreed({{0, 3}, {1, 3}, {1, 4}, {2, 4}}), (std::vector<double>{4, 4, 2}));
}

TEST(Dcas, AgreesInEveryRound)
{
    // At sender 1, C2 comes with 5 and goes before C1's 6.5. In the round at 4 its receiver has
    // heard of 8 from sender 0, and C1 goes on with 5.5 left. From 9.5 both senders of C2 share.
    const Workload workload =
        MakeWorkload(5, {MakeCoflow(1, {{1, 4, 6.5}}), MakeCoflow(2, {{0, 3, 8}, {1, 3, 5}}, 1)});
    ExpectNear(
        Ccts(RunUnits(workload, "dcas", {"threshold=0", "delta=0.4", "T=100", "coalesce=0"})),
        {9.5, 13});
}

TEST(Dcas, SmallSubcoflowsGoFirstByArrival)
{
    // Both arrive at 1 while the large one runs; they are small and go in their order.
    const Workload workload = MakeWorkload(2,
                                           {MakeCoflow(1, {{0, 1, 10}}),
                                            MakeCoflow(2, {{0, 1, 2}}, 1),
                                            MakeCoflow(3, {{0, 1, 1}}, 1)});
    const std::string threshold = std::to_string(3 * UNIT_BYTES);
    ExpectNear(Ccts(RunUnits(workload, "dcas", {"threshold=" + threshold})), {13, 2, 3});
    // Negotiated, the smaller goes before.
    ExpectNear(Ccts(RunUnits(workload, "dcas", {"threshold=0"})), {13, 3, 1});
}

TEST(Dcas, WhoHadNoServiceForTGoesFirst)
{
    std::vector<Coflow> coflows{MakeCoflow(1, {{0, 1, 8}})};
    for (int c = 0; c < 40; ++c)
    {
        coflows.push_back(MakeCoflow(2 + c, {{0, 2, 2}}, 2 * c));
    }
    const Workload workload = MakeWorkload(3, coflows);
    const auto finish = [&](const std::string& patience) {
        return Ccts(RunUnits(workload, "dcas", {"threshold=0", "T=" + patience}))[0];
    };
    EXPECT_NEAR(finish("100"), 88, 1e-6);
    EXPECT_LT(finish("0.5"), 80);
}

namespace
{

/// Rounds of D-CAS on a coflow whose slowest sender 0 wants 8 units and gets none of them. Its
/// sender 1 wants 2.5 and something less in every round; it shares its port with C2, which wants 5.
/// Receiver 3 hears of both senders of C1.
class Round
{
  public:
    explicit Round(const std::vector<std::string>& parameters)
        : m_policy(MakePolicy("dcas", parameters)),
          m_first(MakeCoflow(1, {{0, 3, 8}, {1, 3, 0.5}, {1, 5, 2}})),
          m_second(MakeCoflow(2, {{1, 4, 5}}))
    {
        m_table.Add(m_first, 0, 0);
        m_table.Add(m_second, 1, 0);
    }

    /// @param time in units, a round
    /// @param atZero bytes left at sender 0, in units
    /// @return the coflow that has the port of sender 1
    int OwnerAt(int time, double atZero = 8)
    {
        m_table.Remaining(0)[0] = atZero * UNIT_BYTES;
        // Both coflows have some service at sender 1, so that neither starves there.
        m_table.Remaining(0)[2] -= 0.01 * UNIT_BYTES;
        m_table.Remaining(1)[0] -= 0.01 * UNIT_BYTES;
        ++m_table.Rows()[0].sent;
        ++m_table.Rows()[1].sent;
        std::vector<double> rates(4, 0.0);
        const auto ports = PortRates::Uniform(6, PORT_RATE);
        if (!m_policy->Decide(m_table, time * UNIT, ports, rates).unchanged)
        {
            m_owner = rates[3] > 0 ? 2 : 1;
        }
        return m_owner;
    }

  private:
    std::unique_ptr<Policy> m_policy;
    Coflow m_first;
    Coflow m_second;
    FlowTable m_table;
    int m_owner{0};
};

} // namespace

TEST(Dcas, WhoStarvesIsCountedUntilItsAnnouncementExpires)
{
    // Sender 0 announces 8 at 0, 1 and 2; from 3 on it has had no service for more than 2. Receiver
    // 3 remembers for 3 units, so until 5, that the coflow wants 8, and C2 goes first.
    Round round({"threshold=0", "delta=0.1", "T=0.2", "expiry=0.3", "coalesce=0"});
    for (int time = 0; time <= 5; ++time)
    {
        EXPECT_EQ(round.OwnerAt(time), 2) << time;
    }
    EXPECT_EQ(round.OwnerAt(6), 1) << "2.4 is all that it has heard of";
    EXPECT_EQ(round.OwnerAt(7), 1);
}

TEST(Dcas, WhoStarvedFromItsFirstRoundIsNeverCounted)
{
    // What it put at 0 waits for longer than T before the first round that it could announce in.
    Round round({"threshold=0", "delta=0.3", "T=0.2", "expiry=100", "coalesce=0"});
    EXPECT_EQ(round.OwnerAt(1), 1) << "before a round all go by themselves";
    EXPECT_EQ(round.OwnerAt(6), 1) << "the announcement of 8 was never made";
}

TEST(Dcas, WhoIsSmallDoesNotAnnounce)
{
    // The threshold is 2: sender 0 announces 8 at 0, and has 1 left from 1 on.
    const std::string threshold = "threshold=" + std::to_string(2 * UNIT_BYTES);
    Round round({threshold, "delta=0.1", "T=100", "expiry=0.3", "coalesce=0"});
    EXPECT_EQ(round.OwnerAt(0), 2);
    EXPECT_EQ(round.OwnerAt(1, 1), 2);
    EXPECT_EQ(round.OwnerAt(3, 1), 2) << "the announcement of 0 is remembered";
    EXPECT_EQ(round.OwnerAt(4, 1), 1);
    EXPECT_EQ(round.OwnerAt(5, 1), 1);
}

TEST(Dcas, RoundsThatChangeNothingLeaveRates)
{
    FlowTable table;
    const Coflow first = MakeCoflow(1, {{0, 2, 4}, {1, 2, 3}});
    const Coflow second = MakeCoflow(2, {{0, 3, 2}});
    table.Add(first, 0, 0);
    table.Add(second, 1, 0);
    const auto policy = MakePolicy("dcas", {"threshold=0", "delta=0.1", "T=100"});
    const PortRates capacity = PortRates::Uniform(4, PORT_RATE);
    std::vector<double> rates(3);
    const auto unchanged = [&](Nanoseconds now, const PortRates& ports) {
        std::fill(rates.begin(), rates.end(), 0.0);
        return policy->Decide(table, now, ports, rates).unchanged;
    };
    const std::vector<double> none(3, 0.0);
    EXPECT_FALSE(unchanged(0, capacity));
    EXPECT_EQ(rates, (std::vector<double>{0, PORT_RATE, PORT_RATE}));
    // The second round has the same order, and so have those that follow.
    EXPECT_TRUE(unchanged(UNIT, capacity));
    EXPECT_EQ(rates, none);
    EXPECT_TRUE(unchanged(2 * UNIT, capacity));
    // Other ports, another order, and a flow less each change what is right.
    EXPECT_FALSE(unchanged(3 * UNIT, PortRates::Uniform(4, PORT_RATE / 2)));
    EXPECT_FALSE(unchanged(4 * UNIT, capacity));
    table.Remaining(1)[0] = 9 * UNIT_BYTES;
    table.Rows()[1].sent = 1;
    EXPECT_FALSE(unchanged(5 * UNIT, capacity));
    EXPECT_EQ(rates, std::vector<double>(3, PORT_RATE / 2));
    table.RemoveFinished(0, std::vector<std::uint32_t>{1});
    EXPECT_FALSE(unchanged(6 * UNIT, capacity));
}

TEST(Baraat, E9)
{
    const std::string heavy = std::to_string(4 * UNIT_BYTES);
    ExpectNear(Ccts(RunUnits(E9(), "baraat", {"heavyBytes=" + heavy, "coalesce=0"})), {14, 8, 12});
    ExpectNear(Ccts(RunUnits(E9(), "baraat", {"heavyBytes=1e15"})), {10, 12, 14});
    ExpectNear(Ccts(RunUnits(E9(), "fair")), {14, 6, 6});
}

TEST(Baraat, SharesWithAHeavyTaskFromAnotherSender)
{
    // The first task runs alone until it is heavy at 4; the second then has half of the receiver
    // although it is alone at its sender, and ends at 8.
    const Workload workload =
        MakeWorkload(4, {MakeCoflow(1, {{0, 2, 10}}), MakeCoflow(2, {{1, 2, 2}})});
    const std::string heavy = std::to_string(4 * UNIT_BYTES);
    ExpectNear(Ccts(RunUnits(workload, "baraat", {"heavyBytes=" + heavy})), {12, 8});
}

TEST(Baraat, LaterTasksGetWhatIsLeft)
{
    // The first task can use only half of port 0, for its other port is shared.
    const Workload workload =
        MakeWorkload(6, {MakeCoflow(1, {{0, 2, 2}, {1, 2, 2}}), MakeCoflow(2, {{0, 3, 2}})});
    ExpectNear(Ccts(RunUnits(workload, "baraat")), {4, 4});
}
