/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The examples of schedulers on networks that scripts make run, and show what they are there to
// show.

#include "coflow-effort.h"
#include "coflow-program.h"
#include "coflow-test-paths.h"

#include "ns3/coflow-scheduler-registry.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3::coflow;
using namespace ::coflow::test;

namespace
{

class OwnNetworkExample : public ProgramTest
{
};

/// @return the first number that stands behind a text
double
NumberAfter(const std::string& all, const std::string& text)
{
    const auto found = all.find(text);
    EXPECT_NE(found, std::string::npos) << text << " in " << all;
    std::istringstream rest(found == std::string::npos ? "" : all.substr(found + text.size()));
    std::string word;
    double number = -1;
    while (rest >> word && !(std::istringstream(word) >> number))
    {
    }
    return number;
}

} // namespace

TEST_F(OwnNetworkExample, FirstRunsEveryKindOfScheduler)
{
    // Representatives: plain TCP, a coordinator that decides, one that adds up, hosts that decide.
    std::vector<std::string> schedulers{"fair", "varys", "aalo", "dcas"};
    if (IsFull())
    {
        schedulers.clear();
        for (const auto& type : GetSchedulerTypes())
        {
            schedulers.push_back(type.name);
        }
    }
    std::map<std::string, std::string> files;
    for (const auto& scheduler : schedulers)
    {
        SCOPED_TRACE(scheduler);
        const auto folder = m_folder / scheduler;
        const auto run =
            Run("coflow-first", "--scheduler=" + scheduler + " --out=" + folder.string());
        ASSERT_EQ(run.status, 0) << run.err;
        EXPECT_NE(run.out.find("scheduler " + scheduler), std::string::npos) << run.out;
        EXPECT_NE(run.out.find("3 of 3 coflows finished"), std::string::npos) << run.out;
        files[scheduler] = ReadFile(folder / "coflows.csv");
        EXPECT_EQ(std::count(files[scheduler].begin(), files[scheduler].end(), '\n'), 4);
        EXPECT_FALSE(ReadFile(folder / "summary.json").empty());
    }
    EXPECT_NE(files["fair"], files["varys"]);
    EXPECT_NE(files["fair"], files["aalo"]);
    EXPECT_NE(files["fair"], files["dcas"]);
}

TEST_F(OwnNetworkExample, AnErrorIsOneLine)
{
    const auto run = Run("coflow-first", "--scheduler=varis --out=" + m_folder.string());
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.err.find("coflow-first: scheduler is 'varis'; allowed: aalo"), 0U) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

// It is the first thing that people read.
TEST_F(OwnNetworkExample, FirstIsShort)
{
    const auto script = ReadFile(COFLOW_SOURCE_DIR "/examples/coflow-first.cc");
    EXPECT_LE(std::count(script.begin(), script.end(), '\n'), 70);
}

TEST_F(OwnNetworkExample, OwnTopologyFinishesBothJobs)
{
    const auto run =
        Run("coflow-own-topology", "--schedulers=" + Effort<std::string>("varys", "fair,varys"));
    ASSERT_EQ(run.status, 0) << run.err;
    // 32 MB over 2 Gb/s, and 4 MB at once beside them.
    EXPECT_GT(NumberAfter(run.out, "varys: large job"), 128);
    EXPECT_LT(NumberAfter(run.out, "varys: large job"), 250);
    EXPECT_GT(NumberAfter(run.out, "small job"), 16);
    if (!IsFull())
    {
        return;
    }
    EXPECT_GT(NumberAfter(run.out, "fair: large job"), 128);
    EXPECT_LT(NumberAfter(run.out, "fair: large job"), 170);
    // Varys has the small one go first.
    const auto varys = run.out.substr(run.out.find("varys:"));
    EXPECT_LT(NumberAfter(varys, "small job"), NumberAfter(run.out, "small job"));
}

TEST_F(OwnNetworkExample, BackgroundCostsWhatItTakes)
{
    const auto run = Run("coflow-background", "--scale=" + Effort<std::string>("0.001", "0.01"));
    ASSERT_EQ(run.status, 0) << run.err;
    for (const std::string scheduler : {"fair", "varys"})
    {
        std::istringstream line(run.out.substr(run.out.find(scheduler)));
        std::string name;
        double alone = 0;
        double beside = 0;
        double told = 0;
        line >> name >> alone >> beside >> told;
        // A fifth of every port is gone: what remains takes 1.25 times as long, and more where
        // coflows meet that did not before.
        EXPECT_GT(beside, 1.25 * alone) << run.out;
        EXPECT_LT(beside, 2 * alone) << run.out;
        if (scheduler == "fair")
        {
            EXPECT_EQ(beside, told) << "nobody to tell";
        }
        else
        {
            EXPECT_GT(told, 1.25 * alone) << run.out;
            EXPECT_LT(told, beside) << run.out;
        }
    }
}

TEST_F(OwnNetworkExample, OwnSchedulerIsFoundByNameAndDoesWhatItSays)
{
    const auto one = Run("coflow-own-scheduler", "");
    ASSERT_EQ(one.status, 0) << one.err;
    // Five coflows of 0.5, 1, ... MB for the same ports: one after the other they take a mean of
    // (1 + 3 + 6 + 10 + 15) / 5 = 7 of the times that 0.5 MB take, 4.15 ms, less 0.75 ms of
    // arrivals.
    EXPECT_NEAR(NumberAfter(one.out, "few-at-a-time: mean CCT"), 7 * 4.15 - 0.5, 1.5);
    // All at once is (5 + 9 + 12 + 14 + 15) / 5 = 11.
    EXPECT_NEAR(NumberAfter(one.out, "fair: mean CCT"), 11 * 4.15 - 0.5, 3);
    if (!IsFull())
    {
        return;
    }
    const auto all = Run("coflow-own-scheduler", "--atOnce=5");
    EXPECT_NEAR(NumberAfter(all.out, "few-at-a-time: mean CCT"),
                NumberAfter(all.out, "fair: mean CCT"),
                0.75);
}
