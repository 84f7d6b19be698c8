/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

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

    ResultFiles Open() const
    {
        return ResultFiles(m_folder / "",
                           "summary.json",
                           {"coflows.csv", "flows.csv", "summary.json"});
    }

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

TEST_F(ResultFilesTest, AnAbandonedRunLeavesTheEarlierResultUntouched)
{
    {
        auto files = Open();
        files.Write("coflows.csv", "old\n");
        files.Write("summary.json", "{}\n");
        files.Commit();
    }
    {
        auto files = Open();
        files.Write("coflows.csv", "new\n");
    }
    EXPECT_EQ(Names(), (std::set<std::string>{"coflows.csv", "summary.json"}));
    EXPECT_EQ(Read("coflows.csv"), "old\n");
}

TEST_F(ResultFilesTest, FilesOfAnEarlierRunThatThisOneDoesNotWriteGo)
{
    for (const char* extra : {"flows.csv", "coflows.csv"})
    {
        auto files = Open();
        files.Write(extra, "x\n");
        files.Write("summary.json", "{}\n");
        files.Commit();
    }
    std::ofstream(m_folder / "notes.txt") << "mine\n";
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
        ResultFiles files(m_folder / "file" / "below", "summary.json", {});
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
