/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-heartbeat.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <thread>

using namespace ns3;
using ns3::coflow::Heartbeat;
using namespace std::chrono_literals;

namespace
{

/// Events one nanosecond apart that take real time, until there were enough beats or the events
/// are used up: far less simulated than real time, as where many hosts send.
class Load
{
  public:
    Load(const int& beats, int wanted)
        : m_beats(beats),
          m_wanted(beats + wanted)
    {
    }

    void Work()
    {
        std::this_thread::sleep_for(1ms);
        if (m_beats < m_wanted && --m_eventsLeft > 0)
        {
            Simulator::Schedule(NanoSeconds(1), &Load::Work, this);
        }
    }

    int GetEventsLeft() const
    {
        return m_eventsLeft;
    }

  private:
    const int& m_beats;
    int m_wanted;
    int m_eventsLeft{20'000};
};

} // namespace

TEST(Heartbeat, BeatsInRealTimeAlsoWhenLoadFollowsIdleTime)
{
    int beats = 0;
    std::optional<Heartbeat> heartbeat(std::in_place, [&beats] { ++beats; }, 1ms);
    std::optional<Load> load;
    Simulator::Schedule(Hours(1), [&] {
        load.emplace(beats, 3);
        load->Work();
    });
    Simulator::Run();
    ASSERT_TRUE(load);
    EXPECT_GT(load->GetEventsLeft(), 0) << "no beat, although there was much real time";
    EXPECT_LT(Simulator::Now(), Hours(1) + MicroSeconds(20));
    EXPECT_EQ(heartbeat->GetNEvents(), static_cast<uint64_t>(beats));
    heartbeat.reset(); // before the simulation, which its thread would make anew
    Simulator::Destroy();
}

TEST(Heartbeat, HasNoEventsWhereNothingElseHappens)
{
    // Idle time takes no real time, and a run with nothing left ends.
    const auto events = Simulator::GetEventCount();
    Heartbeat heartbeat([] {}, 1h);
    Simulator::Schedule(Days(1000), [] {});
    Simulator::Run();
    EXPECT_EQ(Simulator::GetEventCount() - events, 1U);
    EXPECT_EQ(heartbeat.GetNEvents(), 0U);
    Simulator::Destroy();
}

TEST(Heartbeat, ItsExceptionEndsTheRun)
{
    const int beats = 0;
    Load load(beats, 1);
    {
        Heartbeat heartbeat([] { throw std::runtime_error("interrupted"); }, 1ms);
        Simulator::Schedule(Seconds(1), &Load::Work, &load);
        EXPECT_THROW(Simulator::Run(), std::runtime_error);
    }
    EXPECT_GT(load.GetEventsLeft(), 0);
    Simulator::Destroy();
}

TEST(Heartbeat, IsSilentWhenItIsGone)
{
    int beats = 0;
    int before = 0;
    std::optional<Heartbeat> heartbeat(std::in_place, [&beats] { ++beats; }, 1ms);
    // A beat is asked for while this event sleeps, and finds no heartbeat any more.
    Simulator::Schedule(Seconds(1), [&] {
        std::this_thread::sleep_for(20ms);
        heartbeat.reset();
        before = beats;
    });
    Simulator::Schedule(Seconds(2), [] {});
    Simulator::Run();
    EXPECT_EQ(beats, before);
    EXPECT_EQ(Simulator::Now(), Seconds(2));
    Simulator::Destroy();
}
