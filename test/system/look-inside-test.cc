/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// doc/how-to/look-inside.md tells stories that its commands print, whatever the times.

#include "coflow-test-paths.h"
#include "replay-program.h"

#include "ns3/coflow-scheduler-registry.h"
#include "ns3/log.h"
#include "ns3/type-id.h"

#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace coflow::test;

namespace
{

class LookInside : public ReplayProgram
{
  protected:
    struct Story
    {
        std::string log;       ///< NS_LOG; empty: none
        std::string arguments; ///< of coflow-replay
        std::vector<std::string> lines;
    };

    /// @return the commands of the page, and what it shows below each
    static std::vector<Story> GetStories(const std::string& page)
    {
        static const std::regex command("\\$ (?:NS_LOG=\"([^\"]*)\" )?coflow-replay (.*)");
        std::vector<Story> stories;
        std::istringstream lines(page);
        bool console = false;
        for (std::string line; std::getline(lines, line);)
        {
            std::smatch match;
            if (line.starts_with("```"))
            {
                console = line == "```console";
            }
            else if (console && std::regex_match(line, match, command))
            {
                stories.push_back({match[1], match[2], {}});
            }
            else if (console)
            {
                stories.back().lines.push_back(GetEvent(line));
            }
        }
        return stories;
    }

    /// @return the content of a code block
    static std::string GetTrace(const std::string& page)
    {
        const auto begin = page.find("coflow_id,");
        return page.substr(begin, page.find("```", begin) - begin);
    }

    /// @return a line of a log without what TCP's timing changes
    static std::string GetEvent(const std::string& line)
    {
        static const std::regex time("^\\+[0-9.]*s ");
        static const std::regex number("(decision|has key) [0-9]*");
        return std::regex_replace(std::regex_replace(line, time, ""), number, "$1 N");
    }
};

} // namespace

TEST_F(LookInside, StoriesAreWhatTheCommandsPrint)
{
    const auto page = ReadFile(COFLOW_SOURCE_DIR "/doc/how-to/look-inside.md");
    Write("three.csv", GetTrace(page));
    const auto stories = GetStories(page);
    ASSERT_EQ(stories.size(), 4U) << "three stories and a timeline";
    for (const auto& story : stories)
    {
        SCOPED_TRACE(story.arguments);
        auto arguments = story.arguments;
        for (const std::string file : {"three.csv", "timeline.json"})
        {
            const auto found = arguments.find("=" + file);
            if (found != std::string::npos)
            {
                arguments.replace(found + 1, file.size(), (m_folder / file).string());
            }
        }
        ::setenv("NS_LOG", story.log.c_str(), 1);
        const auto run = Replay(arguments);
        ::unsetenv("NS_LOG");
        ASSERT_EQ(run.status, 0) << run.err;
        if (story.log.empty())
        {
            EXPECT_GT(ReadFile(m_folder / "timeline.json").size(), 1000U);
            continue;
        }
        std::set<std::string> printed;
        std::istringstream lines(run.err);
        for (std::string line; std::getline(lines, line);)
        {
            printed.insert(GetEvent(line));
        }
        if (printed.size() < 3)
        {
            GTEST_SKIP() << "this ns-3 has no logs";
        }
        EXPECT_GT(story.lines.size(), 10U);
        for (const auto& line : story.lines)
        {
            EXPECT_EQ(printed.count(line), 1U) << line;
        }
    }
}

// What is not listed is not found.
TEST_F(LookInside, PageListsAllComponentsOfLogs)
{
    const auto page = ReadFile(COFLOW_SOURCE_DIR "/doc/how-to/look-inside.md");
    uint32_t found = 0;
    for (const auto& [name, component] : *ns3::LogComponent::GetComponentList())
    {
        if (name.starts_with("Coflow"))
        {
            ++found;
            EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << name;
        }
    }
    EXPECT_GT(found, 30U);
}

TEST_F(LookInside, PagesListAllTraceSources)
{
    const auto page = ReadFile(COFLOW_SOURCE_DIR "/doc/how-to/look-inside.md");
    const auto reference = ReadFile(COFLOW_SOURCE_DIR "/doc/coflow.rst");
    uint32_t found = 0;
    for (uint16_t i = 0; i < ns3::TypeId::GetRegisteredN(); ++i)
    {
        const auto type = ns3::TypeId::GetRegistered(i);
        const std::string prefix = "ns3::coflow::";
        if (!type.GetName().starts_with(prefix))
        {
            continue;
        }
        for (std::size_t j = 0; j < type.GetTraceSourceN(); ++j)
        {
            ++found;
            const auto name = type.GetName().substr(prefix.size());
            const auto source = type.GetTraceSource(j).name;
            EXPECT_NE(page.find("| `" + name + "` |"), std::string::npos) << name;
            EXPECT_NE(page.find("`" + source + "`"), std::string::npos) << name << "/" << source;
            EXPECT_NE(reference.find("``" + name + "``:"), std::string::npos) << name;
            EXPECT_NE(reference.find("``" + source + "``"), std::string::npos)
                << name << "/" << source;
        }
    }
    EXPECT_GT(found, 20U);
}
