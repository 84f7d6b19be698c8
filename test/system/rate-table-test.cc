/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flows with rates, and what they have sent without packets.

#include "ns3/coflow-rate-table.h"
#include "ns3/coflow-source-connection.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// Writes down what it hears.
class Ear final : public RateTable::Listener
{
  public:
    void NotifyChanged(uint32_t row) override
    {
        changed.push_back(row);
    }

    bool EndsWithoutPackets(uint32_t) override
    {
        return true;
    }

    void NotifyEnded(uint32_t row) override
    {
        ended.push_back(row);
    }

    std::vector<uint32_t> changed;
    std::vector<uint32_t> ended;
};

std::unique_ptr<SourceFlow>
MakeFlow(::coflow::FlowId id)
{
    auto flow = std::make_unique<SourceFlow>();
    flow->key = {1, id};
    return flow;
}

} // namespace

TEST(RateTable, FlowsAdvanceByTheirRates)
{
    const auto table = Create<RateTable>();
    const auto one = MakeFlow(0);
    const auto other = MakeFlow(1);
    one->row.Enter(table, *one, 7);
    other->row.Enter(table, *other, 8);
    one->row.SetRate(8'000'000); // a byte in a microsecond
    other->row.SetRate(24'000'000);
    table->Advance(1'500);
    EXPECT_EQ(one->row.GetAdvanced(), 1U);
    EXPECT_EQ(other->row.GetAdvanced(), 4U) << "4.5 bytes";
    one->row.SetRate(0);
    table->Advance(500);
    EXPECT_EQ(one->row.GetAdvanced(), 1U);
    EXPECT_EQ(other->row.GetAdvanced(), 6U) << "fractions add up";
}

TEST(RateTable, ARowIsTakenAgainWhenBothEndsHaveLeft)
{
    const auto table = Create<RateTable>();
    auto first = MakeFlow(0);
    first->row.Enter(table, *first, 7);
    first->row.SetRate(8'000'000);
    table->Advance(1'000'000);
    // The table calls nothing of a sink's end, only knows its place.
    int place = 0;
    auto* sink = reinterpret_cast<SinkConnection*>(&place);
    const uint32_t row = table->Join({1, 0}, *sink);
    ASSERT_NE(row, RateTable::NONE);
    EXPECT_EQ(table->Join({1, 5}, *sink), RateTable::NONE) << "no source has the flow";
    first.reset();
    EXPECT_TRUE(table->IsEmpty());
    EXPECT_EQ(table->GetAdvanced(row), 1000U) << "the sink may still ask";
    auto second = MakeFlow(1);
    second->row.Enter(table, *second, 7);
    EXPECT_EQ(table->GetSize(), 2U);
    table->LeaveSink(row, *sink);
    auto third = MakeFlow(2);
    third->row.Enter(table, *third, 7);
    EXPECT_EQ(table->GetSize(), 2U);
    EXPECT_EQ(third->row.GetAdvanced(), 0U);
    EXPECT_EQ(table->Get(row).flows, 2U);
}

TEST(RateTable, AListenerHearsOfChangesAndEnds)
{
    const auto table = Create<RateTable>();
    Ear ear;
    auto flow = MakeFlow(0);
    flow->row.Enter(table, *flow, 7);
    flow->row.Touch();
    EXPECT_FALSE(flow->row.EndsWithoutPackets()) << "nothing hears";
    table->SetListener(&ear);
    flow->row.Touch();
    EXPECT_TRUE(flow->row.EndsWithoutPackets());
    flow.reset();
    EXPECT_EQ(ear.changed, std::vector<uint32_t>{0});
    EXPECT_EQ(ear.ended, std::vector<uint32_t>{0});
}

TEST(RateTable, AFlowWithoutATableSendsAllInPackets)
{
    const auto flow = MakeFlow(0);
    flow->row.SetRate(8'000'000);
    flow->row.Touch();
    EXPECT_EQ(flow->row.GetAdvanced(), 0U);
    EXPECT_FALSE(flow->row.EndsWithoutPackets());
}
