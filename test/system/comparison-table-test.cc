/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Comparisons: which coflows means are over, and what is said of a scheduler that did nothing.

#include "ns3/coflow-comparison-table.h"

#include <cmath>
#include <gtest/gtest.h>
#include <sstream>

using namespace ns3::coflow;

namespace
{

/// A row with the means of what a scheduler has finished, as ComparisonRow::Of makes it.
ComparisonRow
RowOf(const std::vector<ComparedCoflow>& coflows)
{
    ComparisonRow row;
    row.coflows = coflows.size();
    for (const auto& coflow : coflows)
    {
        row.finished += !std::isnan(coflow.cct);
        row.meanCct += std::isnan(coflow.cct) ? 0 : coflow.cct;
    }
    row.meanCct /= static_cast<double>(row.finished);
    row.p95Disparity = row.infiniteDisparity = std::nan("");
    return row;
}

std::vector<ComparisonRow>
Compare(const std::vector<std::vector<ComparedCoflow>>& all)
{
    std::vector<ComparisonRow> rows;
    std::vector<std::span<const ComparedCoflow>> spans;
    for (const auto& coflows : all)
    {
        rows.push_back(RowOf(coflows));
        spans.emplace_back(coflows);
    }
    MakeComparable(rows, spans, 0);
    return rows;
}

} // namespace

TEST(ComparisonTable, WhoLeavesOutWhatIsSlowDoesNotWin)
{
    // The second scheduler is slower on what it finishes, and does not finish the slow coflow.
    const double never = std::nan("");
    const auto rows = Compare({{{1, 1, 1, 0}, {2, 1, 2, 0}, {9, 1, 9, 2}},
                               {{2, 1, 2, 0}, {4, 1, 4, 0}, {never, 1, never, 2}}});
    EXPECT_DOUBLE_EQ(rows[0].meanCct, 1.5);
    EXPECT_DOUBLE_EQ(rows[1].meanCct, 3);
    EXPECT_DOUBLE_EQ(rows[1].speedUp, 0.5);
    EXPECT_DOUBLE_EQ(rows[1].normalisedCct, 2);
    EXPECT_DOUBLE_EQ(rows[0].meanSlowdown, 1.5);
    EXPECT_DOUBLE_EQ(rows[0].ratioToBound, 1.5);
    EXPECT_DOUBLE_EQ(rows[0].meanCctOfBin[0], 1.5);
    EXPECT_TRUE(std::isnan(rows[0].meanCctOfBin[2]));
    EXPECT_EQ(rows[0].compared, 2U);
    const auto text = FormatComparison({"fair", "vc"}, rows);
    EXPECT_NE(text.find("over the 2 coflows that all have finished"), std::string::npos) << text;
}

TEST(ComparisonTable, WhatAllHaveFinishedIsLeftAsItIs)
{
    auto rows = Compare({{{1, 1, 1, 0}, {3, 1, 3, 0}}, {{2, 1, 2, 0}, {2, 1, 2, 0}}});
    EXPECT_DOUBLE_EQ(rows[0].meanCct, 2);
    EXPECT_DOUBLE_EQ(rows[1].speedUp, 1);
    EXPECT_DOUBLE_EQ(rows[1].normalisedCct, (2 + 2.0 / 3) / 2);
    EXPECT_DOUBLE_EQ(rows[1].medianSpeedUp, 1);
    EXPECT_DOUBLE_EQ(rows[1].faster, 0.5);
    EXPECT_EQ(rows[1].compared, 2U);
    const auto text = FormatComparison({"fair", "varys"}, rows);
    EXPECT_EQ(text.find("have finished"), std::string::npos) << text;
}

TEST(ComparisonTable, ALineTellsWhatDefaultsWereScaledBy)
{
    auto rows = Compare({{{1, 1, 1, 0}}});
    EXPECT_EQ(FormatComparison({"fair"}, rows).find("scale"), std::string::npos);
    rows[0].workloadScale = rows[0].controlScale = 0.004;
    EXPECT_NE(FormatComparison({"fair"}, rows).find("sizes are scaled by 0.004, and so are"),
              std::string::npos);
    rows[0].controlScale = 1;
    EXPECT_NE(FormatComparison({"fair"}, rows)
                  .find("sizes are scaled by 0.004, defaults that scale by 1 (--scaleControl)"),
              std::string::npos);
}

TEST(ComparisonTable, EveryLineOfTheFileHasEveryColumn)
{
    const auto rows = Compare({{{1, 1, 1, 0}}, {{1, 1, 1, 0}}});
    std::istringstream lines(ToCsv({"fair", "varys"}, rows, 0));
    std::string header;
    std::getline(lines, header);
    EXPECT_TRUE(header.starts_with("scheduler,baseline,coflows,finished,")) << header;
    for (std::string line; std::getline(lines, line);)
    {
        EXPECT_EQ(std::count(line.begin(), line.end(), ','),
                  std::count(header.begin(), header.end(), ','));
    }
}
