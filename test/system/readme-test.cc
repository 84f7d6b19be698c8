/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// README.md does what it says: its commands run, its program is one of the examples.

#include "coflow-effort.h"
#include "coflow-program.h"
#include "coflow-test-data.h"
#include "coflow-test-paths.h"

#include "ns3/coflow-version.h"

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
    // All but the last column: CPU time, as wide as this machine is slow.
    const auto rows = [](std::istringstream lines) {
        std::vector<std::string> kept;
        std::size_t width = 0;
        for (std::string line; std::getline(lines, line) && !line.starts_with("```");)
        {
            if (line.starts_with("sizes are scaled"))
            {
                break; // below the table
            }
            if (kept.empty())
            {
                EXPECT_NE(line.find("drops"), std::string::npos) << line;
                const auto control = line.find("ctl MB");
                width = control == std::string::npos ? line.find("drops") + 5 : control + 6;
            }
            // Columns are as wide as their widest row, which may not be there.
            kept.push_back(std::regex_replace(line.substr(0, width), std::regex(" +"), " "));
        }
        return kept;
    };
    const auto expectShown = [&](const std::string& title, const std::string& command) {
        const auto begin = m_text.find(title);
        ASSERT_NE(begin, std::string::npos);
        const auto space = command.find(' ');
        const auto run = Run(command.substr(0, space), command.substr(space + 1));
        auto shown = rows(std::istringstream(m_text.substr(begin + title.size())));
        const auto printed = rows(std::istringstream(run.out));
        ASSERT_EQ(run.status, 0) << run.err;
        ASSERT_GE(printed.size(), 2U) << run.out;
        ASSERT_GE(shown.size(), printed.size());
        shown.resize(printed.size()); // the other table may follow
        EXPECT_EQ(shown, printed);
    };
    // Packets take ten seconds per scheduler: on every change the first row is compared, whose
    // scheduler takes none of the options that follow.
    std::string packets = COFLOW_DEMO_PACKET;
    if (!IsFull())
    {
        packets.erase(packets.find(',', packets.find("--compare=")));
    }
    expectShown("Packet level: 60 coflows on a fat-tree of 16 hosts, real TCP\n", packets);
    expectShown("Fluid: the same workload without packets, only host ports limit\n",
                "coflow-replay --trace=" COFLOW_SOURCE_DIR "/examples/data/fb-like-16.csv "
                "--topology=fat-tree --k=4 --engine=fluid --compare=all");
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
