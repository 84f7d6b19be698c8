/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The program coflow-trace, and every console example of doc/reference/workloads.md.

#include "coflow-test-paths.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <utility>
#include <vector>

namespace
{

namespace fs = std::filesystem;

/// Where the commands run: examples/ can be seen from there, as in the repository.
fs::path
Folder()
{
    const fs::path folder = COFLOW_BINARY_DIR "/coflow-trace-test";
    fs::create_directories(folder);
    // Tests run at the same time: another one may have made the link.
    std::error_code exists;
    fs::create_directory_symlink(COFLOW_SOURCE_DIR "/examples", folder / "examples", exists);
    return folder;
}

struct Outcome
{
    int status;
    std::vector<std::string> lines; ///< standard output and standard error
};

Outcome
RunCommand(const std::string& command)
{
    const std::string line = "cd '" + Folder().string() +
                             "' && export PATH=" COFLOW_BINARY_DIR "/bin:\"$PATH\" && { " +
                             command + "; } 2>&1";
    std::FILE* pipe = popen(line.c_str(), "r");
    std::string text;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
    {
        text += static_cast<char>(c);
    }
    const int status = pclose(pipe);
    Outcome outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, {}};
    std::istringstream in(text);
    for (std::string part; std::getline(in, part);)
    {
        outcome.lines.push_back(part);
    }
    return outcome;
}

/// Whether lines are as documented; a documented line `...` stands for any number of lines.
bool
Matches(const std::vector<std::string>& lines,
        std::size_t line,
        const std::vector<std::string>& documented,
        std::size_t expected)
{
    if (expected == documented.size())
    {
        return line == lines.size();
    }
    if (documented[expected] == "...")
    {
        for (std::size_t next = line; next <= lines.size(); ++next)
        {
            if (Matches(lines, next, documented, expected + 1))
            {
                return true;
            }
        }
        return false;
    }
    return line < lines.size() && lines[line] == documented[expected] &&
           Matches(lines, line + 1, documented, expected + 1);
}

} // namespace

TEST(CoflowTrace, RefusesBadUsageWithOneLineAndStatus2)
{
    const std::string sample = "examples/data/fb-like-16.csv";
    const std::map<std::string, std::string> expected{
        {"", "subcommand is ''; allowed: info, generate, convert, --help"},
        {"inf", "subcommand is 'inf'; allowed: info, generate, convert, --help"},
        {"info", "number of files is '0'; allowed: one"},
        {"info a b", "number of files is '2'; allowed: one"},
        {"info nowhere.txt",
         "trace is 'nowhere.txt', which cannot be read (No such file or directory); allowed: a "
         "file"},
        {"info --linkSpeed=1 " + sample,
         "option is '--linkSpeed'; allowed: what coflow-trace --help lists"},
        {"info --linkRate=1GBps " + sample,
         "--linkRate is '1GBps'; allowed: a rate with its unit, such as 100Mbps or 10Gbps (or "
         "bit/s "
         "from 1000 on, such as 1e9), more than 0"},
        {"info --linkRate=10 " + sample,
         "--linkRate is '10'; allowed: a rate with its unit, such as 100Mbps or 10Gbps (or bit/s "
         "from 1000 on, such as 1e9), more than 0"},
        {"info --bytesPerMb=5 " + sample,
         "trace is 'examples/data/fb-like-16.csv', flow CSV, whose sizes are bytes; allowed with "
         "--bytesPerMb and --roundUpToWholeMb: a file in the Facebook format"},
        {"generate --list x", "argument is 'x'; allowed with --list: none"},
        {"info --transform=first=0 " + sample,
         "transforms first=0 leave none of 60 coflows; allowed: those that leave some"},
        {"info --linkRate=1 --linkRate=2 " + sample, "--linkRate is given twice; allowed: once"},
        {"info --roundUpToWholeMb=no " + sample, "--roundUpToWholeMb is 'no'; allowed: no value"},
        {"convert " + sample, "--out is missing; allowed: --out=FILE.csv, or --out=-"},
        {"convert --out=/nowhere/x.csv " + sample,
         "--out: the file '/nowhere/x.csv' cannot be written (No such file or directory); allowed: "
         "a "
         "file that this user may write to, in a folder that exists, on a disk with room"},
        {"convert --out=/dev/full " + sample,
         "--out: the file '/dev/full' cannot be written (No space left on device); allowed: a file "
         "that this user may write to, in a folder that exists, on a disk with room"},
        {"generate", "generator is missing; allowed: what coflow-trace generate --list shows"},
        {"generate incast bytes=x --out=x.csv",
         "generator incast: bytes is 'x'; allowed: a number of bytes, such as 1500, 5MB or 64KiB, "
         "from 0 to 1e+15 bytes"},
    };
    for (const auto& [arguments, message] : expected)
    {
        const Outcome outcome = RunCommand("coflow-trace " + arguments);
        EXPECT_EQ(outcome.status, 2) << arguments;
        EXPECT_EQ(outcome.lines, std::vector<std::string>{"coflow-trace: " + message}) << arguments;
    }
    EXPECT_FALSE(fs::exists(Folder() / "x.csv"));
}

TEST(CoflowTrace, ConvertsToFlowCsvThatSaysTheSame)
{
    std::ofstream(Folder() / "tiny.txt") << "3 1\n7 500 2 0 1 2 2:3 1:1\n";
    EXPECT_EQ(
        RunCommand("coflow-trace convert tiny.txt --bytesPerMb=1048576 --out=tiny.csv").status,
        0);
    EXPECT_EQ(RunCommand("cat tiny.csv").lines,
              (std::vector<std::string>{"# hosts=3",
                                        "# history=facebook-trace tiny.txt bytesPerMb=1048576",
                                        "coflow_id,arrival_s,src,dst,bytes",
                                        "7,0.5,0,2,1572864",
                                        "7,0.5,1,2,1572864",
                                        "7,0.5,0,1,524288",
                                        "7,0.5,1,1,524288"}));
    EXPECT_EQ(RunCommand("coflow-trace convert tiny.csv --out=- | grep -v '#'").lines,
              RunCommand("grep -v '#' tiny.csv").lines);
}

TEST(CoflowTrace, AFullStandardOutputIsTold)
{
    for (const char* command : {"convert examples/data/fb-like-16.csv --out=-",
                                "info examples/data/fb-like-16.csv",
                                "generate --list",
                                "--help"})
    {
        const auto full = RunCommand("coflow-trace " + std::string(command) + " > /dev/full");
        EXPECT_EQ(full.status, 2) << command;
        ASSERT_EQ(full.lines.size(), 1U) << command;
        EXPECT_TRUE(
            full.lines.front().starts_with("coflow-trace: the standard output cannot be written"))
            << full.lines.front();
    }
}

TEST(CoflowTrace, WritesNoFileThatItReads)
{
    const std::string header = "coflow_id,arrival_s,src,dst,bytes\n1,0,0,1,1\n";
    std::ofstream(Folder() / "read.csv") << header;
    std::ofstream(Folder() / "merged.csv") << header;
    for (const char* command : {"convert read.csv --out=read.csv",
                                "convert read.csv --transform=merge=merged.csv --out=merged.csv",
                                "generate incast --transform=merge=merged.csv --out=./merged.csv"})
    {
        const auto refused = RunCommand("coflow-trace " + std::string(command));
        EXPECT_EQ(refused.status, 2) << command;
        ASSERT_EQ(refused.lines.size(), 1U) << command;
        EXPECT_NE(refused.lines.front().find("the same file as"), std::string::npos)
            << refused.lines.front();
    }
    EXPECT_EQ(RunCommand("cat read.csv merged.csv").lines,
              RunCommand("cat read.csv read.csv").lines);
    EXPECT_EQ(
        RunCommand("coflow-trace generate incast --out=/dev/stdout | tail -n 1 | wc -l").lines,
        std::vector<std::string>{"1"});
}

TEST(CoflowTrace, ShowsTracesWithoutCoflowsOrSpan)
{
    std::ofstream(Folder() / "none.csv") << "coflow_id,arrival_s,src,dst,bytes\n";
    EXPECT_EQ(RunCommand("coflow-trace info none.csv").status, 0);
    EXPECT_EQ(RunCommand("coflow-trace generate incast --out=- > incast.csv").status, 0);
    EXPECT_EQ(RunCommand("coflow-trace info incast.csv | grep 'offered'").lines,
              std::vector<std::string>{"offered load from the first to the last arrival, at "
                                       "links of 1 Gbps: (all arrive at once) of all uplinks"});
}

TEST(CoflowTrace, DoesWhatTheDocumentationShows)
{
    std::ifstream in(COFLOW_SOURCE_DIR "/doc/reference/workloads.md");
    std::vector<std::pair<std::string, std::vector<std::string>>> examples;
    bool isConsole = false;
    for (std::string line; std::getline(in, line);)
    {
        if (line.rfind("```", 0) == 0)
        {
            isConsole = line == "```console";
        }
        else if (isConsole && line.rfind("$ ", 0) == 0)
        {
            examples.emplace_back(line.substr(2), std::vector<std::string>{});
        }
        else if (isConsole && !examples.empty())
        {
            examples.back().second.push_back(line);
        }
    }
    EXPECT_GE(examples.size(), 5U);
    for (const auto& [command, documented] : examples)
    {
        const Outcome outcome = RunCommand(command);
        std::string seen;
        for (const std::string& line : outcome.lines)
        {
            seen += line + '\n';
        }
        EXPECT_TRUE(Matches(outcome.lines, 0, documented, 0)) << "$ " << command << '\n' << seen;
    }
}
