/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What OutputFile does to files, links, devices and pipes that are there before.

#include "ns3/coflow-error.h"
#include "ns3/coflow-output-file.h"

#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace coflow;
namespace fs = std::filesystem;

namespace
{

class OutputFileTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = fs::temp_directory_path() /
                   ("coflow-" + std::string(test->name()) + std::to_string(::getpid()));
        fs::remove_all(m_folder);
        fs::create_directories(m_folder);
    }

    void TearDown() override
    {
        fs::remove_all(m_folder);
    }

    std::string Put(const std::string& name, const std::string& content) const
    {
        std::ofstream(m_folder / name) << content;
        return m_folder / name;
    }

    std::string Read(const std::string& name) const
    {
        std::ostringstream text;
        text << std::ifstream(m_folder / name).rdbuf();
        return text.str();
    }

    std::set<std::string> Names() const
    {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(m_folder))
        {
            names.insert(entry.path().filename());
        }
        return names;
    }

    fs::path m_folder;
};

mode_t
ModeOf(const fs::path& path)
{
    struct stat state{};
    ::lstat(path.c_str(), &state);
    return state.st_mode;
}

} // namespace

TEST_F(OutputFileTest, AppearsWhenItIsComplete)
{
    const auto path = Put("a", "old");
    {
        OutputFile file("--out", path);
        file.Out() << std::string(1 << 20, 'x');
        EXPECT_EQ(Read("a"), "old");
        EXPECT_EQ(Names().size(), 2U);
        file.Commit();
    }
    EXPECT_EQ(Read("a"), std::string(1 << 20, 'x'));
    EXPECT_EQ(Names(), std::set<std::string>{"a"});
}

TEST_F(OutputFileTest, WithoutCommitNothingIsLeft)
{
    const auto path = Put("a", "old");
    {
        OutputFile old("--out", path);
        old.Out() << "new";
        OutputFile fresh("--out", m_folder / "b");
        fresh.Out() << "new";
    }
    EXPECT_EQ(Names(), std::set<std::string>{"a"});
    EXPECT_EQ(Read("a"), "old");
}

TEST_F(OutputFileTest, KeepsPermissions)
{
    const auto path = Put("secret", "old");
    for (const mode_t mode : {0600U, 0640U, 0755U})
    {
        ::chmod(path.c_str(), mode);
        WriteFile("--out", path, "new");
        EXPECT_EQ(ModeOf(path) & 07777, mode);
    }
    const mode_t mask = ::umask(027);
    WriteFile("--out", m_folder / "fresh", "new");
    ::umask(mask);
    EXPECT_EQ(ModeOf(m_folder / "fresh") & 07777, 0640U);
}

TEST_F(OutputFileTest, ALinkStaysAndItsTargetIsWritten)
{
    fs::create_directory(m_folder / "below");
    Put("below/target", "old");
    fs::create_symlink("below/target", m_folder / "link");
    fs::create_symlink("link", m_folder / "second");
    fs::create_symlink("below/nowhere", m_folder / "dangling");
    WriteFile("--out", m_folder / "second", "new");
    WriteFile("--out", m_folder / "dangling", "made");
    EXPECT_TRUE(fs::is_symlink(m_folder / "second"));
    EXPECT_TRUE(fs::is_symlink(m_folder / "link"));
    EXPECT_TRUE(fs::is_symlink(m_folder / "dangling"));
    EXPECT_FALSE(fs::is_symlink(m_folder / "below/target"));
    EXPECT_EQ(Read("below/target"), "new");
    EXPECT_EQ(Read("below/nowhere"), "made");
    fs::create_symlink("circle", m_folder / "circle");
    EXPECT_THROW(WriteFile("--out", m_folder / "circle", "x"), InputError);
}

TEST_F(OutputFileTest, APipeIsWrittenAndStays)
{
    const auto path = m_folder / "fifo";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::string read;
    std::thread reader([&] {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        read = text.str();
    });
    WriteFile("--out", path, "through");
    reader.join();
    EXPECT_EQ(read, "through");
    EXPECT_TRUE(fs::is_fifo(path));
    EXPECT_EQ(Names(), std::set<std::string>{"fifo"});
}

TEST_F(OutputFileTest, DevicesAreWrittenAndStay)
{
    fs::create_symlink("/dev/null", m_folder / "null");
    WriteFile("--out", m_folder / "null", "gone");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_TRUE(fs::is_symlink(m_folder / "null"));
    try
    {
        WriteFile("option --out", "/dev/full", "x");
        FAIL() << "a full device took a file";
    }
    catch (const InputError& error)
    {
        EXPECT_TRUE(std::string(error.what())
                        .starts_with("option --out: the file '/dev/full' cannot be written (No "
                                     "space left on device); "))
            << error.what();
    }
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

// A shell has opened these files. They are not replaced, and what is in them stays.
TEST_F(OutputFileTest, ADescriptorOfThisProcessIsWritten)
{
    const auto path = Put("log", "first\n");
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND);
    ASSERT_GE(descriptor, 0);
    const auto number = std::to_string(descriptor);
    struct stat before{};
    ::stat(path.c_str(), &before);
    WriteFile("--out", "/dev/fd/" + number, "second\n");
    WriteFile("--out", "/proc/self/fd/" + number, "third\n");
    ::close(descriptor);
    struct stat after{};
    ::stat(path.c_str(), &after);
    EXPECT_EQ(before.st_ino, after.st_ino);
    EXPECT_EQ(Read("log"), "first\nsecond\nthird\n");
}

TEST_F(OutputFileTest, WhatCannotBeWrittenIsTold)
{
    Put("file", "x");
    for (const std::string& path : {std::string(),
                                    (m_folder / "none" / "x").string(),
                                    (m_folder / "file" / "x").string(),
                                    m_folder.string()})
    {
        EXPECT_THROW(WriteFile("--out", path, "x"), InputError) << path;
    }
    EXPECT_EQ(Names(), std::set<std::string>{"file"});
}

TEST_F(OutputFileTest, NobodyForetellsTheTemporaryName)
{
    std::set<std::string> names;
    for (int i = 0; i < 10; ++i)
    {
        const OutputFile file("--out", m_folder / "a");
        for (const auto& name : Names())
        {
            names.insert(name);
        }
    }
    EXPECT_EQ(names.size(), 10U);
}

TEST_F(OutputFileTest, OnlyFilesThatNobodyWritesAreAbandoned)
{
    Put(".coflow-left.part", "half");
    Put("kept", "x");
    Put(".coflow-kept", "x");
    OutputFile file("--out", m_folder / "a");
    file.Out() << "new";
    RemoveAbandonedFiles(m_folder);
    RemoveAbandonedFiles(m_folder / "none");
    EXPECT_EQ(Names().size(), 3U);
    file.Commit();
    EXPECT_EQ(Names(), (std::set<std::string>{".coflow-kept", "a", "kept"}));
}

// Another thread cleans up all the time; no file is lost by that.
TEST_F(OutputFileTest, CleaningUpDisturbsNobody)
{
    std::atomic<bool> done{false};
    std::thread cleaner([&] {
        while (!done)
        {
            RemoveAbandonedFiles(m_folder);
        }
    });
    for (int i = 0; i < 2000; ++i)
    {
        EXPECT_NO_THROW(WriteFile("--out", m_folder / "a", std::to_string(i)));
    }
    done = true;
    cleaner.join();
    EXPECT_EQ(Read("a"), "1999");
}

TEST_F(OutputFileTest, OutputsAreNoInputsAndDiffer)
{
    const auto trace = Put("t.csv", "x");
    fs::create_symlink("t.csv", m_folder / "link");
    fs::create_hard_link(m_folder / "t.csv", m_folder / "hard");
    fs::create_directory_symlink(".", m_folder / "here");
    const std::vector<NamedFile> inputs{{"--trace", trace}};
    for (const char* same : {"t.csv", "link", "hard", "here/t.csv", "./here/t.csv"})
    {
        EXPECT_THROW(CheckOutputs(inputs, {{"--out", m_folder / same}}), InputError) << same;
    }
    for (const char* same : {"new", "here/new", "./new"})
    {
        EXPECT_THROW(CheckOutputs(inputs, {{"--a", m_folder / "new"}, {"--b", m_folder / same}}),
                     InputError)
            << same;
    }
    EXPECT_NO_THROW(CheckOutputs(inputs, {{"--a", m_folder / "a"}, {"--b", m_folder / "b"}}));
    EXPECT_NO_THROW(CheckOutputs(inputs, {{"--a", "/dev/null"}, {"--b", "/dev/null"}}));
    EXPECT_EQ(Read("t.csv"), "x");
}
