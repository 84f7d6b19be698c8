/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Some of the random runs of test/stress, on every change, and all cases that once failed. The
// program coflow-stress goes on for as long as one likes. COFLOW_STRESS_SEED runs one seed alone,
// COFLOW_STRESS_SEEDS so many.

#include "coflow-effort.h"
#include "coflow-test-paths.h"
#include "stress-case.h"

#include "ns3/coflow-error.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

uint64_t
FromEnvironment(const char* name, uint64_t otherwise)
{
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// @return names of the files of all cases
std::vector<std::string>
GetCaseFiles()
{
    std::vector<std::string> files;
    for (const auto& file :
         std::filesystem::directory_iterator(COFLOW_SOURCE_DIR "/test/stress/cases"))
    {
        files.push_back(file.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

StressCase
ReadCase(const std::string& text)
{
    std::istringstream in(text);
    return ReadStressCase(in, "case");
}

} // namespace

TEST(Stress, EveryCoflowFinishes)
{
    const auto first = FromEnvironment("COFLOW_STRESS_SEED", 1);
    const auto seeds = FromEnvironment(
        "COFLOW_STRESS_SEEDS",
        std::getenv("COFLOW_STRESS_SEED") ? 1 : ::coflow::test::Effort<uint64_t>(30, 240));
    for (auto seed = first; seed < first + seeds; ++seed)
    {
        EXPECT_EQ(RunStressCaseApart(MakeStressCase(seed), 60), "") << GetStressCommand(seed, "");
    }
}

/// Cases that once failed. The first lines of their files say how.
class StressRegression : public testing::TestWithParam<std::string>
{
};

TEST_P(StressRegression, Finishes)
{
    std::ifstream file(GetParam());
    EXPECT_EQ(RunStressCaseApart(ReadStressCase(file, GetParam()), 60), "");
}

INSTANTIATE_TEST_SUITE_P(Cases,
                         StressRegression,
                         testing::ValuesIn(GetCaseFiles()),
                         [](const auto& each) {
                             auto name = std::filesystem::path(each.param).stem().string();
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(StressCase, FollowsFromItsSeed)
{
    EXPECT_EQ(MakeStressCase(7).Describe(), MakeStressCase(7).Describe());
    EXPECT_NE(MakeStressCase(7).Describe(), MakeStressCase(8).Describe());
    EXPECT_EQ(MakeStressCase(7, "varys").config.scheduler, "varys");
}

TEST(StressCase, AnotherSchedulerTakesOverItsSeedsAndLeavesTheOthers)
{
    const std::vector<std::string> few{"a", "b", "d", "e"};
    const std::vector<std::string> more{"a", "b", "c", "d", "e"};
    constexpr uint64_t SEEDS = 2000;
    std::map<std::string, uint64_t> count;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed)
    {
        const auto name = DrawScheduler(seed, more);
        ++count[name];
        if (name != "c")
        {
            EXPECT_EQ(name, DrawScheduler(seed, few)) << seed;
        }
    }
    // A fifth each; 90 is five standard deviations.
    ASSERT_EQ(count.size(), more.size());
    for (const auto& [name, seeds] : count)
    {
        EXPECT_NEAR(seeds, SEEDS / 5, 90) << name;
    }
}

TEST(StressCase, DrawsOfOneNameChangeNoOther)
{
    for (uint64_t seed = 1; seed <= 100; ++seed)
    {
        // saath draws four options that scf has not got.
        const auto scf = MakeStressCase(seed, "scf");
        const auto saath = MakeStressCase(seed, "saath");
        std::map<std::string, std::string> values(saath.config.attributes.begin(),
                                                  saath.config.attributes.end());
        for (const auto& [name, value] : scf.config.attributes)
        {
            if (name != "bypassBytes") // which needs sizes
            {
                EXPECT_EQ(values[name], value) << name << " " << seed;
            }
        }
        EXPECT_EQ(scf.config.topology, saath.config.topology) << seed;
        ASSERT_EQ(scf.failures.size(), saath.failures.size()) << seed;
        auto other = saath;
        other.config = scf.config;
        EXPECT_EQ(scf.Describe(), other.Describe()) << "failures and workload of " << seed;
    }
}

TEST(StressCase, IsReadAsItIsDescribed)
{
    for (uint64_t seed = 1; seed <= 100; ++seed)
    {
        const auto text = MakeStressCase(seed).Describe();
        const auto again = ReadCase(text);
        EXPECT_EQ(again.rngRun, seed);
        // What was read has a history of its own.
        auto described = again.Describe();
        EXPECT_EQ(described.substr(0, described.find("# history")),
                  text.substr(0, text.find("# history")));
        EXPECT_EQ(described.substr(described.find("\ncoflow_id")),
                  text.substr(text.find("\ncoflow_id")));
    }
}

TEST(StressCase, HasOptionsAndDeaths)
{
    const auto stress = ReadCase("# kept, since it once hung\n"
                                 "--scheduler=varys\n"
                                 "--linkRate=10Gbps\n"
                                 "daemon 3 dies at 5ns for 7us\n"
                                 "coordinator dies at 2ms for good\n"
                                 "\n"
                                 "# hosts=4\n"
                                 "coflow_id,arrival_s,src,dst,bytes\n"
                                 "1,0,0,3,100\n");
    EXPECT_EQ(stress.config.scheduler, "varys");
    ASSERT_EQ(stress.config.attributes.size(), 1U);
    EXPECT_EQ(stress.config.attributes[0].first, "linkRate");
    EXPECT_EQ(stress.config.attributes[0].second, "10Gbps");
    ASSERT_EQ(stress.failures.size(), 2U);
    EXPECT_EQ(stress.failures[0].daemon, 3U);
    EXPECT_EQ(stress.failures[0].at, NanoSeconds(5));
    EXPECT_EQ(stress.failures[0].downTime, MicroSeconds(7));
    EXPECT_FALSE(stress.failures[1].daemon);
    EXPECT_EQ(stress.failures[1].downTime, Time::Max());
    EXPECT_EQ(stress.workload.coflows.at(0).flows.at(0).bytes, 100);
    EXPECT_THROW(ReadCase("daemon dies at 5ns for 7us\n\n"), ::coflow::InputError);
    EXPECT_THROW(ReadCase("scheduler=varys\n\n"), ::coflow::InputError);
}

TEST(Stress, WhatDoesNotFinishIsNoticed)
{
    auto stress = MakeStressCase(1, "fair");
    stress.workload.coflows = {{.id = 5, .flows = {{0, 0, 1, 1'000'000}}}};
    EXPECT_EQ(RunStressCaseApart(stress, 60), "");
    stress.config.stop = 1000;
    const auto wrong = RunStressCaseApart(stress, 60);
    EXPECT_NE(wrong.find("coflow 5 has not finished"), std::string::npos) << wrong;
}

TEST(Stress, WhatAbortsIsNoticed)
{
    auto stress = MakeStressCase(1, "fair");
    stress.config.poll = [] { std::abort(); };
    stress.workload.coflows = {{.id = 5, .flows = {{0, 0, 1, 50'000'000}}}};
    const auto wrong = RunStressCaseApart(stress, 60);
    EXPECT_NE(wrong.find("ended by signal"), std::string::npos) << wrong;
}
