/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coflow-expect-error.h"

#include "ns3/coflow-flow-csv.h"
#include "ns3/coflow-random.h"
#include "ns3/coflow-workload-check.h"

#include <gtest/gtest.h>
#include <map>
#include <sstream>

using namespace coflow;

namespace
{

const std::string HEADER = "coflow_id,arrival_s,src,dst,bytes";

Workload
Read(const std::string& text)
{
    std::istringstream in(text);
    return ReadFlowCsv(in, "t.csv");
}

std::string
Write(const Workload& workload)
{
    std::ostringstream out;
    WriteFlowCsv(out, workload);
    return out.str();
}

/// A valid workload with everything in it.
Workload
RandomWorkload(std::uint64_t seed)
{
    Random random(seed);
    Workload workload;
    workload.hosts = random.UniformInt<HostId>(1, 40);
    const int coflows = random.UniformInt(0, 12);
    for (int i = 0; i < coflows; ++i)
    {
        Coflow coflow;
        coflow.id = static_cast<CoflowId>(i) * 3 + 1;
        coflow.arrival = random.UniformInt<Nanoseconds>(0, 5) * 1'234'567'891;
        if (random.UniformInt(0, 1) == 1)
        {
            coflow.deadline = random.UniformInt<Nanoseconds>(1, MAX_TIME);
        }
        for (int j = 0; j < i; ++j)
        {
            if (random.UniformInt(0, 3) == 0)
            {
                coflow.parents.push_back(static_cast<CoflowId>(j) * 3 + 1);
            }
        }
        const FlowId flows = random.UniformInt<FlowId>(0, 5);
        for (FlowId f = 0; f < flows; ++f)
        {
            coflow.flows.push_back({f,
                                    random.UniformInt<HostId>(0, workload.hosts - 1),
                                    random.UniformInt<HostId>(0, workload.hosts - 1),
                                    random.UniformInt<Bytes>(0, 1'000'000'000'000)});
        }
        workload.coflows.push_back(std::move(coflow));
    }
    SortCoflows(workload);
    return workload;
}

} // namespace

TEST(FlowCsv, ReadsRowsAsFlowsOfCoflows)
{
    const Workload workload = Read("# hosts=9\n" + HEADER +
                                   ",deadline_s,parents\r\n"
                                   "4,0.000000001,3,1,70,2.5,\r\n"
                                   "4, 0.000000001 ,1,1,0,2.50,\r\n"
                                   "# a comment\r\n"
                                   "2,4000000000,0,8,1,,4\r\n"
                                   "7,4000000000,,,,,2; 4\r\n\r\n");
    EXPECT_EQ(workload.hosts, 9U);
    const std::vector<Coflow> expected{
        {4, 1, 2'500'000'000, {{0, 3, 1, 70}, {1, 1, 1, 0}}, {}},
        {2, MAX_TIME, std::nullopt, {{0, 0, 8, 1}}, {4}},
        {7, MAX_TIME, std::nullopt, {}, {2, 4}},
    };
    EXPECT_EQ(workload.coflows, expected);
}

TEST(FlowCsv, CountsHostsWhereNoCommentDoes)
{
    EXPECT_EQ(Read(HEADER + "\n1,0,2,0,5\n").hosts, 3U);
    EXPECT_EQ(Read(HEADER + "\n").hosts, 0U);
}

TEST(FlowCsv, AScaleIsReadAndWritten)
{
    const std::string rows = "coflow_id,arrival_s,src,dst,bytes\n1,0,0,1,1000\n";
    std::istringstream in("# hosts=2\n# scale=1/250\n" + rows);
    const Workload workload = ReadFlowCsv(in, "t.csv");
    EXPECT_EQ(workload.scale, 0.004);
    std::ostringstream out;
    WriteFlowCsv(out, workload);
    EXPECT_NE(out.str().find("# scale=0.004\n"), std::string::npos) << out.str();

    std::istringstream plain(rows);
    const Workload full = ReadFlowCsv(plain, "t.csv");
    EXPECT_EQ(full.scale, 1);
    std::ostringstream unscaled;
    WriteFlowCsv(unscaled, full);
    EXPECT_EQ(unscaled.str().find("scale"), std::string::npos);

    for (const std::string wrong : {"0", "-1", "x", "1/0", "inf", ""})
    {
        std::istringstream bad("# scale=" + wrong + "\n" + rows);
        EXPECT_EQ(test::ErrorOf([&bad] { ReadFlowCsv(bad, "t.csv"); }),
                  "t.csv:1: scale is '" + wrong +
                      "'; allowed: a number from 1e-18 to 1e18, such as 0.004 or 1/250");
    }
}

TEST(FlowCsv, KeepsParentsSeparatedBySpaces)
{
    const Workload workload = Read(HEADER + ",parents\n1,0,0,1,1,\n2,0,0,1,1,1\n3,0,0,1,1,2 1\n");
    EXPECT_EQ(workload.coflows.at(2).parents, (std::vector<CoflowId>{2, 1}));
}

TEST(FlowCsv, LetsAParentComeLater)
{
    EXPECT_EQ(Read(HEADER + ",parents\n1,0,0,1,1,2\n2,0,0,1,1,\n").coflows.at(0).parents,
              std::vector<CoflowId>{2});
}

TEST(FlowCsv, WritesWhatPeopleCanRead)
{
    Workload workload;
    workload.hosts = 4;
    workload.history = {"made\nby hand"};
    workload.coflows = {{1, 0, std::nullopt, {{0, 0, 3, 10}, {1, 2, 3, 20}}, {}},
                        {2, 1'500'000'000, 1'000'000, {{0, 1, 1, 0}}, {1}},
                        {3, 1'500'000'001, std::nullopt, {}, {1, 2}}};
    EXPECT_EQ(Write(workload),
              "# hosts=4\n"
              "# history=made by hand\n"
              "coflow_id,arrival_s,src,dst,bytes,deadline_s,parents\n"
              "1,0,0,3,10,,\n"
              "1,0,2,3,20,,\n"
              "2,1.5,1,1,0,0.001,1\n"
              "3,1.500000001,,,,,1;2\n");
    EXPECT_EQ(Read(Write(workload)).history,
              (std::vector<std::string>{"made by hand", "flow-csv t.csv"}));
}

TEST(FlowCsv, WeightsAreReadAndWrittenWhereThereAreAny)
{
    Workload workload;
    workload.hosts = 4;
    workload.coflows = {{1, 0, std::nullopt, {{0, 0, 3, 10}}, {}, 1000},
                        {2, 0, std::nullopt, {{0, 1, 3, 20}}, {1}, 1},
                        {3, 0, std::nullopt, {}, {}, 2}};
    EXPECT_EQ(Write(workload),
              "# hosts=4\n"
              "coflow_id,arrival_s,src,dst,bytes,parents,weight\n"
              "1,0,0,3,10,,1000\n"
              "2,0,1,3,20,1,1\n"
              "3,0,,,,,2\n");
    EXPECT_EQ(Read(Write(workload)).coflows, workload.coflows);
    const std::string header = "coflow_id,arrival_s,src,dst,bytes,weight\n";
    for (const std::string wrong : {"0", "1001", "-1", "1.5", ""})
    {
        try
        {
            Read(header + "1,0,0,1,5," + wrong + "\n");
            FAIL() << wrong;
        }
        catch (const InputError& error)
        {
            EXPECT_EQ(std::string(error.what()),
                      "t.csv:2: weight is '" + wrong + "'; allowed: a whole number from 1 to 1000");
        }
    }
    EXPECT_THROW(Read(header + "1,0,0,1,5,2\n1,0,0,1,5,3\n"), InputError);
}

TEST(FlowCsv, TellsWhereAndWhatIsWrong)
{
    const std::string times = "seconds from 0 to 4000000000, at most 9 decimals";
    // Text after the header, and the message after the file's name.
    const std::map<std::string, std::string> rows{
        {"x,0,0,1,1", "2: coflow_id is 'x'; allowed: a whole number from 0 to 2^64 - 1"},
        {"1", "2: arrival_s is ''; allowed: seconds"},
        {"1,0,0,1", "2: bytes is ''; allowed: a whole number"},
        {"1,0,0,1,5,", "2: after the last column is ''; allowed: the end of the line"},
        {"\n1,0,0,1,5", "2: coflow_id is ''; allowed: a whole number from 0 to 2^64 - 1"},
        {"1,-1,0,1,5", "2: arrival_s is '-1'; allowed: " + times},
        {"1,1e3,0,1,5", "2: arrival_s is '1e3'; allowed: " + times},
        {"1,0.0000000001,0,1,5", "2: arrival_s is '0.0000000001'; allowed: " + times},
        {"1,1.,0,1,5", "2: arrival_s is '1.'; allowed: " + times},
        {"1,4000000000.000000001,0,1,5",
         "2: arrival_s is '4000000000.000000001'; allowed: " + times},
        {"1,0,-1,1,5", "2: src is '-1'; allowed: a host from 0 to 9999999"},
        {"1,0,0,10000000,5", "2: dst is '10000000'; allowed: a host from 0 to 9999999"},
        {"1,0,,1,5", "2: src is ''; allowed: a host from 0 to 9999999"},
        {"1,0,0,1,-5",
         "2: bytes is '-5'; allowed: a whole number >= 0, in all flows together at most "
         "4000000000000000000"},
        {"1,0,0,1,3000000000000000000\n1,0,0,1,1000000000000000001",
         "3: bytes is '1000000000000000001'; allowed: a whole number >= 0, in all flows together "
         "at most 4000000000000000000"},
        {"1,1,0,1,5\n2,0.5,0,1,5",
         "3: arrival_s is '0.5'; allowed: not before the arrival of the coflow before, 1 s"},
        {"1,1,0,1,5\n1,2,0,1,5",
         "3: row of coflow is '1'; allowed: the same arrival, deadline, parents and attributes "
         "as in line 2"},
        {"1,1,0,1,5\n2,1,0,1,5\n1,1,0,1,5",
         "4: coflow_id is '1'; allowed: an id that no coflow before has; the rows of a coflow "
         "stand together (this one's begin in line 2)"},
        {"1,1,,,\n1,1,0,1,5",
         "3: coflow_id is '1'; allowed: another id, since the row before says that this coflow has "
         "no flow"},
        {"1,1,0,1,5\n1,1,,,", "3: src is ''; allowed: a host from 0 to 9999999"},
        {"1,1,0,1,5\n# hosts=3",
         "3: hosts is '3'; allowed: one such comment, before the first row"},
    };
    for (const auto& [text, message] : rows)
    {
        EXPECT_EQ(test::ErrorOf([&row = text] { Read(HEADER + "\n" + row); }), "t.csv:" + message)
            << text;
    }
    const auto allowed =
        "; allowed: the columns of flow CSV, " + HEADER + "[,deadline_s][,parents][,weight]";
    const std::map<std::string, std::string> files{
        {"", "1: header is ''" + allowed},
        {HEADER + ",parents,deadline_s",
         "1: header is 'coflow_id,arrival_s,src,dst,bytes,parent...'" + allowed},
        {"# hosts=2\n" + HEADER + "\n1,0,0,2,5", "3: dst is '2'; allowed: a host from 0 to 1"},
        {"# hosts=0\n" + HEADER + "\n1,0,0,0,5",
         "3: src is '0'; allowed: nothing, since there are no hosts"},
        {"# hosts=-1", "1: hosts is '-1'; allowed: a whole number from 0 to 10000000"},
        {"# hosts=1\n# hosts=1",
         "2: hosts is '1'; allowed: one such comment, before the first row"},
        {HEADER + ",deadline_s\n1,0,0,1,5,0",
         "2: deadline_s is '0'; allowed: seconds from 0.000000001 to 4000000000, at most 9 "
         "decimals"},
        {HEADER + ",parents\n1,0,0,1,5,x",
         "2: parents is 'x'; allowed: a whole number from 0 to 2^64 - 1"},
        {HEADER + ",parents\n1,0,0,1,5,\n1,0,0,1,5,\n2,0,0,1,5,1 9",
         "4: parents is '9'; allowed: ids of coflows of this workload"},
        {HEADER + ",parents\n1,0,0,1,5,\n2,0,0,1,5,1 1",
         "3: parents is '1'; allowed: every parent once"},
        {HEADER + ",parents\n1,0,0,1,5,1",
         "2: parents is '1'; allowed: coflows that do not wait for this one (a cycle)"},
    };
    for (const auto& [text, message] : files)
    {
        EXPECT_EQ(test::ErrorOf([&file = text] { Read(file); }), "t.csv:" + message) << text;
    }
}

TEST(FlowCsv, NamesACoflowOfTheCycleAndNotOneThatWaitsForIt)
{
    // 5 waits for the cycle 2 -> 3 -> 4 -> 2, and comes first in the file.
    EXPECT_EQ(test::ErrorOf([] {
                  Read(HEADER + ",parents\n5,0,0,1,5,1;2\n1,1,0,1,5,\n2,1,0,1,5,1;3\n"
                                "3,1,0,1,5,4\n4,1,0,1,5,2\n");
              }),
              "t.csv:4: parents is '3'; allowed: coflows that do not wait for this one (a cycle)");
}

TEST(FlowCsv, WritesAndReadsTheSame)
{
    for (std::uint64_t seed = 0; seed < 300; ++seed)
    {
        const Workload workload = RandomWorkload(seed);
        CheckWorkload(workload, "random");
        const std::string text = Write(workload);
        const Workload again = Read(text);
        ASSERT_EQ(again.hosts, workload.hosts) << text;
        ASSERT_EQ(again.coflows, workload.coflows) << text;
    }
}
