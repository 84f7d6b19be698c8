/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The timeline of a run is JSON of the trace event format, and shows what the run's files say.

#include "coflow-expect-error.h"
#include "replay-program.h"

#include "ns3/coflow-timeline-file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3::coflow;
using namespace coflow::test;

namespace
{

/// Members of an event that are no objects themselves, by name; those of "args" as "args.NAME".
using Event = std::map<std::string, std::string>;

/// Reads the JSON of trace events, and nothing else: an object with an array of flat objects, which
/// may have an object "args".
class TraceReader
{
  public:
    explicit TraceReader(const std::string& text)
        : m_text(text)
    {
    }

    std::vector<Event> Read()
    {
        std::vector<Event> events;
        Take('{');
        EXPECT_EQ(String(), "displayTimeUnit");
        Take(':');
        EXPECT_EQ(String(), "ms");
        Take(',');
        EXPECT_EQ(String(), "traceEvents");
        Take(':');
        Take('[');
        do
        {
            Event event;
            Object(event, "");
            events.push_back(event);
        } while (Taken(','));
        Take(']');
        Take('}');
        Skip();
        EXPECT_EQ(m_at, m_text.size()) << "something follows";
        return events;
    }

  private:
    void Object(Event& event, const std::string& prefix)
    {
        Take('{');
        if (Taken('}'))
        {
            return;
        }
        do
        {
            const auto name = prefix + String();
            Take(':');
            Skip();
            if (m_text[m_at] == '{')
            {
                Object(event, name + ".");
            }
            else
            {
                EXPECT_TRUE(event.emplace(name, m_text[m_at] == '"' ? String() : Number()).second);
            }
        } while (Taken(','));
        Take('}');
    }

    void Skip()
    {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
        {
            ++m_at;
        }
    }

    bool Taken(char wanted)
    {
        Skip();
        const bool is = m_at < m_text.size() && m_text[m_at] == wanted;
        m_at += is;
        return is;
    }

    void Take(char wanted)
    {
        if (!Taken(wanted))
        {
            throw std::runtime_error(std::string("no ") + wanted + " at " + std::to_string(m_at));
        }
    }

    std::string String()
    {
        Take('"');
        const auto end = m_text.find('"', m_at);
        const auto value = m_text.substr(m_at, end - m_at);
        m_at = end + 1;
        return value;
    }

    std::string Number()
    {
        std::size_t length = 0;
        std::stod(m_text.substr(m_at, 40), &length);
        const auto value = m_text.substr(m_at, length);
        m_at += length;
        return value;
    }

    const std::string& m_text;
    std::size_t m_at{0};
};

class TimelineTest : public ReplayProgram
{
  protected:
    std::vector<Event> Show(const std::string& arguments)
    {
        const auto file = m_folder / "timeline.json";
        const auto run = Replay(arguments + " --timeline=" + file.string());
        EXPECT_EQ(run.status, 0) << run.err;
        m_text = ReadFile(file);
        return TraceReader(m_text).Read();
    }

    std::string m_text;
};

/// Two coflows from host 0 to hosts 1 and 2; the second arrives when the first is under way.
constexpr const char* TWO = "coflow_id,arrival_s,src,dst,bytes\n"
                            "1,0.01,0,1,5000000\n"
                            "2,0.02,0,2,2500000\n";

} // namespace

TEST_F(TimelineTest, ShowsEveryByteOnceAtBothEnds)
{
    const auto trace = Write("two.csv", TWO);
    const auto events = Show("--trace=" + trace +
                             " --topology=big-switch --hosts=4 --scheduler=varys --bypassBytes=0");
    std::map<std::string, std::string> processes; // names by number
    std::map<std::string, uint64_t> bytes;        // by process and thing
    double waited = 0;                            // microseconds, of coflow 2
    double ran = 0;
    uint32_t sent = 0;
    uint32_t received = 0;
    for (const auto& event : events)
    {
        if (event.at("ph") == "M")
        {
            if (event.at("name") == "process_name")
            {
                processes[event.at("pid")] = event.at("args.name");
            }
            continue;
        }
        EXPECT_GE(std::stod(event.at("ts")), 0);
        if (event.at("ph") == "C")
        {
            continue;
        }
        const auto process = processes.at(event.at("pid"));
        if (event.at("ph") == "s" || event.at("ph") == "f")
        {
            ++(event.at("ph") == "s" ? sent : received);
            continue;
        }
        ASSERT_EQ(event.at("ph"), "X");
        EXPECT_GT(std::stod(event.at("dur")), 0);
        EXPECT_LE(std::stod(event.at("ts")) + std::stod(event.at("dur")), 1.1e6);
        if (process.starts_with("host"))
        {
            bytes[process + ": " + event.at("name")] += std::stoull(event.at("args.bytes"));
        }
        if (process == "coflows" && event.at("tid") == "2")
        {
            (event.at("name") == "waiting" ? waited : ran) += std::stod(event.at("dur"));
        }
    }
    const std::map<std::string, uint64_t> expected{{"host 0 sends: coflow 1", 5'000'000},
                                                   {"host 0 sends: coflow 2", 2'500'000},
                                                   {"host 1 receives: coflow 1", 5'000'000},
                                                   {"host 2 receives: coflow 2", 2'500'000}};
    EXPECT_EQ(bytes, expected);
    // The smaller one goes first: 2.5 MB at 10 Gb/s, or how fast the links are by default.
    EXPECT_GT(ran, 1000);
    EXPECT_GT(waited, 0);
    EXPECT_GT(sent, 4U) << "coflows are registered, hosts are told rates";
    EXPECT_EQ(sent, received);
}

// Two senders fill the port of one receiver: a queue, marks, and half of what two uplinks carry.
TEST_F(TimelineTest, CountsWhatTheNetworkDoes)
{
    const auto events =
        Show("--generate=incast,senders=2,bytes=5MB --topology=big-switch --hosts=3 "
             "--linkRate=1Gbps --timelineWindow=0s,0.1s --out=" +
             (m_folder / "out").string());
    std::map<std::string, double> sums;
    std::map<std::string, double> most;
    int looks = 0;
    double last = 0;    // seconds
    double arrived = 0; // bytes
    for (const auto& event : events)
    {
        if (event.at("ph") != "C")
        {
            continue;
        }
        const double now = 1e-6 * std::stod(event.at("ts"));
        EXPECT_LE(now, 0.1);
        if (event.at("name").starts_with("uplinks"))
        {
            constexpr double UPLINKS = 3 * 125e6; // bytes per second
            arrived += std::stod(event.at("args.all")) / 100 * UPLINKS * (now - last);
            last = now;
            ++looks;
        }
        for (const auto& [name, value] : event)
        {
            if (name.starts_with("args."))
            {
                const auto key = event.at("name") + name.substr(4);
                sums[key] += std::stod(value);
                most[key] = std::max(most[key], std::stod(value));
            }
        }
    }
    EXPECT_GT(looks, 500);
    const auto summary = ReadFile(m_folder / "out/summary.json");
    const auto marked = std::to_string(static_cast<uint64_t>(sums["packets.marked"]));
    EXPECT_NE(summary.find("\"marked_packets\": " + marked + ","), std::string::npos) << marked;
    EXPECT_GT(sums["packets.marked"], 100);
    EXPECT_GT(most["queued bytes.fullest"], 30000) << "the threshold of marks";
    EXPECT_LE(most["queued bytes.fullest"], most["queued bytes.all"]);
    EXPECT_NEAR(arrived, 10e6, 1e4);
}

// Viewers take slices of a track for calls of functions, one within the other.
TEST_F(TimelineTest, SlicesOfATrackDoNotOverlapInPart)
{
    const auto trace = Write("two.csv", TWO);
    const auto events =
        Show("--trace=" + trace + " --topology=big-switch --hosts=4 --scheduler=varys" +
             " --bypassBytes=0 --scaleControl=0.001 --timelineWindow=0s,0.03s");
    std::map<std::pair<std::string, std::string>, std::vector<std::pair<int64_t, int64_t>>> tracks;
    for (const auto& event : events)
    {
        if (event.at("ph") == "X")
        {
            const auto begin = std::llround(1e3 * std::stod(event.at("ts")));
            const auto length = std::llround(1e3 * std::stod(event.at("dur")));
            // The longer one of two that begin at once is the outer one.
            tracks[{event.at("pid"), event.at("tid")}].emplace_back(begin, -length);
        }
    }
    EXPECT_GT((tracks[{"2", "4"}].size()), 50U) << "messages of the coordinator's host";
    for (auto& [track, slices] : tracks)
    {
        std::sort(slices.begin(), slices.end());
        std::vector<int64_t> ends;
        for (const auto& [begin, length] : slices)
        {
            while (!ends.empty() && ends.back() <= begin)
            {
                ends.pop_back();
            }
            EXPECT_TRUE(ends.empty() || begin - length <= ends.back())
                << "of " << track.first << ", " << track.second << " at " << begin;
            ends.push_back(begin - length);
        }
    }
}

// What it shows is bounded by its window, not by the run.
TEST_F(TimelineTest, EndsWithItsWindow)
{
    const auto trace = Write("two.csv", TWO);
    const auto some = Show("--trace=" + trace +
                           " --topology=big-switch --hosts=4 --linkRate=100Mbps "
                           "--timelineWindow=0.1s,0.2s");
    for (const auto& event : some)
    {
        if (event.at("ph") != "M" && event.at("ph") != "C")
        {
            EXPECT_GE(std::stod(event.at("ts")), 0.1e6);
            EXPECT_LE(std::stod(event.at("ts")) + std::stod(event.at("dur")), 0.2e6);
        }
    }
    // Two coflows on a track each, and on one at each of two ports; of a track, no more than one
    // slice and one wait in six looks.
    const auto counters = std::count_if(some.begin(), some.end(), [](const auto& event) {
        return event.at("ph") == "C";
    });
    EXPECT_LE(some.size() - static_cast<std::size_t>(counters),
              2U * 3 * 2 * (Timeline::Window::STEPS / 6 + 1) + 20);
}

TEST_F(TimelineTest, ChangesNoResult)
{
    const auto trace = Write("two.csv", TWO);
    const auto command = "--trace=" + trace + " --topology=big-switch --hosts=4 --flows --out=";
    Show(command + (m_folder / "with").string());
    EXPECT_EQ(Replay(command + (m_folder / "without").string()).status, 0);
    for (const std::string file : {"coflows.csv", "flows.csv"})
    {
        EXPECT_EQ(ReadFile(m_folder / "with" / file), ReadFile(m_folder / "without" / file));
    }
}

TEST_F(TimelineTest, MistakesAreTold)
{
    for (const std::string window : {"", "1s", "1s,1s", "2s,1s", "-1s,1s", "a,b", "0s,0.1us"})
    {
        EXPECT_EQ(ErrorOf([&] { ParseTimelineWindow(window); }),
                  "option --timelineWindow is '" + window +
                      "'; allowed: two times, such as 0.5s,2s, the second at least 1us after the "
                      "first, from 0 to 4e9 s");
    }
    const auto trace = Write("two.csv", TWO);
    const auto alone = Replay("--trace=" + trace + " --timelineWindow=0s,1s");
    EXPECT_EQ(alone.status, 2);
    EXPECT_NE(alone.err.find("option --timelineWindow has no effect; allowed: with "
                             "--timeline=FILE"),
              std::string::npos)
        << alone.err;
    const auto fluid = Replay("--trace=" + trace + " --engine=fluid --timeline=x");
    EXPECT_NE(fluid.err.find("option --timeline has no effect in the fluid engine"),
              std::string::npos)
        << fluid.err;
    const auto folder = Replay("--trace=" + trace + " --timeline=" + m_folder.string());
    EXPECT_EQ(folder.status, 2);
    EXPECT_NE(folder.err.find("cannot be written"), std::string::npos) << folder.err;
}
