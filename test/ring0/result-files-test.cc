/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "coflow-expect-error.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-result-files.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace coflow;

namespace
{

class ResultFilesTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::temp_directory_path() /
                   ("coflow-" + std::string(test->name()) + std::to_string(::getpid()));
        std::filesystem::remove_all(m_folder);
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    std::set<std::string> Names() const
    {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(m_folder))
        {
            names.insert(entry.path().filename());
        }
        return names;
    }

    std::string Read(const std::string& name) const
    {
        std::ostringstream text;
        text << std::ifstream(m_folder / name).rdbuf();
        return text.str();
    }

    ResultFiles Open(bool replace = false, const char* marker = SUMMARY_FILE) const
    {
        return ResultFiles(m_folder / "",
                           marker,
                           {"coflows.csv", "flows.csv", "summary.json"},
                           replace);
    }

    /// Writes the result of a run.
    void WriteRun(const std::string& coflows, bool replace) const
    {
        auto files = Open(replace);
        files.Write("coflows.csv", coflows);
        files.Write(SUMMARY_FILE, SUMMARY);
        files.Commit();
    }

    static constexpr const char* SUMMARY = "{\"program\": {\"name\": \"ns3-coflow\"}}\n";

    std::filesystem::path m_folder;
};

} // namespace

TEST_F(ResultFilesTest, NothingHasItsNameBeforeCommit)
{
    auto files = Open();
    files.Write("coflows.csv", "a\n");
    files.Write("summary.json", "{}\n");
    for (const auto& name : Names())
    {
        EXPECT_EQ(name.front(), '.') << name;
    }
    files.Commit();
    EXPECT_EQ(Names(), (std::set<std::string>{"coflows.csv", "summary.json"}));
    EXPECT_EQ(Read("coflows.csv"), "a\n");
}

TEST_F(ResultFilesTest, AFolderIsOfOneRunAtATime)
{
    {
        auto files = Open();
        for (const bool replace : {false, true})
        {
            EXPECT_EQ(test::ErrorOf([&] { Open(replace); }),
                      "another run is about to write to the output folder '" +
                          (m_folder / "").string() + "'; allowed: a folder for each run");
        }
        files.Write(SUMMARY_FILE, SUMMARY);
        files.Commit();
    }
    Open(true);
    EXPECT_EQ(Read(SUMMARY_FILE), SUMMARY);
}

TEST_F(ResultFilesTest, AnAbandonedRunLeavesTheEarlierResultUntouched)
{
    WriteRun("old\n", false);
    {
        auto files = Open(true);
        files.Write("coflows.csv", "new\n");
    }
    EXPECT_EQ(Names(), (std::set<std::string>{"coflows.csv", "summary.json"}));
    EXPECT_EQ(Read("coflows.csv"), "old\n");
}

TEST_F(ResultFilesTest, FilesOfAnEarlierRunThatThisOneDoesNotWriteGo)
{
    for (const char* extra : {"flows.csv", "coflows.csv"})
    {
        auto files = Open(true);
        files.Write(extra, "x\n");
        files.Write(SUMMARY_FILE, SUMMARY);
        files.Commit();
        std::ofstream(m_folder / "notes.txt") << "mine\n";
    }
    EXPECT_EQ(Names(), (std::set<std::string>{"coflows.csv", "notes.txt", "summary.json"}));
}

TEST_F(ResultFilesTest, AFolderThatIsGoneWhenTheRunEndsIsMadeAgain)
{
    auto files = Open();
    std::filesystem::remove_all(m_folder);
    files.Write("coflows.csv", "a\n");
    files.Write("summary.json", "{}\n");
    files.Commit();
    EXPECT_EQ(Names(), (std::set<std::string>{"coflows.csv", "summary.json"}));
}

TEST_F(ResultFilesTest, AFolderThatCannotBeWrittenIsToldAtOnce)
{
    std::filesystem::create_directories(m_folder);
    std::ofstream(m_folder / "file") << "x";
    try
    {
        ResultFiles files(m_folder / "file" / "below", SUMMARY_FILE, {}, false);
        FAIL() << "a folder below a file was accepted";
    }
    catch (const InputError& error)
    {
        EXPECT_NE(std::string(error.what()).find("cannot create the output folder"),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(ResultFilesTest, AWriteThatFailsIsTold)
{
    auto files = Open();
    std::filesystem::remove_all(m_folder);
    std::ofstream(m_folder) << "a file in the place of the folder\n";
    EXPECT_THROW(files.Write("coflows.csv", "a\n"), InputError);
}

TEST_F(ResultFilesTest, AnEarlierResultIsReplacedOnlyByForce)
{
    WriteRun("old\n", false);
    try
    {
        WriteRun("new\n", false);
        FAIL() << "an earlier result was replaced";
    }
    catch (const InputError& error)
    {
        const std::string told = error.what();
        EXPECT_NE(told.find("holds the result of a run; allowed: "), std::string::npos) << told;
        EXPECT_NE(told.find("--force"), std::string::npos) << told;
    }
    EXPECT_EQ(Read("coflows.csv"), "old\n");
    WriteRun("new\n", true);
    EXPECT_EQ(Read("coflows.csv"), "new\n");
}

// Whatever lies there and is no result of ours stays, with --force as well.
TEST_F(ResultFilesTest, AFolderOfSomebodyElseIsRefused)
{
    for (const char* name : {"coflows.csv", "summary.json", "notes.txt", "sweep.json"})
    {
        std::filesystem::create_directories(m_folder);
        std::ofstream(m_folder / name) << "mine\n";
        for (const bool replace : {false, true})
        {
            EXPECT_THROW(Open(replace), InputError) << name;
            EXPECT_THROW(Open(replace, COMPARISON_FILE), InputError) << name;
        }
        EXPECT_EQ(Names(), std::set<std::string>{name});
        EXPECT_EQ(Read(name), "mine\n");
        std::filesystem::remove_all(m_folder);
    }
}

TEST_F(ResultFilesTest, AResultOfAnotherKindIsRefused)
{
    WriteRun("run\n", false);
    EXPECT_THROW(Open(true, COMPARISON_FILE), InputError);
    std::filesystem::remove_all(m_folder);
    {
        auto files = Open(false, COMPARISON_FILE);
        files.Write(COMPARISON_FILE, "scheduler,baseline,coflows\n");
        files.Commit();
    }
    EXPECT_THROW(Open(true), InputError);
    EXPECT_THROW(Open(false, COMPARISON_FILE), InputError);
    EXPECT_NO_THROW(Open(true, COMPARISON_FILE));
}

// The processes of a comparison were ended before its table was written.
TEST_F(ResultFilesTest, AnUnfinishedComparisonCanBeReplaced)
{
    std::filesystem::create_directories(m_folder / "fair");
    std::ofstream(m_folder / "fair" / SUMMARY_FILE) << SUMMARY;
    EXPECT_THROW(Open(false, COMPARISON_FILE), InputError);
    EXPECT_NO_THROW(Open(true, COMPARISON_FILE));
    std::ofstream(m_folder / "notes.txt") << "mine\n";
    EXPECT_THROW(Open(true, COMPARISON_FILE), InputError);
}

TEST_F(ResultFilesTest, AFolderThatWasMadeForNothingGoes)
{
    {
        const auto files = Open();
        EXPECT_TRUE(std::filesystem::is_directory(m_folder));
    }
    EXPECT_FALSE(std::filesystem::exists(m_folder));
}
