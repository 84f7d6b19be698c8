/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What coflow-replay says of a run besides its numbers, and what the page of parameters says of it.

#include "replay-program.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>

using namespace coflow::test;

TEST_F(ReplayProgram, WhereCoflowsMayMeetOnLinksItDoesNotSayThatNothingIsToBeDecided)
{
    // No two of them have a host's port in common, and more than two are under way at a time.
    std::string text = "coflow_id,arrival_s,src,dst,bytes\n";
    for (int i = 0; i < 16; ++i)
    {
        const auto id = std::to_string(i + 1);
        text += id + ",0.0" + std::to_string(10 + i) + "," + std::to_string(i) + "," +
                std::to_string((i + 8) % 16) + ",3000000\n";
    }
    const auto trace = Write("cross.csv", text);
    const std::string tree = " --topology=fat-tree --k=4";
    const std::string star = " --topology=big-switch --hosts=16";
    const auto folder = m_folder / "cross";
    // Options, and whether coflows may have waited for each other.
    const std::pair<std::string, bool> cases[] = {{tree + " --engine=packet", true},
                                                  {tree + " --engine=fluid --limits=links", true},
                                                  {tree + " --engine=fluid", false},
                                                  {star + " --engine=packet", false}};
    for (const auto& [options, contended] : cases)
    {
        const auto run = Replay("--trace=" + trace + options + " --force --out=" + folder.string());
        EXPECT_EQ(run.status, 0) << run.err;
        const auto summary = ReadFile(folder / "summary.json");
        const std::string told = contended ? "\"contended\": true" : "\"contended\": false";
        EXPECT_NE(summary.find(told), std::string::npos) << options;
        EXPECT_EQ(summary.find("a scheduler has nothing to decide") == std::string::npos, contended)
            << options;
    }
}

TEST_F(ReplayProgram, ItNamesNoLongerPeriodThanHostsWaitFor)
{
    // controlBatch is 100 ms, but the hosts of saath report at least once per delta.
    const auto run = Replay(SMALL + "--scheduler=saath");
    EXPECT_NE(run.out.find("\ncontrol-period: delta is 8.00 ms"), std::string::npos) << run.out;
}

TEST_F(ReplayProgram, TheParametersPageNamesOptionsOfOneLetterAsTheyAreTaken)
{
    EXPECT_EQ(ReadFile(COFLOW_SOURCE_DIR "/doc/reference/parameters.md").find("| `t` |"),
              std::string::npos);
    for (const std::string options : {"--scheduler=varys --engine=fluid",
                                      "--scheduler=varys --engine=packet",
                                      "--scheduler=dcas --engine=fluid",
                                      "--scheduler=dcas --engine=packet"})
    {
        const auto run = Replay(
            "--generate=incast,senders=2,bytes=1000 --topology=big-switch --T=1s " + options);
        EXPECT_EQ(run.status, 0) << options << ": " << run.err;
    }
}
