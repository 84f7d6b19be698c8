/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TEST_DISCIPLINE_MODEL_H
#define COFLOW_TEST_DISCIPLINE_MODEL_H

#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-port-discipline.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace ns3::coflow
{

/// So much that nothing is dropped or marked.
inline const FifoLimits UNBOUNDED(QueueSize("1000000p"), QueueSize("0p"));

/// A packet of a coflow's only flow.
inline PortItem
MakeItem(uint64_t coflow, uint64_t key, uint32_t bytes = 1500)
{
    PortItem item;
    item.bytes = bytes;
    item.ecnCapable = true;
    item.packetClass = {{coflow, 0}, {key, PacketPriority::NO_BAND}};
    return item;
}

/// @return indices of what a discipline gives out, in order
inline std::vector<std::size_t>
Drain(PortDiscipline& discipline, const std::vector<PortItem>& items)
{
    std::vector<std::size_t> order;
    while (const PortItem* item = discipline.Dequeue())
    {
        order.push_back(static_cast<std::size_t>(item - items.data()));
    }
    return order;
}

/// Puts all in, and takes them out.
/// @return as Drain()
inline std::vector<std::size_t>
InAndOut(PortDiscipline& discipline, std::vector<PortItem>& items)
{
    for (PortItem& item : items)
    {
        EXPECT_EQ(discipline.Enqueue(&item), nullptr);
    }
    return Drain(discipline, items);
}

/// Puts all in, and expects marks from some packet on.
/// @param unmarked packets before the first one that is marked
inline void
ExpectMarksAfter(std::size_t unmarked, PortDiscipline& discipline, std::vector<PortItem>& items)
{
    for (std::size_t i = 0; i < items.size(); ++i)
    {
        EXPECT_EQ(discipline.Enqueue(&items[i]), nullptr);
        EXPECT_EQ(items[i].marked, i >= unmarked) << i;
    }
}

/// @return the key of a packet
inline uint64_t
KeyOf(const PortItem* item)
{
    return item->packetClass.priority.key;
}

/// What waits, in the order of arrival, and rules that scan it.
class Model
{
  public:
    virtual ~Model() = default;

    /// @return what leaves next
    virtual std::size_t Choose() const = 0;
    /// @return what is given up first, were there too much
    virtual std::size_t Victim() const = 0;

    virtual void Arrived(const PortItem&)
    {
    }

    virtual void Sent(const PortItem&)
    {
    }

    /// @return what is dropped
    std::set<PortItem*> Enqueue(PortItem* item, uint32_t maxBytes)
    {
        std::set<PortItem*> dropped;
        waiting.push_back(item);
        Arrived(*item);
        while (Bytes() > maxBytes)
        {
            const std::size_t victim = Victim();
            dropped.insert(waiting[victim]);
            waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(victim));
        }
        return dropped;
    }

    PortItem* Dequeue()
    {
        if (waiting.empty())
        {
            return nullptr;
        }
        const std::size_t chosen = Choose();
        PortItem* item = waiting[chosen];
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(chosen));
        Sent(*item);
        return item;
    }

    uint32_t Bytes() const
    {
        return std::accumulate(waiting.begin(), waiting.end(), 0U, [](uint32_t sum, auto* item) {
            return sum + item->bytes;
        });
    }

    std::vector<PortItem*> waiting;
};

/// Random packets through a discipline and its model. Keys of a flow change all the time.
inline void
ExpectAgreement(PortDiscipline& discipline, Model& model, uint32_t maxBytes, bool keyIsTask)
{
    std::mt19937 random(6);
    std::vector<PortItem> items(20000);
    std::size_t drops = 0;
    for (PortItem& item : items)
    {
        const uint64_t coflow = random() % 8 ? random() % 8 : PacketClass::NO_COFLOW;
        item = MakeItem(coflow, random() % (keyIsTask ? 7 : 30), 40 + random() % 1460);
        // What no coflow has is each a flow of its own.
        item.packetClass.flow.flowId =
            coflow == PacketClass::NO_COFLOW ? static_cast<uint32_t>(random()) : random() % 2;
        const auto expected = model.Enqueue(&item, maxBytes);
        std::set<PortItem*> dropped;
        for (PortItem* d = discipline.Enqueue(&item); d; d = d->next)
        {
            dropped.insert(d);
        }
        ASSERT_EQ(dropped, expected);
        drops += dropped.size();
        for (uint32_t n = random() % 5 ? random() % 3 : 0; n > 0; --n)
        {
            ASSERT_EQ(discipline.Dequeue(), model.Dequeue());
        }
    }
    EXPECT_GT(drops, items.size() / 20);
    while (PortItem* item = model.Dequeue())
    {
        ASSERT_EQ(discipline.Dequeue(), item);
    }
    EXPECT_EQ(discipline.Dequeue(), nullptr);
}

} // namespace ns3::coflow

#endif // COFLOW_TEST_DISCIPLINE_MODEL_H
