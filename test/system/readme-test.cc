/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// README.md does what it says: its commands run, its program is one of the examples.

#include "coflow-effort.h"
#include "coflow-program.h"
#include "coflow-test-data.h"
#include "coflow-test-paths.h"

#include "ns3/coflow-version.h"

#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <vector>

using namespace coflow::test;

namespace
{

class Readme : public ProgramTest
{
  protected:
    const std::string m_text = ReadFile(COFLOW_SOURCE_DIR "/README.md");

    /// A command of a console block, and the lines that the README shows below it.
    struct Console
    {
        std::string command;
        std::vector<std::string> shown;
    };

    /// All console blocks; a command that ends in a backslash goes on in the next line.
    std::vector<Console> Commands() const
    {
        std::vector<Console> commands;
        std::istringstream lines(m_text);
        bool console = false;
        bool goesOn = false;
        for (std::string line; std::getline(lines, line);)
        {
            if (line.starts_with("```"))
            {
                console = line == "```console";
                continue;
            }
            if (!console)
            {
                continue;
            }
            if (!goesOn && !line.starts_with("$ "))
            {
                EXPECT_FALSE(commands.empty()) << line;
                if (!commands.empty())
                {
                    commands.back().shown.push_back(line);
                }
                continue;
            }
            if (!goesOn)
            {
                commands.emplace_back();
                line.erase(0, 2);
            }
            goesOn = line.ends_with('\\');
            commands.back().command += goesOn ? line.substr(0, line.size() - 1) : line;
        }
        return commands;
    }
};

} // namespace

TEST_F(Readme, CommandsRun)
{
    const auto commands = Commands();
    ASSERT_GE(commands.size(), 5U);
    std::filesystem::create_symlink(COFLOW_SOURCE_DIR "/examples", m_folder / "examples");
    for (auto [command, shown] : commands)
    {
        const std::string file = "FB2010-1Hr-150-0.txt";
        if (const auto name = command.find(file); name != std::string::npos)
        {
            const auto trace = FacebookTrace();
            if (!trace)
            {
                continue;
            }
            command.replace(name, file.size(), *trace);
            command += " --firstCoflows=20"; // the first ones will do for a test
        }
        const auto shell = "cd " + m_folder.string() +
                           " && PATH=" COFLOW_BINARY_DIR "/bin:$PATH && " + command +
                           " >out.txt 2>&1";
        EXPECT_EQ(std::system(shell.c_str()), 0) << command << "\n"
                                                 << ReadFile(m_folder / "out.txt");
    }
}

TEST_F(Readme, ShowsWhatItsCommandsPrint)
{
    if (!ns3::coflow::GetNs3Version().starts_with("3.44"))
    {
        GTEST_SKIP()
            << "the README shows what ns-3 3.44 does; TCP of another version has other times";
    }
    // What a run costs differs from machine to machine.
    const auto withoutCost = [](const std::string& line) {
        return std::regex_replace(line, std::regex(", [0-9.e-]+ s CPU.*"), "");
    };
    int compared = 0;
    for (const auto& [command, shown] : Commands())
    {
        if (shown.empty())
        {
            continue;
        }
        const auto space = command.find(' ');
        const auto run = Run(command.substr(0, space), command.substr(space + 1));
        EXPECT_EQ(run.status, 0) << run.err;
        std::istringstream printed(run.out);
        for (const auto& expected : shown)
        {
            std::string line;
            EXPECT_TRUE(std::getline(printed, line)) << expected;
            EXPECT_EQ(withoutCost(line), withoutCost(expected)) << command;
        }
        ++compared;
    }
    EXPECT_GT(compared, 0);
}

TEST_F(Readme, ShowsTheTablesOfTheDemo)
{
    if (!ns3::coflow::GetNs3Version().starts_with("3.44"))
    {
        GTEST_SKIP() << "the README shows what ns-3 3.44 does";
    }
    // The README's table in Markdown: columns by name, for each scheduler.
    const auto begin = m_text.find("<!-- demo -->");
    ASSERT_NE(begin, std::string::npos);
    std::map<std::string, std::map<std::string, std::string>> shown;
    std::vector<std::string> head;
    std::istringstream lines(m_text.substr(m_text.find('|', begin)));
    for (std::string line; std::getline(lines, line) && line.starts_with("| ");)
    {
        std::vector<std::string> cells;
        std::istringstream row(line.substr(1));
        for (std::string cell; std::getline(row, cell, '|');)
        {
            cells.push_back(cell.substr(1, cell.size() - 2));
        }
        if (head.empty())
        {
            head = cells;
            std::getline(lines, line); // the rule below the head
            continue;
        }
        ASSERT_EQ(cells.size(), head.size()) << line;
        for (std::size_t i = 1; i < cells.size(); ++i)
        {
            shown[cells[0]][head[i]] = cells[i];
        }
    }
    ASSERT_EQ(shown.size(), 5U);
    // Packets take seconds per scheduler: on every change only plain TCP is compared. Its line does
    // not depend on the others.
    std::string packets = COFLOW_DEMO_PACKET;
    if (!IsFull())
    {
        packets.erase(packets.find(',', packets.find("--compare=")));
    }
    const std::map<std::string, std::string> inPackets{{"mean CCT s", "packet_ms"},
                                                       {"speed-up", "speed_up"},
                                                       {"bypassed", "bypassed"},
                                                       {"messages", "messages"},
                                                       {"ctl MB", "control_MB"}};
    const std::map<std::string, std::string> asFluids{{"mean CCT s", "fluid_ms"}};
    const auto compare = [&](const std::string& command,
                             const std::map<std::string, std::string>& columns,
                             std::size_t expectedRows) {
        const auto space = command.find(' ');
        const auto run = Run(command.substr(0, space), command.substr(space + 1));
        ASSERT_EQ(run.status, 0) << run.err;
        // Columns of the program's table are at least two spaces apart.
        const auto split = [](const std::string& line) {
            const std::regex gap("  +");
            return std::vector<std::string>(
                std::sregex_token_iterator(line.begin(), line.end(), gap, -1),
                std::sregex_token_iterator());
        };
        std::istringstream printed(run.out);
        std::string line;
        std::getline(printed, line);
        const auto names = split(line);
        std::size_t rows = 0;
        while (std::getline(printed, line) && !line.starts_with("sizes are scaled"))
        {
            const auto cells = split(line);
            ASSERT_EQ(cells.size(), names.size()) << line;
            ++rows;
            for (const auto& [theirs, ours] : columns)
            {
                const auto place = std::find(names.begin(), names.end(), theirs) - names.begin();
                ASSERT_LT(place, static_cast<std::ptrdiff_t>(names.size())) << theirs;
                const double unit = theirs == "mean CCT s" ? 1e3 : 1; // seconds in milliseconds
                // Both are rounded.
                EXPECT_NEAR(std::stod(cells[place]) * unit,
                            std::stod(shown.at(cells[0]).at(ours)),
                            0.00501)
                    << cells[0] << " " << theirs;
            }
        }
        EXPECT_EQ(rows, expectedRows);
    };
    compare(packets, inPackets, IsFull() ? 5 : 1);
    compare(COFLOW_DEMO_FLUID_TCP, asFluids, 1);
    compare(COFLOW_DEMO_FLUID_RATES, asFluids, 4);
    for (const auto& [scheduler, cells] : shown)
    {
        EXPECT_NEAR(std::stod(cells.at("packet_ms")) / std::stod(cells.at("fluid_ms")),
                    std::stod(cells.at("packet/fluid")),
                    0.0101)
            << scheduler;
    }
}

TEST_F(Readme, ShowsAnExampleThatIsBuilt)
{
    const auto begin = m_text.find("```cpp\n") + 7;
    const auto code = m_text.substr(begin, m_text.find("```\n", begin) - begin);
    const auto example = ReadFile(COFLOW_SOURCE_DIR "/examples/coflow-minimal.cc");
    ASSERT_FALSE(code.empty());
    EXPECT_TRUE(example.ends_with(code)) << code;
    const auto run = Run("coflow-minimal", "");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out.rfind("coflow_id,", 0), 0U) << run.out;
}
