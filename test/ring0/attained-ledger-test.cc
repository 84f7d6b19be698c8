/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a coordinator that only adds up knows.

#include "ns3/coflow-attained-ledger.h"

#include <gtest/gtest.h>
#include <vector>

using namespace coflow;

namespace
{

std::vector<CoflowId>
Rows(AttainedLedger& ledger)
{
    std::vector<CoflowId> ids;
    for (const CoflowRow& row : ledger.View(0).coflows)
    {
        ids.push_back(row.id);
    }
    return ids;
}

CoflowOrder
Register(AttainedLedger& ledger,
         CoflowId id,
         const std::vector<CoflowId>& parents = {},
         Nanoseconds now = 0)
{
    return ledger.Register(id, parents, {}, now);
}

} // namespace

TEST(AttainedLedger, NumbersCoflowsOfADagBehindEachOther)
{
    // Aalo's figure of a DAG: 1 -> 2, 1 -> 3, {2, 3} -> 5; 4 is another job. There 2 and 3 have the
    // same number; here the one that came first goes first, even if it has the larger id.
    AttainedLedger ledger(true, 0);
    EXPECT_EQ(Register(ledger, 1), CoflowOrder(1, 0));
    EXPECT_EQ(Register(ledger, 4), CoflowOrder(2, 0));
    EXPECT_EQ(Register(ledger, 3, {1}), CoflowOrder(1, 1));
    EXPECT_EQ(Register(ledger, 2, {1}), CoflowOrder(1, 2));
    EXPECT_EQ(Register(ledger, 5, {3, 2}), CoflowOrder(1, 3));
    EXPECT_EQ(Register(ledger, 6), CoflowOrder(3, 0));
    EXPECT_EQ(Register(ledger, 2, {1}), CoflowOrder(1, 2)); // as before
    // A parent of which nobody has heard is none.
    EXPECT_EQ(Register(ledger, 7, {99}), CoflowOrder(4, 0));
    for (const CoflowId id : {6, 5, 4, 3, 2, 1})
    {
        ledger.Report(0, id, 0, {1}, 0);
    }
    EXPECT_EQ(Rows(ledger), (std::vector<CoflowId>{1, 3, 2, 5, 4, 6}));
    EXPECT_EQ(ledger.OrderOf(5).External(), 1U);
    EXPECT_EQ(ledger.OrderOf(5).Internal(), 3U);
    EXPECT_LT(CoflowOrder(7, 65535), CoflowOrder(8, 0));
    EXPECT_LT(CoflowOrder(8, 0), CoflowOrder::Provisional(0));
    EXPECT_FALSE(CoflowOrder().IsNumbered());
}

TEST(AttainedLedger, LongDagsKeepTheirPlace)
{
    AttainedLedger ledger(true, 0);
    Register(ledger, 0);
    for (CoflowId id = 1; id < 66'000; ++id)
    {
        Register(ledger, id, {id - 1});
    }
    EXPECT_EQ(ledger.OrderOf(65'999), CoflowOrder(1, CoflowOrder::MOST_INTERNAL));
    EXPECT_LT(ledger.OrderOf(65'999), Register(ledger, 66'000));
}

TEST(AttainedLedger, AddsUpWhatHostsHaveToldAndForgetsNothing)
{
    AttainedLedger ledger(true, 0);
    Register(ledger, 1);
    ledger.Report(0, 1, 100, {5, 6}, 0);
    ledger.Report(1, 1, 50, {5}, 0);
    EXPECT_EQ(ledger.SentOf(1), 150U);
    EXPECT_EQ(ledger.SentBy(0, 1), 100U);
    // Host 0 is through with its part; what it has sent counts all the same.
    ledger.Report(0, 1, 200, {}, 0);
    ledger.Report(1, 1, 60, {5}, 0);
    EXPECT_EQ(ledger.SentOf(1), 260U);
    // An old report that comes late, and a host that has begun anew.
    ledger.Report(0, 1, 10, {}, 0);
    EXPECT_EQ(ledger.SentOf(1), 260U);
    ledger.DropHost(1);
    EXPECT_EQ(ledger.SentOf(1), 260U);
    EXPECT_TRUE(Rows(ledger).empty());
    EXPECT_EQ(ledger.SentOf(2), 0U);
    EXPECT_EQ(ledger.SentBy(3, 1), 0U);
}

TEST(AttainedLedger, CountsAWholeDagOrEachCoflow)
{
    for (const bool dag : {true, false})
    {
        AttainedLedger ledger(dag, 0);
        Register(ledger, 1);
        Register(ledger, 2);
        ledger.Report(0, 1, 100, {1}, 0);
        ledger.Report(0, 1, 120, {}, 0);
        ledger.Close(1);
        Register(ledger, 3, {1});
        ledger.Report(0, 2, 7, {1}, 0);
        ledger.Report(0, 3, 5, {1}, 0);
        EXPECT_EQ(ledger.SentOf(3), dag ? 125U : 5U);
        EXPECT_EQ(ledger.SentOf(2), 7U);
        const auto view = ledger.View(9);
        EXPECT_EQ(view.now, 9);
        ASSERT_EQ(view.coflows.size(), 2U);
        EXPECT_EQ(view.coflows[0].id, 3U);
        EXPECT_EQ(view.coflows[0].sent, dag ? 125 : 5);
        EXPECT_EQ(view.coflows[1].id, 2U);
    }
}

TEST(AttainedLedger, ViewsHaveAFlowForEverySenderAndReceiver)
{
    AttainedLedger ledger(true, 0);
    Register(ledger, 8, {}, 3);
    Register(ledger, 9, {}, 4);
    ledger.Report(2, 8, 1, {0, 7}, 5);
    ledger.Report(1, 8, 1, {7}, 5);
    ledger.Report(1, 9, 1, {3}, 5);
    auto view = ledger.View(6);
    ASSERT_EQ(view.coflows.size(), 2U);
    EXPECT_EQ(std::vector<HostId>(view.src.begin(), view.src.end()),
              (std::vector<HostId>{1, 2, 2, 1}));
    EXPECT_EQ(std::vector<HostId>(view.dst.begin(), view.dst.end()),
              (std::vector<HostId>{7, 0, 7, 3}));
    EXPECT_EQ(view.coflows[0].Count(), 3U);
    EXPECT_EQ(view.coflows[0].ready, 3);
    EXPECT_EQ(view.coflows[1].ready, 4);
    EXPECT_EQ(view.flow[3], 0U);
    // Bytes alone do not change what there is.
    auto revision = ledger.Revision();
    const auto flows = view.coflows[0].revision;
    ledger.Report(2, 8, 2, {0, 7}, 6);
    EXPECT_EQ(ledger.Revision(), revision);
    EXPECT_EQ(ledger.View(7).coflows[0].sent, 3);
    ledger.Report(2, 8, 2, {0}, 7);
    EXPECT_NE(ledger.Revision(), revision);
    EXPECT_EQ(ledger.View(8).coflows[0].Count(), 2U);
    EXPECT_NE(ledger.View(8).coflows[0].revision, flows);
    revision = ledger.Revision();
    ledger.Close(8);
    EXPECT_NE(ledger.Revision(), revision);
    EXPECT_EQ(Rows(ledger), std::vector<CoflowId>{9});
    // What comes late does not bring it back.
    ledger.Report(2, 8, 3, {0}, 9);
    ledger.Close(8);
    ledger.Close(77);
    EXPECT_EQ(Rows(ledger), std::vector<CoflowId>{9});
}

TEST(AttainedLedger, KeepsThePlacesThatAnotherHasGiven)
{
    // A coordinator is back and hears of coflows that its predecessor has numbered.
    AttainedLedger ledger(true, std::uint64_t{2} << 32);
    ledger.Report(0, 5, 40, {1}, 10);
    ledger.Report(0, 6, 50, {1}, 11);
    EXPECT_FALSE(ledger.OrderOf(5).IsNumbered());
    EXPECT_EQ(Rows(ledger), (std::vector<CoflowId>{5, 6}));
    EXPECT_EQ(ledger.Register(6, {}, CoflowOrder(3, 0), 12), CoflowOrder(3, 0));
    EXPECT_EQ(Rows(ledger), (std::vector<CoflowId>{6, 5}));
    EXPECT_EQ(ledger.SentOf(6), 50U);
    // One that was never numbered comes behind.
    const auto late = ledger.Register(5, {}, CoflowOrder::Provisional(9), 13);
    EXPECT_EQ(late, CoflowOrder((std::uint64_t{2} << 32) + 1, 0));
    EXPECT_EQ(ledger.SentOf(5), 40U);
    ledger.Report(0, 5, 60, {1}, 14);
    EXPECT_EQ(ledger.SentOf(5), 60U);
}
