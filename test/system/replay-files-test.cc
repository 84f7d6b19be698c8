/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Which files coflow-replay writes, and which it leaves alone.

#include "replay-program.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace coflow::test;

namespace
{

std::set<std::string>
NamesIn(const std::filesystem::path& folder)
{
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        names.insert(entry.path().filename());
    }
    return names;
}

const std::string TRACE = "coflow_id,arrival_s,src,dst,bytes\n1,0,0,1,20000\n";

} // namespace

TEST_F(ReplayProgram, ReplacesAResultOnlyByForce)
{
    const auto out = " --out=" + (m_folder / "r").string();
    ASSERT_EQ(Replay(SMALL + out).status, 0);
    const auto first = ReadFile(m_folder / "r" / "summary.json");
    ExpectRefused(SMALL + "--scheduler=aalo" + out,
                  {"holds the result of a run", "new or empty", "--force"});
    ExpectRefused(SMALL + "--compare=fair,aalo --force" + out, {"holds the result of a run"});
    EXPECT_EQ(ReadFile(m_folder / "r" / "summary.json"), first);
    ASSERT_EQ(Replay(SMALL + "--scheduler=aalo --force" + out).status, 0);
    const auto second = ReadFile(m_folder / "r" / "summary.json");
    EXPECT_NE(second, first);
    EXPECT_EQ(second.find("--force"), std::string::npos) << "it changes no result";
}

TEST_F(ReplayProgram, LeavesFilesOfOthersAlone)
{
    std::filesystem::create_directory(m_folder / "mine");
    for (const char* name : {"coflows.csv", "flows.csv", "timeseries.csv"})
    {
        Write(std::string("mine/") + name, "mine\n");
    }
    for (const char* options : {"", "--force ", "--compare=fair,aalo --force "})
    {
        ExpectRefused(SMALL + options + "--out=" + (m_folder / "mine").string(),
                      {"holds 'coflows.csv'", "new or empty"});
    }
    EXPECT_EQ(NamesIn(m_folder / "mine"),
              (std::set<std::string>{"coflows.csv", "flows.csv", "timeseries.csv"}));
    EXPECT_EQ(ReadFile(m_folder / "mine" / "flows.csv"), "mine\n");
}

TEST_F(ReplayProgram, AComparisonLeavesNoRunOfAnEarlierOne)
{
    const auto out = " --out=" + (m_folder / "c").string();
    const std::string fluid = SMALL + "--engine=fluid ";
    ASSERT_EQ(Replay(fluid + "--compare=fair,varys" + out).status, 0);
    ExpectRefused(fluid + "--compare=aalo,varys" + out, {"holds a comparison", "--force"});
    ASSERT_EQ(Replay(fluid + "--compare=aalo,varys --force" + out).status, 0);
    EXPECT_EQ(NamesIn(m_folder / "c"), (std::set<std::string>{"aalo", "comparison.csv", "varys"}));
}

TEST_F(ReplayProgram, WritesNoFileThatItReadsOrWritesElsewhere)
{
    const auto trace = Write("t.csv", TRACE);
    const auto run = "--topology=big-switch --hosts=2 --trace=" + trace;
    const auto file = (m_folder / "x").string();
    for (const auto& options : {" --segments=" + trace,
                                " --timeline=" + trace,
                                " --segments=" + file + " --timeline=" + file,
                                " --out=" + file + " --segments=" + file + "/flows.csv",
                                " --transform=merge=" + file + " --timeline=" + file})
    {
        ExpectRefused(run + options, {"the same file as"});
    }
    EXPECT_EQ(ReadFile(trace), TRACE);
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(ReplayProgram, SegmentsAndTimelineAreWholeOrNotThere)
{
    const auto x = Write("x", "old\n");
    // Hosts out of range are found after the files have been opened.
    const auto trace = Write("t.csv", TRACE);
    for (const char* option : {" --segments=", " --timeline="})
    {
        ExpectRefused("--topology=big-switch --hosts=1 --trace=" + trace + option + x, {"host"});
        EXPECT_EQ(ReadFile(x), "old\n") << option;
        ExpectRefused(SMALL + option + "/dev/full", {"/dev/full", "No space left"});
        EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
    }
    std::filesystem::create_symlink("x", m_folder / "link");
    ASSERT_EQ(Replay(SMALL + "--segments=" + (m_folder / "link").string()).status, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(m_folder / "link"));
    EXPECT_TRUE(ReadFile(x).ends_with("# end of the run\n"));
    EXPECT_EQ(NamesIn(m_folder),
              (std::set<std::string>{"link", "stderr.txt", "stdout.txt", "t.csv", "x"}));
}

TEST_F(ReplayProgram, TellsThatItsTableWasNotWritten)
{
    for (const char* options : {"", "--compare=fair,aalo", "--help"})
    {
        const auto command = std::string(COFLOW_BINARY_DIR) + "/bin/" + PROGRAM + " " + SMALL +
                             options + " >/dev/full 2>" + (m_folder / "told").string();
        EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2) << options;
        EXPECT_NE(ReadFile(m_folder / "told").find("the standard output cannot be written"),
                  std::string::npos)
            << options;
    }
}

// The line is pasted into a shell, and gives the same bytes again.
TEST_F(ReplayProgram, TheLineThatReproducesIsQuoted)
{
    const std::string name = "a b'; touch PWN; #$(touch PWN).csv";
    Write(name, TRACE);
    const auto folder = "cd '" + m_folder.string() + "' && PATH=" COFLOW_BINARY_DIR "/bin:$PATH ";
    const std::string options = " --topology=big-switch --hosts=2 --fabric=nodes "
                                "'--queueDisc=ns3::CoDelQueueDisc[MaxSize=100p|UseEcn=true]' ";
    const auto run = folder + "coflow-replay \"--trace=a b'; touch PWN; #\\$(touch PWN).csv\"" +
                     options + "--out=one >/dev/null";
    ASSERT_EQ(std::system(run.c_str()), 0);
    const auto again = folder +
                       "eval \"$(python3 -c 'import json; "
                       "print(json.load(open(\"one/summary.json\"))[\"reproduce\"])') --out=two\" "
                       ">/dev/null";
    ASSERT_EQ(std::system(again.c_str()), 0);
    EXPECT_EQ(ReadFile(m_folder / "one/coflows.csv"), ReadFile(m_folder / "two/coflows.csv"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "PWN"));
}
