/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Baraat's queue, against a model that scans everything, and its rules one by one.

#include "discipline-model.h"

#include "ns3/coflow-fifo-lm.h"

#include <map>
#include <utility>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

class FifoLmModel : public Model
{
  public:
    FifoLmModel(uint64_t heavyBytes, FifoLm::Sharing sharing)
        : m_heavyBytes(heavyBytes),
          m_sharing(sharing)
    {
    }

    /// @return number of the last task in the active class
    uint64_t LastOfClass() const
    {
        std::set<uint64_t> tasks;
        for (const PortItem* item : waiting)
        {
            tasks.insert(KeyOf(item));
        }
        for (const uint64_t task : tasks)
        {
            const auto sent = m_sent.find(task);
            if (task == 0 || sent == m_sent.end() || sent->second < m_heavyBytes)
            {
                return task;
            }
        }
        return *tasks.rbegin();
    }

    std::size_t Choose() const override
    {
        const uint64_t last = LastOfClass();
        std::size_t first = waiting.size();
        for (std::size_t i = 0; i < waiting.size(); ++i)
        {
            const bool isBefore = first == waiting.size() || TurnOf(i) < TurnOf(first);
            first = KeyOf(waiting[i]) <= last && isBefore ? i : first;
        }
        return first;
    }

    std::size_t Victim() const override
    {
        // The class is that of what waited before the packet that is too much.
        const PortItem* arriving = waiting.back();
        auto others = *this;
        others.waiting.pop_back();
        uint64_t lastTask = 0;
        for (const PortItem* item : others.waiting)
        {
            lastTask = std::max(lastTask, KeyOf(item));
        }
        if (KeyOf(arriving) >= lastTask || lastTask <= others.LastOfClass())
        {
            return waiting.size() - 1;
        }
        std::size_t newest = 0;
        for (std::size_t i = 0; i + 1 < waiting.size(); ++i)
        {
            newest = KeyOf(waiting[i]) == lastTask ? i : newest;
        }
        return newest;
    }

    void Arrived(const PortItem& item) override
    {
        const FlowOfTask flow(KeyOf(&item), item.packetClass.flow);
        const bool isFirst =
            std::count_if(waiting.begin(), waiting.end(), [&flow](const auto* other) {
                return flow == FlowOfTask(KeyOf(other), other->packetClass.flow);
            }) == 1;
        if (isFirst)
        {
            m_turns[flow] = std::max(m_turns[flow], m_now);
        }
    }

    void Sent(const PortItem& item) override
    {
        m_sent[KeyOf(&item)] += item.bytes;
        auto& turn = m_turns[{KeyOf(&item), item.packetClass.flow}];
        m_now = std::max(m_now, turn);
        turn = m_now + item.bytes;
    }

  private:
    using FlowOfTask = std::pair<uint64_t, FlowKey>;

    /// @return turn of a packet, were it the first of its flow
    uint64_t TurnOf(std::size_t i) const
    {
        return m_sharing == FifoLm::ARRIVAL
                   ? 0
                   : m_turns.at({KeyOf(waiting[i]), waiting[i]->packetClass.flow});
    }

    uint64_t m_heavyBytes;
    FifoLm::Sharing m_sharing;
    uint64_t m_now{0}; ///< virtual time
    std::map<FlowOfTask, uint64_t> m_turns;
    std::map<uint64_t, uint64_t> m_sent;
};

} // namespace

TEST(FifoLm, AgreesWithAModel)
{
    for (const uint32_t maxBytes : {1500U, 9000U, 36000U})
    {
        constexpr uint64_t HEAVY = 2'000'000;
        for (const auto sharing : {FifoLm::FAIR_QUEUEING, FifoLm::ARRIVAL})
        {
            FifoLm discipline(
                FifoLimits(QueueSize(QueueSizeUnit::BYTES, maxBytes), QueueSize("0B")),
                HEAVY,
                sharing);
            FifoLmModel model(HEAVY, sharing);
            ExpectAgreement(discipline, model, maxBytes, true);
        }
    }
}

TEST(FifoLm, HeavyTasksShareWithTheFirstLightOne)
{
    // Three packets make a task heavy. Tasks 1 and 2 have become that when 1, 3 and 4 come.
    FifoLm discipline(UNBOUNDED, 4500, FifoLm::ARRIVAL);
    std::vector<PortItem> history;
    history.assign(3, MakeItem(1, 1));
    history.resize(6, MakeItem(2, 2));
    InAndOut(discipline, history);
    std::vector<PortItem> items{MakeItem(4, 4),
                                MakeItem(3, 3),
                                MakeItem(2, 2),
                                MakeItem(1, 1),
                                MakeItem(3, 3),
                                MakeItem(1, 1)};
    // Class {1, 2, 3} by arrival; when nothing of 3 is left, {1, 4}.
    EXPECT_EQ(InAndOut(discipline, items), (std::vector<std::size_t>{1, 2, 3, 4, 0, 5}));
}

TEST(FifoLm, FlowsOfTheClassShareEquallyWhateverTheirPackets)
{
    // Task 1 is heavy; two flows of it and two of task 2 wait, with packets of different sizes.
    FifoLm discipline(UNBOUNDED, 1500, FifoLm::FAIR_QUEUEING);
    std::vector<PortItem> history{MakeItem(1, 1)};
    InAndOut(discipline, history);
    std::vector<PortItem> items;
    const std::vector<uint32_t> sizes{1500, 1000, 600, 40};
    for (std::size_t flow = 0; flow < sizes.size(); ++flow)
    {
        for (uint32_t n = 0; n < 60'000 / sizes[flow]; ++n)
        {
            items.push_back(MakeItem(flow / 2, flow / 2 + 1, sizes[flow]));
            items.back().packetClass.flow.flowId = static_cast<uint32_t>(flow);
        }
    }
    for (PortItem& item : items)
    {
        discipline.Enqueue(&item);
    }
    std::vector<uint32_t> sent(sizes.size());
    for (uint32_t bytes = 0; bytes < 200'000;)
    {
        const PortItem* item = discipline.Dequeue();
        bytes += item->bytes;
        sent[item->packetClass.flow.flowId] += item->bytes;
        const auto [least, most] = std::minmax_element(sent.begin(), sent.end());
        ASSERT_LE(*most - *least, 1500U + 1000U);
    }
    Drain(discipline, items);
}

TEST(FifoLm, WhoComesBackIsOwedNothing)
{
    FifoLm discipline(UNBOUNDED, 3000, FifoLm::FAIR_QUEUEING);
    // While task 1 is not heavy, task 2 waits; flow 1 of task 1 has nothing to send any more.
    std::vector<PortItem> items(23, MakeItem(1, 1));
    items[0].packetClass.flow.flowId = 1;
    items[1].packetClass.flow.flowId = 1;
    std::fill_n(items.begin() + 10, 10, MakeItem(2, 2));
    for (std::size_t i = 0; i < 20; ++i)
    {
        discipline.Enqueue(&items[i]);
    }
    const auto next = [&] { return discipline.Dequeue() - items.data(); };
    EXPECT_EQ(next(), 0);
    EXPECT_EQ(next(), 2);
    // Now it is. Task 2 shares with its flows from here on, and is not ahead of them for long.
    EXPECT_EQ(next(), 10);
    EXPECT_EQ(next(), 1);
    EXPECT_EQ(next(), 3);
    EXPECT_EQ(next(), 11);
    EXPECT_EQ(next(), 4);
    EXPECT_EQ(next(), 12);
    // Flow 1 is back, and has one turn in three like the others.
    std::fill_n(items.begin() + 20, 3, items[0]);
    for (std::size_t i = 20; i < 23; ++i)
    {
        discipline.Enqueue(&items[i]);
    }
    std::vector<uint32_t> turns(3);
    for (int i = 0; i < 9; ++i)
    {
        const PortItem* item = discipline.Dequeue();
        ++turns[item->packetClass.priority.key - 1 + 2 * item->packetClass.flow.flowId];
    }
    EXPECT_EQ(turns, (std::vector<uint32_t>{3, 3, 3}));
    Drain(discipline, items);
}

TEST(FifoLm, MarksWhoHasMoreThanItsPart)
{
    const FifoLimits limits(QueueSize("100p"), QueueSize("8p"));
    for (const auto sharing : {FifoLm::FAIR_QUEUEING, FifoLm::ARRIVAL})
    {
        FifoLm discipline(limits, 1'000'000, sharing);
        std::vector<PortItem> items(14, MakeItem(1, 1));
        // Two packets of flow 2 and one of flow 3 come last.
        items[11].packetClass.flow.flowId = 2;
        items[12].packetClass.flow.flowId = 2;
        items[13].packetClass.flow.flowId = 3;
        for (PortItem& item : items)
        {
            discipline.Enqueue(&item);
        }
        for (std::size_t i = 0; i < items.size(); ++i)
        {
            const bool expected = sharing == FifoLm::ARRIVAL ? i >= 8 : i >= 8 && i < 11;
            EXPECT_EQ(items[i].marked, expected) << sharing << " " << i;
        }
        Drain(discipline, items);
    }
}

TEST(FifoLm, IsFirstInFirstOutByTaskBelowTheThreshold)
{
    FifoLm discipline(UNBOUNDED, 1'000'000, FifoLm::FAIR_QUEUEING);
    std::vector<PortItem> items{MakeItem(3, 3), MakeItem(1, 1), MakeItem(2, 2), MakeItem(1, 1)};
    EXPECT_EQ(InAndOut(discipline, items), (std::vector<std::size_t>{1, 3, 2, 0}));
}

TEST(FifoLm, KeyZeroGoesBeforeAllTasksForEver)
{
    FifoLm discipline(UNBOUNDED, 3000, FifoLm::FAIR_QUEUEING);
    std::vector<PortItem> urgent(10, MakeItem(1, 0));
    InAndOut(discipline, urgent);
    std::vector<PortItem> items{MakeItem(1, 1), MakeItem(2, 2), MakeItem(3, 0), MakeItem(1, 0)};
    EXPECT_EQ(InAndOut(discipline, items), (std::vector<std::size_t>{2, 3, 0, 1}));
}

TEST(FifoLm, MarksForItsClassAndWhatIsBefore)
{
    const FifoLimits limits(QueueSize("100p"), QueueSize("3p"));
    FifoLm discipline(limits, 1'000'000, FifoLm::ARRIVAL);
    std::vector<PortItem> later(10, MakeItem(2, 2));
    ExpectMarksAfter(3, discipline, later);
    std::vector<PortItem> first(5, MakeItem(1, 1));
    ExpectMarksAfter(3, discipline, first);
}
