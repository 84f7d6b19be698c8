/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The event list holds an exact order whatever its ticks are, and the simulator that uses it does
// what ns-3's own does.

#include "ns3/coflow-event-wheel.h"
#include "ns3/coflow-intrusive-event.h"
#include "ns3/coflow-intrusive-schedule.h"
#include "ns3/coflow-intrusive-timer.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/default-simulator-impl.h"
#include "ns3/simple-ref-count.h"
#include "ns3/simulator.h"

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace ns3::coflow
{
namespace
{

class Dice
{
  public:
    explicit Dice(uint64_t seed)
        : m_random(seed)
    {
    }

    int64_t Draw(int64_t least, int64_t most)
    {
        return boost::random::uniform_int_distribution<int64_t>(least, most)(m_random);
    }

    /// @return a time of any order of magnitude
    int64_t DrawDelay(int64_t digits)
    {
        return Draw(0, int64_t{1} << Draw(0, digits));
    }

  private:
    boost::random::mt19937_64 m_random;
};

constexpr IntrusiveEventKind NO_KIND{nullptr, nullptr, {}};

/// Pushes and pops at random; bursts at one time and long gaps change the length of ticks.
void
CompareWithSet(uint64_t seed)
{
    Dice dice(seed);
    EventWheel wheel;
    std::set<std::tuple<int64_t, uint64_t, IntrusiveEvent*>> expected;
    std::vector<IntrusiveEvent> events(16, IntrusiveEvent{&NO_KIND});
    int64_t now = 0;
    uint64_t order = 0;
    for (int step = 0; step < 30000; ++step)
    {
        const int64_t digits = step % 7000 < 3500 ? 11 : 36;
        const bool burst = dice.Draw(0, 2000) == 0;
        const int64_t pushes = burst ? 1500 : dice.Draw(0, 2);
        const int64_t spread = burst ? dice.Draw(0, 24) : digits;
        for (int64_t i = 0; i < pushes; ++i)
        {
            IntrusiveEvent* event = &events[static_cast<std::size_t>(dice.Draw(0, 15))];
            const int64_t time = now + dice.DrawDelay(spread);
            wheel.Push({time, ++order, event});
            expected.insert({time, order, event});
        }
        for (int64_t pops = dice.Draw(0, 3); pops > 0 && !expected.empty(); --pops)
        {
            const auto entry = wheel.Pop();
            ASSERT_EQ(std::tuple(entry.time, entry.order, entry.event), *expected.begin());
            now = entry.time;
            expected.erase(expected.begin());
        }
        ASSERT_EQ(wheel.GetSize(), expected.size());
    }
    while (!expected.empty())
    {
        const auto entry = wheel.Pop();
        ASSERT_EQ(std::tuple(entry.time, entry.order, entry.event), *expected.begin());
        expected.erase(expected.begin());
    }
    EXPECT_TRUE(wheel.IsEmpty());
}

TEST(EventWheel, KeepsTheOrderOfASet)
{
    for (uint64_t seed = 1; seed <= 8; ++seed)
    {
        CompareWithSet(seed);
    }
}

TEST(EventWheel, TicksFollowTheDensityOfEvents)
{
    EventWheel wheel;
    const uint32_t before = wheel.GetShift();
    IntrusiveEvent event{&NO_KIND};
    uint64_t order = 0;
    // 100,000 events that go on every microsecond: 100 in a nanosecond.
    for (int64_t i = 0; i < 100000; ++i)
    {
        wheel.Push({i / 100, ++order, &event});
    }
    for (int64_t i = 0; i < 3000000; ++i)
    {
        const auto entry = wheel.Pop();
        wheel.Push({entry.time + 1000, ++order, &event});
    }
    EXPECT_LT(wheel.GetShift(), before);
    while (wheel.GetSize() > 1)
    {
        wheel.Pop();
    }
    // One event that goes on every millisecond.
    for (int64_t i = 0; i < 100000; ++i)
    {
        const auto entry = wheel.Pop();
        wheel.Push({entry.time + 1000000, ++order, &event});
    }
    EXPECT_GT(wheel.GetShift(), before);
}

/// A random program of a simulation, and what happens in it.
class Program
{
  public:
    explicit Program(uint64_t seed)
        : m_dice(seed)
    {
    }

    std::vector<std::string> Run()
    {
        for (int i = 0; i < 20; ++i)
        {
            Act();
        }
        Simulator::ScheduleDestroy(&Program::Note, this, "destroy");
        const EventId cancelled = Simulator::ScheduleDestroy(&Program::Note, this, "cancelled");
        Simulator::Cancel(cancelled);
        Note(cancelled.IsExpired() ? "expired" : "pending");
        Simulator::Stop(MicroSeconds(300));
        Simulator::Run();
        Note("stopped");
        Act();
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        Note(Simulator::IsFinished() ? "finished" : "not finished");
        Simulator::Destroy();
        return m_log;
    }

  private:
    void Note(const std::string& what)
    {
        m_log.push_back(std::to_string(Simulator::Now().GetTimeStep()) + " " +
                        std::to_string(Simulator::GetContext()) + " " + what);
    }

    Time DrawDelay()
    {
        return TimeStep(static_cast<uint64_t>(m_dice.DrawDelay(20)));
    }

    void Happen(int name)
    {
        Note(std::to_string(name));
        for (int64_t acts = m_dice.Draw(0, m_log.size() < 3000 ? 3 : 0); acts > 0; --acts)
        {
            Act();
        }
    }

    void Act()
    {
        const int name = ++m_names;
        switch (m_dice.Draw(0, 7))
        {
        case 0:
            m_ids.push_back(Simulator::ScheduleNow(&Program::Happen, this, name));
            break;
        case 1:
            Simulator::ScheduleWithContext(static_cast<uint32_t>(m_dice.Draw(0, 5)),
                                           DrawDelay(),
                                           &Program::Happen,
                                           this,
                                           name);
            break;
        case 2:
            if (!m_ids.empty())
            {
                Pick().Cancel();
            }
            break;
        case 3:
            if (!m_ids.empty())
            {
                Simulator::Remove(Pick());
            }
            break;
        case 4:
            if (!m_ids.empty())
            {
                const EventId& id = Pick();
                Note((id.IsExpired() ? "expired " : "pending ") +
                     std::to_string(Simulator::GetDelayLeft(id).GetTimeStep()));
            }
            break;
        default:
            m_ids.push_back(Simulator::Schedule(DrawDelay(), &Program::Happen, this, name));
            break;
        }
    }

    EventId& Pick()
    {
        const auto last = static_cast<int64_t>(m_ids.size()) - 1;
        return m_ids[static_cast<std::size_t>(m_dice.Draw(std::max<int64_t>(0, last - 10), last))];
    }

    Dice m_dice;
    int m_names{0};
    std::vector<EventId> m_ids;
    std::vector<std::string> m_log;
};

TEST(WheelSimulator, DoesWhatTheDefaultSimulatorDoes)
{
    Simulator::Destroy();
    for (uint64_t seed = 1; seed <= 60; ++seed)
    {
        Simulator::SetImplementation(CreateObject<DefaultSimulatorImpl>());
        const auto expected = Program(seed).Run();
        ASSERT_TRUE(WheelSimulatorImpl::Install());
        const auto log = Program(seed).Run();
        ASSERT_EQ(log, expected) << "seed " << seed;
        ASSERT_TRUE(WheelSimulatorImpl::Install());
        WheelSimulatorImpl::Get()->AllowJumps();
        ASSERT_EQ(Program(seed).Run(), expected) << "seed " << seed << ", two lists";
    }
}

/// Has timers, and notes when they run out.
class Owner : public SimpleRefCount<Owner>
{
  public:
    Owner(int name, std::vector<std::string>& log)
        : light(*this, static_cast<uint32_t>(name)),
          m_name(name),
          m_log(log)
    {
    }

    void HandleLight()
    {
        Note("timer");
    }

    void HandleHeavy()
    {
        Note("timer");
    }

    void Prefetch(std::size_t /* stage */) const
    {
    }

    IntrusiveTimer<Owner, &Owner::HandleLight> light;
    EventId heavy;

  private:
    void Note(const std::string& what)
    {
        m_log.push_back(std::to_string(Simulator::Now().GetTimeStep()) + " " +
                        std::to_string(m_name) + " " + what);
    }

    int m_name;
    std::vector<std::string>& m_log;
};

/// Timers are set and cancelled at random, as events of ns-3 or as light ones.
std::vector<std::string>
RunTimers(uint64_t seed, bool light)
{
    Dice dice(seed);
    std::vector<std::string> log;
    {
        std::vector<Ptr<Owner>> owners;
        for (int i = 0; i < 6; ++i)
        {
            owners.push_back(Create<Owner>(i, log));
        }
        for (int step = 0; step < 400; ++step)
        {
            const auto act = dice.Draw(0, 4);
            const auto owner = owners[static_cast<std::size_t>(dice.Draw(0, 5))];
            const Time delay = NanoSeconds(dice.Draw(0, 40));
            const auto set = [owner, delay, act, light, &log] {
                if (light)
                {
                    log.push_back(owner->light.IsPending() ? "pending" : "expired");
                    act == 0 ? owner->light.Cancel() : owner->light.Schedule(delay);
                    return;
                }
                log.push_back(owner->heavy.IsPending() ? "pending" : "expired");
                owner->heavy.Cancel();
                if (act != 0)
                {
                    owner->heavy =
                        Simulator::Schedule(delay, &Owner::HandleHeavy, PeekPointer(owner));
                }
            };
            Simulator::Schedule(NanoSeconds(dice.Draw(0, 2000)), set);
        }
        // Some entries stay in the list, and keep their owners, until it is destroyed.
        Simulator::Stop(NanoSeconds(1500));
        Simulator::Run();
    }
    Simulator::Destroy();
    return log;
}

TEST(IntrusiveTimer, RunsOutWhereAnEventWould)
{
    Simulator::Destroy();
    for (uint64_t seed = 1; seed <= 40; ++seed)
    {
        Simulator::SetImplementation(CreateObject<DefaultSimulatorImpl>());
        const auto expected = RunTimers(seed, false);
        EXPECT_GT(expected.size(), 300U);
        Simulator::SetImplementation(CreateObject<DefaultSimulatorImpl>());
        ASSERT_EQ(RunTimers(seed, true), expected) << "seed " << seed << ", ns-3's simulator";
        ASSERT_TRUE(WheelSimulatorImpl::Install());
        ASSERT_EQ(RunTimers(seed, true), expected) << "seed " << seed << ", wheel";
        ASSERT_TRUE(WheelSimulatorImpl::Install());
        WheelSimulatorImpl::Get()->AllowJumps();
        ASSERT_EQ(RunTimers(seed, true), expected) << "seed " << seed << ", two lists";
    }
}

TEST(WheelSimulator, SkipsSimulationTimeAndNotPacketTime)
{
    Simulator::Destroy();
    ASSERT_TRUE(WheelSimulatorImpl::Install());
    auto* simulator = WheelSimulatorImpl::Get();
    std::vector<std::string> log;
    {
        const auto early = Create<Owner>(1, log);
        const auto late = Create<Owner>(2, log);
        Simulator::Schedule(NanoSeconds(1000), [&log] { log.push_back("event"); });
        const EventId gone = Simulator::Schedule(NanoSeconds(500), [&log] { log.push_back("no"); });
        simulator->AllowJumps();
        Simulator::Schedule(NanoSeconds(10), [&] {
            early->light.Schedule(NanoSeconds(30));
            late->light.Schedule(NanoSeconds(100));
            gone.PeekEventImpl()->Cancel();
            EXPECT_EQ(simulator->GetTimeToNs3Event(), 990) << "what was cancelled does not count";
            simulator->JumpOver(950); // to 960
            EXPECT_EQ(Simulator::Now(), NanoSeconds(960));
            EXPECT_EQ(simulator->GetPacketTimeStep(), 10);
            const WheelSimulatorImpl::PacketClock clock;
            EXPECT_EQ(Simulator::Now(), NanoSeconds(10));
        });
        Simulator::Run();
    }
    EXPECT_EQ(log, (std::vector<std::string>{"990 1 timer", "event", "1060 2 timer"}));
    Simulator::Destroy();
}

// How fast the machine is must not be seen: what another thread gives is no event of ns-3 that
// a jump would end at.
TEST(WheelSimulator, RunsEventsOfOtherThreadsBesideTheList)
{
    Simulator::Destroy();
    ASSERT_TRUE(WheelSimulatorImpl::Install());
    auto* simulator = WheelSimulatorImpl::Get();
    simulator->AllowJumps();
    std::vector<std::string> log;
    Simulator::Schedule(NanoSeconds(10), [&] {
        Simulator::ScheduleNow([&log] { log.push_back("own"); });
        std::thread([&] {
            Simulator::ScheduleWithContext(7, Time(0), [&] {
                log.push_back("foreign at " + std::to_string(Simulator::Now().GetTimeStep()) +
                              " in " + std::to_string(Simulator::GetContext()));
            });
            Simulator::ScheduleWithContext(8, NanoSeconds(5), [&] {
                log.push_back("later at " + std::to_string(Simulator::Now().GetTimeStep()));
            });
        }).join();
    });
    Simulator::Schedule(NanoSeconds(90), [&log] { log.push_back("end"); });
    Simulator::Run();
    EXPECT_EQ(log, (std::vector<std::string>{"foreign at 10 in 7", "own", "later at 15", "end"}));
    EXPECT_EQ(simulator->GetEventCount(), 5U);
    EXPECT_EQ(simulator->GetForeignEventCount(), 1U);
    Simulator::Destroy();
}

TEST(WheelSimulator, LeavesASimulatorThatIsThereAlone)
{
    Simulator::Destroy();
    const auto mine = CreateObject<DefaultSimulatorImpl>();
    Simulator::SetImplementation(mine);
    EXPECT_FALSE(WheelSimulatorImpl::Install());
    EXPECT_EQ(Simulator::GetImplementation(), mine);
    Simulator::Destroy();
}

} // namespace
} // namespace ns3::coflow
