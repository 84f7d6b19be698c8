/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PROGRAM_H
#define COFLOW_PROGRAM_H

#include "coflow-test-paths.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace coflow::test
{

/// What a program left behind.
struct ProgramRun
{
    int status{-1};
    std::string out;
    std::string err;
};

/// @return the content of a file; empty where there is none
inline std::string
ReadFile(const std::filesystem::path& path)
{
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// A folder of its own for every test, and programs run as a user runs them.
class ProgramTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::temp_directory_path() /
                   ("coflow-" + std::string(test->name()) + "-" + std::to_string(::getpid()));
        std::filesystem::create_directories(m_folder);
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /// Runs a program of this build.
    /// @param name of the program
    /// @param arguments as one would type them in a shell
    ProgramRun Run(const std::string& name, const std::string& arguments) const
    {
        const auto out = m_folder / "stdout.txt";
        const auto err = m_folder / "stderr.txt";
        const auto command = std::string(COFLOW_BINARY_DIR) + "/bin/" + name + " " + arguments +
                             " >" + out.string() + " 2>" + err.string();
        const int status = std::system(command.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFile(out), ReadFile(err)};
    }

    std::string Write(const std::string& name, const std::string& content) const
    {
        std::ofstream(m_folder / name, std::ios::binary) << content;
        return m_folder / name;
    }

    std::filesystem::path m_folder;
};

} // namespace coflow::test

#endif // COFLOW_PROGRAM_H
