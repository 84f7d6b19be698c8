/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A coordinator's choice of paths by what it has granted.

#include "fluid-test-util.h"
#include "leaf-spine-paths.h"

#include "ns3/coflow-path-chooser.h"

#include <gtest/gtest.h>

using namespace coflow;
using namespace coflow::test;

namespace
{

/// Flows from the two hosts of leaf 0 to those of leaf 1, over two spines whose links have rate 10.
struct TwoSpines
{
    LeafSpinePaths paths{2, 2, 2, 10};
    FlowTable table;

    explicit TwoSpines(std::initializer_list<UnitFlow> flows)
    {
        table.Add(MakeCoflow(1, flows), 0, 0);
    }

    std::vector<PathNumber> Choose(PathChooser& chooser, std::vector<double> rates)
    {
        chooser.Choose(table, rates);
        return {table.Paths().begin(), table.Paths().end()};
    }
};

} // namespace

TEST(PathChooser, TakesTheLeastLoadedPathAtAFlowsFirstRate)
{
    TwoSpines net({{0, 2, 1}, {1, 3, 1}, {0, 3, 1}, {0, 1, 1}});
    PathChooser chooser(net.paths, PathChoice::START);
    EXPECT_EQ(net.Choose(chooser, {6, 0, 0, 0}), (std::vector<PathNumber>{1, 0, 0, 0}));
    EXPECT_EQ(net.Choose(chooser, {6, 6, 0, 5}), (std::vector<PathNumber>{1, 2, 0, 0}))
        << "there is nothing to choose within a leaf";
    // The first has no rate any more, and its path is free, though it keeps it.
    EXPECT_EQ(net.Choose(chooser, {0, 6, 4, 0}), (std::vector<PathNumber>{1, 2, 1, 0}));
    EXPECT_EQ(net.Choose(chooser, {9, 6, 4, 0}), (std::vector<PathNumber>{1, 2, 1, 0}))
        << "nothing moves";
    EXPECT_EQ(chooser.GetMoves(), 0U);
}

TEST(PathChooser, MovesFlowsFromLinksThatWerePromisedTooMuch)
{
    TwoSpines net({{0, 2, 1}, {1, 3, 1}, {0, 3, 1}});
    PathChooser chooser(net.paths, PathChoice::MOVE);
    EXPECT_EQ(net.Choose(chooser, {6, 6, 4}), (std::vector<PathNumber>{1, 2, 1}));
    // 13 over a link of 10, and 2 over the other: the first one leaves, which makes 4 and 11, and
    // so does the second, which makes 6 and 9.
    EXPECT_EQ(net.Choose(chooser, {9, 2, 4}), (std::vector<PathNumber>{2, 1, 1}));
    EXPECT_EQ(chooser.GetMoves(), 2U);
    EXPECT_EQ(net.Choose(chooser, {9, 2, 4}), (std::vector<PathNumber>{2, 1, 1}));
    EXPECT_EQ(chooser.GetMoves(), 2U);
}

TEST(PathChooser, CountsALinkAsFullAtItsShare)
{
    TwoSpines net({{0, 2, 1}, {1, 3, 1}});
    PathChooser chooser(net.paths, PathChoice::MOVE, 0.5);
    EXPECT_EQ(net.Choose(chooser, {4, 0}), (std::vector<PathNumber>{1, 0}));
    EXPECT_EQ(net.Choose(chooser, {4, 4}), (std::vector<PathNumber>{1, 2}));
    net.table.Paths()[1] = 1; // as if it had been so when rates were lower
    EXPECT_EQ(net.Choose(chooser, {4, 4}), (std::vector<PathNumber>{2, 1})) << "8 of 5";
}

TEST(PathChooser, PathsStayWithTheirFlowsInTheTable)
{
    TwoSpines net({{0, 2, 1}, {1, 3, 1}, {0, 3, 1}});
    net.table.Paths()[1] = 2;
    net.table.Paths()[2] = 1;
    net.table.RemoveFinished(0, std::vector<std::uint32_t>{0});
    net.table.RemoveEmpty();
    const CoflowRow& row = net.table.Rows()[0];
    ASSERT_EQ(row.Count(), 2U);
    EXPECT_EQ(net.table.Paths()[row.begin], 2U);
    EXPECT_EQ(net.table.Paths()[row.begin + 1], 1U);
    const TableFlow more{7, 0, 2, 10, 10};
    net.table.Append(0, net.table.Sizes()[0], std::span(&more, 1));
    const CoflowRow& grown = net.table.Rows()[0];
    EXPECT_EQ(net.table.Paths()[grown.begin], 2U);
    EXPECT_EQ(net.table.Paths()[grown.begin + 2], NO_PATH);
}
