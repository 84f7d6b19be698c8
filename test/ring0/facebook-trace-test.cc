/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coflow-expect-error.h"
#include "coflow-test-data.h"

#include "ns3/coflow-facebook-trace.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-trace-reader.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <sstream>

using namespace coflow;

namespace
{

Workload
Read(const std::string& text, const TraceOptions& options = {})
{
    std::istringstream in(text);
    return ReadFacebookTrace(in, "t.txt", options);
}

std::string
ErrorIn(const std::string& text)
{
    return test::ErrorOf([&] { Read(text); });
}

std::vector<Bytes>
Sizes(const Coflow& coflow)
{
    std::vector<Bytes> sizes;
    for (const Flow& flow : coflow.flows)
    {
        sizes.push_back(flow.bytes);
    }
    return sizes;
}

} // namespace

TEST(FacebookTrace, SplitsReducersOverMappersReducerByReducer)
{
    const Workload workload = Read("5 1\n7 1500 2 0 3 2 4:10 3:1\n");
    EXPECT_EQ(workload.hosts, 5U);
    ASSERT_EQ(workload.coflows.size(), 1U);
    const Coflow& coflow = workload.coflows[0];
    EXPECT_EQ(coflow.id, 7U);
    EXPECT_EQ(coflow.arrival, 1'500'000'000);
    EXPECT_FALSE(coflow.deadline);
    const std::vector<Flow> expected{{0, 0, 4, 5'000'000},
                                     {1, 3, 4, 5'000'000},
                                     {2, 0, 3, 500'000},
                                     {3, 3, 3, 500'000}};
    EXPECT_EQ(coflow.flows, expected);
    EXPECT_TRUE(coflow.flows[3].IsLocal());
    EXPECT_EQ(workload.history,
              std::vector<std::string>{"facebook-trace t.txt bytesPerMb=1000000"});
}

TEST(FacebookTrace, GivesTheRemainderToTheFirstMappers)
{
    // 1.000001 MB over three mappers: 1'000'001 = 3 * 333'333 + 2.
    const Workload workload = Read("4 1\n1 0 3 0 1 2 1 3:1.000001\n");
    EXPECT_EQ(Sizes(workload.coflows[0]), (std::vector<Bytes>{333'334, 333'334, 333'333}));
}

TEST(FacebookTrace, RoundsFractionsOfBytesToTheNearest)
{
    EXPECT_EQ(Sizes(Read("2 1\n1 0 1 0 3 1:1e-6 1:0.0000014 1:1.6E-6\n").coflows[0]),
              (std::vector<Bytes>{1, 1, 2}));
}

TEST(FacebookTrace, TakesMbAsMibOnDemand)
{
    TraceOptions options;
    options.bytesPerMb = 1 << 20;
    EXPECT_EQ(Sizes(Read("2 1\n1 0 1 0 2 1:2 1:0.5\n", options).coflows[0]),
              (std::vector<Bytes>{2'097'152, 524'288}));
}

TEST(FacebookTrace, RoundsUpToWholeMbPerFlowOnDemand)
{
    TraceOptions options;
    options.roundUpToWholeMb = true;
    // Two mappers: 3 MB become 2 + 2, 0.1 MB become 1 + 1, 4 MB stay 2 + 2, 0 MB become 1 + 1.
    EXPECT_EQ(Sizes(Read("4 1\n1 0 2 0 1 4 2:3 3:0.1 2:4 3:0\n", options).coflows[0]),
              (std::vector<Bytes>{2'000'000,
                                  2'000'000,
                                  1'000'000,
                                  1'000'000,
                                  2'000'000,
                                  2'000'000,
                                  1'000'000,
                                  1'000'000}));
}

TEST(FacebookTrace, AcceptsCrLfBlankLinesAtTheEndAndTabs)
{
    const Workload workload = Read("2 2\r\n1\t0 1 0  1 1:1\r\n2 0.000001 1 0 1 1:1 \r\n\r\n  \n");
    ASSERT_EQ(workload.coflows.size(), 2U);
    EXPECT_EQ(workload.coflows[1].arrival, 1);
}

TEST(FacebookTrace, SortsCoflowsThatArriveTogetherById)
{
    const Workload workload = Read("2 3\n5 0 1 0 1 1:1\n3 0 1 0 1 1:2\n4 1 1 0 1 1:3\n");
    std::vector<CoflowId> ids;
    for (const Coflow& coflow : workload.coflows)
    {
        ids.push_back(coflow.id);
    }
    EXPECT_EQ(ids, (std::vector<CoflowId>{3, 5, 4}));
}

TEST(FacebookTrace, TellsWhereAndWhatIsWrong)
{
    const std::map<std::string, std::string> expected{
        {"", "t.txt:1: file is ''; allowed: a first line with two numbers: ports and coflows"},
        {"\n \r\n",
         "t.txt:1: file is ''; allowed: a first line with two numbers: ports and coflows"},
        {"0 1\n", "t.txt:1: number of ports is '0'; allowed: a whole number from 1 to 10000000"},
        {"3\n", "t.txt:1: number of coflows is ''; allowed: a whole number from 0 to 4294967295"},
        {"3 0 x\n", "t.txt:1: after the last field is 'x'; allowed: the end of the line"},
        {"3 2\n1 0 1 0 1 1:1\n",
         "t.txt:2: end of file is '1 coflows'; allowed: 2 coflows, as line 1 says"},
        {"3 0\n1 0 1 0 1 1:1\n",
         "t.txt:2: line is '1 0 1 0 1 1:1'; allowed: the end of the file after 0 coflows, as line "
         "1 "
         "says"},
        {"3 1\n-1 0 1 0 1 1:1\n",
         "t.txt:2: coflow id is '-1'; allowed: a whole number from 0 to 18446744073709551615"},
        {"3 1\n\n1 0 1 0 1 1:1\n",
         "t.txt:2: coflow id is ''; allowed: a whole number from 0 to 18446744073709551615"},
        {"3 2\n1 0 1 0 1 1:1\n1 0 1 0 1 1:1\n",
         "t.txt:3: coflow id is '1'; allowed: an id that no line before has"},
        {"3 1\n1 -4 1 0 1 1:1\n",
         "t.txt:2: arrival is '-4'; allowed: milliseconds from 0 to 4000000000000, at most 6 "
         "decimals"},
        {"3 2\n1 20.5 1 0 1 1:1\n2 20 1 0 1 1:1\n",
         "t.txt:3: arrival is '20'; allowed: not before the arrival of the line before, 20.5 ms"},
        {"3 1\n1 0 0 1 1:1\n",
         "t.txt:2: number of mappers is '0'; allowed: a whole number from 1 to 4294967295"},
        {"3 1\n1 0 1 3 1 1:1\n", "t.txt:2: mapper is '3'; allowed: a port from 0 to 2"},
        {"3 1\n1 0 2 1", "t.txt:2: mapper is ''; allowed: a port from 0 to 2"},
        {"3 1\n1 0 1 0 0\n",
         "t.txt:2: number of reducers is '0'; allowed: a whole number from 1 to 4294967295"},
        {"3 1\n1 0 1 0 2 1:1\n", "t.txt:2: reducer is ''; allowed: PORT:MB"},
        {"3 1\n1 0 1 0 1 1\n", "t.txt:2: reducer is '1'; allowed: PORT:MB"},
        {"3 1\n1 0 1 0 1 9:1\n", "t.txt:2: reducer is '9'; allowed: a port from 0 to 2"},
    };
    for (const auto& [text, message] : expected)
    {
        EXPECT_EQ(ErrorIn(text), message) << text;
    }
    for (const std::string size :
         {"-1", "-0.0", "x", "", "1x", "nan", "inf", "4e12x", "4000000000001"})
    {
        EXPECT_EQ(ErrorIn("3 1\n1 0 1 0 1 1:" + size),
                  "t.txt:2: size of the reducer is '" + size +
                      "'; allowed: a number of MB >= 0, in all coflows together at most "
                      "4000000000000000000 bytes");
    }
}

TEST(FacebookTrace, ReadsALineWithAMillionFlows)
{
    std::string text = "1000 1\n1 0 1000";
    for (int i = 0; i < 1000; ++i)
    {
        text += ' ';
        text += std::to_string(i);
    }
    text += " 1000";
    for (int i = 0; i < 1000; ++i)
    {
        text += ' ';
        text += std::to_string(i);
        text += ":2.5";
    }
    const Workload workload = Read(text);
    const auto& flows = workload.coflows.at(0).flows;
    ASSERT_EQ(flows.size(), 1'000'000U);
    EXPECT_EQ(flows.back(), (Flow{999'999, 999, 999, 2500}));
}

TEST(TraceReader, RecognisesTheFormatAndTellsWhenAFileCannotBeRead)
{
    const std::string base = testing::TempDir() + "coflow-trace-reader-test";
    std::ofstream(base + ".txt") << "2 1\n1 0 1 0 1 1:1\n";
    std::ofstream(base + ".csv") << "# a comment\ncoflow_id,arrival_s,src,dst,bytes\n1,0,0,1,8\n";
    EXPECT_EQ(ReadTrace(base + ".txt").coflows.at(0).flows.at(0).bytes, 1'000'000);
    EXPECT_EQ(ReadTrace(base + ".csv").coflows.at(0).flows.at(0).bytes, 8);
    EXPECT_EQ(test::ErrorOf([] { ReadTrace("/nowhere/x"); }),
              "trace is '/nowhere/x', which cannot be read (No such file or directory); allowed: a "
              "file");
    EXPECT_EQ(test::ErrorOf([] { ReadTrace("/"); }), "trace is '/', a folder; allowed: a file");
    for (const std::string line : {"", "id,arrival", "1,0,0,1,8"})
    {
        std::ofstream(base + ".txt") << line << '\n';
        EXPECT_EQ(test::ErrorOf([&] { ReadTrace(base + ".txt"); }),
                  base + ".txt:1: first line is '" + line +
                      "'; allowed: PORTS COFLOWS, two numbers (the Facebook format), or "
                      "coflow_id,arrival_s,src,dst,bytes[,deadline_s][,parents][,weight] (flow "
                      "CSV)");
    }
}

/// What is published about the Facebook trace, and what others have measured on it.
class RealTrace : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto path = test::FacebookTrace();
        if (!path)
        {
            GTEST_SKIP() << "the Facebook trace is not here; COFLOW_BENCHMARK_TRACE can name it";
        }
        m_workload = ReadTrace(*path);
    }

    Workload m_workload;
};

TEST_F(RealTrace, HasThePublishedCountsAndBins)
{
    std::array<int, 4> coflows{};
    std::array<double, 4> bytes{};
    std::size_t flows = 0;
    std::size_t local = 0;
    std::size_t fewSenders = 0;
    for (const Coflow& coflow : m_workload.coflows)
    {
        const CoflowStatistics statistics = ComputeStatistics(coflow);
        const auto bin = static_cast<std::size_t>(statistics.bin);
        ++coflows[bin];
        bytes[bin] += static_cast<double>(statistics.size);
        flows += statistics.width;
        local += statistics.localFlows;
        fewSenders += statistics.senders < 10;
    }
    EXPECT_EQ(m_workload.hosts, 150U);
    EXPECT_EQ(m_workload.coflows.size(), 526U);
    EXPECT_EQ(flows, 706'397U);
    EXPECT_EQ(local, 4'911U);
    EXPECT_EQ(coflows, (std::array<int, 4>{309, 90, 59, 68}));
    const double all = std::accumulate(bytes.begin(), bytes.end(), 0.0);
    EXPECT_NEAR(all / 1e12, 35.5, 0.05);
    EXPECT_NEAR(100 * bytes[3] / all, 99.07, 0.005);
    EXPECT_NEAR(100.0 * static_cast<double>(fewSenders) / 526, 65.6, 0.05);
}

TEST_F(RealTrace, HasTheKnownPortLoads)
{
    const PortTotals totals = ComputePortTotals(m_workload);
    for (const HostId idle : {39, 110, 111})
    {
        EXPECT_EQ(totals.ingress[idle] + totals.egress[idle], 0);
    }
    const double span = static_cast<double>(m_workload.coflows.back().arrival) / 1e9;
    const auto worst = *std::max_element(totals.egress.begin(), totals.egress.end());
    EXPECT_NEAR(static_cast<double>(worst) / 125e6 / span, 0.97, 0.01);
}

TEST_F(RealTrace, HasTheGammaOfCoflowSimWhereLocalFlowsLoadPorts)
{
    // CoflowSim lets local flows pay both ports, and takes 8 ms per MB. To compare, move the
    // receivers to hosts of their own: then no flow is local.
    const PortRates rates = PortRates::Uniform(300, 125e6);
    double sumAlike = 0;
    double sumOurs = 0;
    for (Coflow coflow : m_workload.coflows)
    {
        const double ours = GammaSeconds(coflow, rates);
        for (Flow& flow : coflow.flows)
        {
            flow.dst += 150;
        }
        const double alike = GammaSeconds(coflow, rates);
        EXPECT_LE(ours, alike);
        if (coflow.id == 406)
        {
            EXPECT_NEAR(alike, 1857.16, 0.005);
        }
        sumAlike += alike;
        sumOurs += ours;
    }
    EXPECT_NEAR(sumAlike / 526, 14.72, 0.005);
    EXPECT_NEAR(sumOurs / 526, 14.63, 0.005);
}

TEST_F(RealTrace, IsNotChangedByRoundingUpToWholeMb)
{
    TraceOptions options;
    options.roundUpToWholeMb = true;
    EXPECT_EQ(ReadTrace(*test::FacebookTrace(), options).coflows, m_workload.coflows);
}
