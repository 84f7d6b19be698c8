/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-record.h"
#include "ns3/coflow-summary.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace coflow;

namespace
{

constexpr Nanoseconds SECOND = 1'000'000'000;

/// Two coflows on three hosts: 10 and 20 bytes out of host 0 plus a local flow; 100 bytes
/// from 1 to 2 with a deadline of 2 s.
Workload
TwoCoflows()
{
    Workload workload;
    workload.hosts = 3;
    workload.coflows.push_back({7, 0, {}, {{0, 0, 1, 10}, {1, 0, 2, 20}, {2, 1, 1, 5}}, {}});
    workload.coflows.push_back({8, SECOND, 2 * SECOND, {{0, 1, 2, 100}}, {}});
    return workload;
}

} // namespace

TEST(CoflowRecord, HoldsWhatIsKnownBeforeARun)
{
    const auto records = MakeCoflowRecords(TwoCoflows(), PortRates::Uniform(3, 10));
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].shape.size, 35);
    EXPECT_EQ(records[0].fabricBytes, 30);
    EXPECT_EQ(records[0].minCct, 3 * SECOND);
    EXPECT_FALSE(records[0].IsFinished());
    EXPECT_FALSE(records[0].Slowdown());
    EXPECT_FALSE(records[0].MetDeadline());
    EXPECT_EQ(records[1].MetDeadline(), false) << "not finished is not in time";
}

TEST(CoflowRecord, CsvLeavesEmptyWhatIsUnknown)
{
    auto records = MakeCoflowRecords(TwoCoflows(), PortRates::Uniform(3, 10));
    records[0].finish = 6 * SECOND;
    records[0].bypassed = true;
    records[0].unloadedCct = 4 * SECOND;
    EXPECT_EQ(
        ToCsv(records),
        "coflow_id,arrival_s,finish_s,cct_s,min_cct_s,slowdown,unloaded_cct_s,"
        "unloaded_slowdown,bytes,flows,senders,receivers,length_bytes,bin,deadline_s,admitted,met_"
        "deadline,bypassed\n"
        "7,0.000000000,6.000000000,6.000000000,3.000000000,2,4.000000000,1.5,35,3,2,2,20,SN,,1,,1\n"
        "8,1.000000000,,,10.000000000,,,,100,1,1,1,100,SN,2.000000000,1,0,0\n");
}

TEST(FlowRecord, CsvHasTimesOnlyWhereTheyAreKnown)
{
    std::vector<FlowRecord> flows{{7, {0, 0, 1, 10}, SECOND, 3 * SECOND, 4}, {7, {1, 0, 2, 20}}};
    EXPECT_EQ(ToCsv(flows),
              "coflow_id,flow_id,src,dst,bytes,start_s,finish_s,fct_s,retransmits\n"
              "7,0,0,1,10,1.000000000,3.000000000,2.000000000,4\n"
              "7,1,0,2,20,,,,0\n");
}

TEST(Distribution, InterpolatesBetweenRanks)
{
    const auto d = Distribution::Of({4, 1, 3, 2});
    EXPECT_EQ(d.count, 4U);
    EXPECT_DOUBLE_EQ(d.mean, 2.5);
    EXPECT_DOUBLE_EQ(d.median, 2.5);
    EXPECT_DOUBLE_EQ(d.p95, 3.85);
    EXPECT_DOUBLE_EQ(d.max, 4);
    EXPECT_EQ(Distribution::Of({}).count, 0U);
}

TEST(RunSummary, CountsUnfinishedAndRejectedApart)
{
    const auto rates = PortRates::Uniform(3, 10);
    auto records = MakeCoflowRecords(TwoCoflows(), rates);
    records[0].finish = 6 * SECOND;
    auto summary = RunSummary::Of(records, rates);
    EXPECT_EQ(summary.finished, 1U);
    EXPECT_EQ(summary.unfinished, std::vector<CoflowId>{8});
    EXPECT_DOUBLE_EQ(summary.cct.mean, 6);
    EXPECT_DOUBLE_EQ(summary.slowdown.mean, 2);
    EXPECT_DOUBLE_EQ(summary.boundMeanCctSeconds, 3);
    EXPECT_DOUBLE_EQ(summary.makespanSeconds, 6);
    EXPECT_TRUE(std::isnan(summary.utilisation)) << "nobody knows what coflow 8 has sent";
    EXPECT_EQ(summary.cctOfBin[0].count, 1U);
    EXPECT_EQ(summary.withDeadline, 1U);
    EXPECT_EQ(summary.metDeadline, 0U);

    records[1].admitted = false;
    summary = RunSummary::Of(records, rates);
    EXPECT_EQ(summary.rejected, 1U);
    EXPECT_TRUE(summary.unfinished.empty());
    EXPECT_DOUBLE_EQ(summary.utilisation, 30.0 / (3 * 10 * 6));
}

TEST(RunSummary, TellsFractionsAdmittedAndInTimeAndWhoBypassed)
{
    const auto rates = PortRates::Uniform(3, 100);
    auto records = MakeCoflowRecords(TwoCoflows(), rates);
    records[0].finish = SECOND;
    records[0].bypassed = true;
    records[1].admitted = false;
    const auto summary = RunSummary::Of(records, rates);
    EXPECT_EQ(summary.bypassed, 1U);
    const auto json = summary.ToJson().ToString();
    for (const char* part : {"\"bypassed\": 1",
                             "\"admitted_fraction\": 0.5",
                             "\"met_deadline_fraction\": 0",
                             "\"progress_disparity\": null"})
    {
        EXPECT_NE(json.find(part), std::string::npos) << part << " in " << json;
    }
}

TEST(RunSummary, DeadlinesAreMetToTheNanosecond)
{
    const auto rates = PortRates::Uniform(3, 100);
    auto records = MakeCoflowRecords(TwoCoflows(), rates);
    records[1].finish = 3 * SECOND;
    EXPECT_EQ(RunSummary::Of(records, rates).metDeadline, 1U);
    EXPECT_EQ(RunSummary::Of(records, rates).nearlyMetDeadline, 1U);
    records[1].finish += 1;
    EXPECT_EQ(RunSummary::Of(records, rates).metDeadline, 0U);
}

TEST(RunSummary, TellsDeadlinesThatAreMissedByLittle)
{
    // The deadline is 2 s after 1 s; 3 % of it are 60 ms.
    const auto rates = PortRates::Uniform(3, 100);
    auto records = MakeCoflowRecords(TwoCoflows(), rates);
    records[1].finish = 3 * SECOND + 60'000'000;
    auto summary = RunSummary::Of(records, rates);
    EXPECT_EQ(summary.metDeadline, 0U);
    EXPECT_EQ(summary.nearlyMetDeadline, 1U);
    EXPECT_NE(summary.ToJson().ToString().find("\"met_deadline_within_tolerance\": 1"),
              std::string::npos);
    records[1].finish += 1;
    summary = RunSummary::Of(records, rates);
    EXPECT_EQ(summary.nearlyMetDeadline, 0U);
    records[1].finish = NEVER;
    EXPECT_EQ(RunSummary::Of(records, rates).nearlyMetDeadline, 0U);
}

TEST(OutOfSync, IsTheSpreadOfFlowsCountedFromTheArrival)
{
    const Workload workload = TwoCoflows();
    auto coflows = MakeCoflowRecords(workload, PortRates::Uniform(3, 10));
    std::vector<FlowRecord> flows;
    for (const auto& coflow : workload.coflows)
    {
        for (const auto& flow : coflow.flows)
        {
            flows.push_back({coflow.id, flow, coflow.arrival, NEVER, 0});
        }
    }
    EXPECT_EQ(OutOfSync(coflows, flows).count, 0U);
    // Flows 0 and 1 of the first one after 2 and 3 s, flow 2 at once; the other has one flow only.
    flows[0].finish = 2 * SECOND;
    flows[1].finish = 3 * SECOND;
    flows[2].finish = 0;
    flows[3].finish = 4 * SECOND;
    EXPECT_EQ(OutOfSync(coflows, flows).count, 0U); // it is not finished
    coflows[0].finish = 3 * SECOND;
    coflows[1].finish = 4 * SECOND;
    const auto spread = OutOfSync(coflows, flows);
    EXPECT_EQ(spread.count, 1U);
    EXPECT_DOUBLE_EQ(spread.median, 1.5);
}
