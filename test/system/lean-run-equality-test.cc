/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Whole runs over lean connections and over ns-3's sockets send the same segments at the same
// times: the random runs of test/stress, with schedulers of all kinds, losses, failures,
// gates, and connections that are used again. COFLOW_STRESS_SEED runs one seed alone.

#include "coflow-effort.h"
#include "stress-case.h"

#include "ns3/coflow-record.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace ns3;
using namespace ns3::coflow;
using namespace ns3::coflow::test;

namespace
{

/// What a run has left behind: two files.
struct Traces
{
    std::string coflows;  ///< as coflows.csv
    std::string segments; ///< as --segments writes them
};

/// Runs a case in a process of its own, since random streams are numbered by the process.
/// @param hostStack the attribute of TransportProfile
Traces
RunOver(StressCase stress, const std::string& hostStack)
{
    const auto base = std::filesystem::temp_directory_path() /
                      ("coflow-lean-" + std::to_string(::getpid()) + "-" + hostStack);
    const Traces files{base.string() + ".csv", base.string() + ".segments"};
    stress.config.fabric = "express";
    stress.config.attributes.emplace_back("hostStack", hostStack);
    for (auto& [name, value] : stress.config.attributes)
    {
        value = name == "jump" ? "false" : value; // which sockets cannot
    }
    stress.config.segments = files.segments;
    const pid_t child = ::fork();
    if (child == 0)
    {
        std::ofstream(files.coflows) << ToCsv(RunStressExperiment(stress).coflows);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << hostStack;
    return files;
}

/// @return the first line in which two files differ, of both; empty: they are equal
std::string
FindDifference(const std::string& one, const std::string& other)
{
    std::ifstream a(one);
    std::ifstream b(other);
    std::string before;
    for (uint64_t number = 1;; ++number)
    {
        std::string x;
        std::string y;
        const bool hasX = static_cast<bool>(std::getline(a, x));
        const bool hasY = static_cast<bool>(std::getline(b, y));
        if (!hasX && !hasY)
        {
            return "";
        }
        if (hasX != hasY || x != y)
        {
            return "line " + std::to_string(number) + "\nafter " + before + "\nns3:  " + x +
                   "\nlean: " + y;
        }
        before = x;
    }
}

/// @return bytes of the segments' file
uintmax_t
CompareStacks(uint64_t seed, const std::string& scheduler = "")
{
    const auto stress = MakeStressCase(seed, scheduler);
    const Traces packets = RunOver(stress, "ns3");
    const Traces lean = RunOver(stress, "lean");
    EXPECT_EQ(FindDifference(packets.segments, lean.segments), "") << seed << stress.Describe();
    EXPECT_EQ(FindDifference(packets.coflows, lean.coflows), "") << seed;
    const auto size = std::filesystem::file_size(lean.segments);
    for (const auto& file : {packets, lean})
    {
        std::filesystem::remove(file.coflows);
        std::filesystem::remove(file.segments);
    }
    return size;
}

} // namespace

TEST(LeanRunEquality, SendsTheSameSegments)
{
    if (const char* seed = std::getenv("COFLOW_STRESS_SEED"))
    {
        CompareStacks(std::strtoull(seed, nullptr, 10));
        return;
    }
    uintmax_t bytes = 0;
    for (uint64_t seed = 1; seed <= ::coflow::test::Effort<uint64_t>(20, 400); ++seed)
    {
        bytes += CompareStacks(seed);
    }
    EXPECT_GT(bytes, 100'000U) << "no segments were sent";
}

// Its datagrams have no headers between hosts with lean connections.
TEST(LeanRunEquality, DatagramsOfDcasArriveAtTheSameTimes)
{
    for (uint64_t seed = 1; seed <= ::coflow::test::Effort<uint64_t>(6, 100); ++seed)
    {
        CompareStacks(seed, "dcas");
    }
}
