/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The disciplines that go by keys: PFabricQueue and FifoLmQueue.

#include "fabric-fixture.h"

#include "ns3/coflow-fifo-lm-queue.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-pfabric-queue.h"

#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// A queue as its definition says: packets in the order of their arrival, searched each time.
class Model
{
  public:
    /// @return the index of the packet that is next, or that is dropped first
    using Choice = std::function<std::size_t(const std::vector<PortItem*>&)>;

    Model(uint32_t maxBytes, Choice next, Choice worst)
        : m_maxBytes(maxBytes),
          m_next(std::move(next)),
          m_worst(std::move(worst))
    {
    }

    std::set<PortItem*> Enqueue(PortItem* item)
    {
        m_items.push_back(item);
        m_bytes += item->bytes;
        std::set<PortItem*> dropped;
        while (m_bytes > m_maxBytes)
        {
            dropped.insert(Take(m_worst(m_items)));
        }
        return dropped;
    }

    PortItem* Dequeue()
    {
        return m_items.empty() ? nullptr : Take(m_next(m_items));
    }

  private:
    PortItem* Take(std::size_t index)
    {
        PortItem* item = m_items[index];
        m_items.erase(m_items.begin() + static_cast<std::ptrdiff_t>(index));
        m_bytes -= item->bytes;
        return item;
    }

    uint32_t m_maxBytes;
    Choice m_next;
    Choice m_worst;
    std::vector<PortItem*> m_items;
    uint32_t m_bytes{0};
};

uint64_t
KeyOf(const PortItem* item)
{
    return item->packetClass.priority.key;
}

/// @return index of the last of the items with the largest key
std::size_t
NewestOfTheWorst(const std::vector<PortItem*>& items)
{
    std::size_t worst = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
    {
        worst = KeyOf(items[i]) >= KeyOf(items[worst]) ? i : worst;
    }
    return worst;
}

/// Has a discipline and a model do the same at random.
/// @param keys number of different keys
void
Compare(PortDiscipline& discipline, Model& model, uint32_t seed, uint64_t keys, uint64_t flows)
{
    std::mt19937 random(seed);
    std::vector<PortItem> items(3000);
    for (PortItem& item : items)
    {
        item.bytes = 40 + random() % 1461;
        item.flowHash = random() % flows;
        item.packetClass.priority.key = random() % keys;
        std::set<PortItem*> dropped;
        for (PortItem* d = discipline.Enqueue(&item); d; d = d->next)
        {
            dropped.insert(d);
        }
        ASSERT_EQ(dropped, model.Enqueue(&item));
        // Now and then the queue runs empty.
        for (uint32_t n = random() % (seed % 2 ? 3 : 4); n > 0; --n)
        {
            ASSERT_EQ(discipline.Dequeue(), model.Dequeue());
        }
    }
}

} // namespace

TEST(PFabricQueue, AgreesWithItsDefinition)
{
    for (uint32_t seed = 0; seed < 20; ++seed)
    {
        const uint32_t maxBytes = 3000 + 2500 * seed;
        PFabricQueue queue(maxBytes);
        Model model(
            maxBytes,
            [](const std::vector<PortItem*>& items) {
                std::size_t best = 0;
                for (std::size_t i = 0; i < items.size(); ++i)
                {
                    best = KeyOf(items[i]) < KeyOf(items[best]) ? i : best;
                }
                std::size_t first = 0;
                while (items[first]->flowHash != items[best]->flowHash)
                {
                    ++first;
                }
                return first;
            },
            NewestOfTheWorst);
        Compare(queue, model, seed, 1 + seed * seed, 6);
    }
}

TEST(FifoLmQueue, AgreesWithItsDefinition)
{
    for (uint32_t seed = 0; seed < 20; ++seed)
    {
        const uint32_t maxBytes = 3000 + 2500 * seed;
        const uint64_t heavyBytes = 20'000 * (seed % 5);
        FifoLmQueue queue(maxBytes, heavyBytes);
        std::map<uint64_t, uint64_t> sent;
        Model model(
            maxBytes,
            [&](const std::vector<PortItem*>& items) {
                std::set<uint64_t> waiting;
                for (const PortItem* item : items)
                {
                    waiting.insert(KeyOf(item));
                }
                std::set<uint64_t> active;
                for (const uint64_t task : waiting)
                {
                    active.insert(task);
                    if (task == 0 || sent[task] < heavyBytes)
                    {
                        break;
                    }
                }
                const auto first =
                    std::find_if(items.begin(), items.end(), [&](const PortItem* item) {
                        return active.count(KeyOf(item)) > 0;
                    });
                sent[KeyOf(*first)] += (*first)->bytes;
                return static_cast<std::size_t>(first - items.begin());
            },
            NewestOfTheWorst);
        Compare(queue, model, seed, 1 + seed * 2, 6);
    }
}

TEST(KeyedDisciplines, AreFirstInFirstOutWhereAllAreAlike)
{
    const auto first = [](const std::vector<PortItem*>&) { return std::size_t{0}; };
    const auto last = [](const std::vector<PortItem*>& items) { return items.size() - 1; };
    Model fifo(9000, first, last);
    PFabricQueue pfabric(9000);
    Compare(pfabric, fifo, 1, 1, 5);
    Model another(9000, first, last);
    FifoLmQueue fifoLm(9000, 100'000);
    Compare(fifoLm, another, 2, 1, 5);
}

TEST(FifoLmQueue, MultiplexesBehindHeavyTasksOnly)
{
    // Tasks 1, 2 and 3, four packets each, in turn; a task is heavy from its second packet on.
    FifoLmQueue queue(100'000, 2000);
    std::vector<PortItem> items(12);
    for (std::size_t i = 0; i < items.size(); ++i)
    {
        items[i].bytes = 1000;
        items[i].packetClass.priority.key = 1 + i % 3;
        queue.Enqueue(&items[i]);
    }
    std::vector<uint64_t> order;
    while (const PortItem* item = queue.Dequeue())
    {
        order.push_back(KeyOf(item));
    }
    // 1 alone, until it is heavy; then 1 and 2 in the order of arrival: what came of 2 while it
    // waited is earlier. When 2 is heavy too, 3 joins.
    EXPECT_EQ(order, (std::vector<uint64_t>{1, 1, 2, 2, 3, 3, 1, 2, 3, 1, 2, 3}));
}

// At every hop of six, packets that wait leave in the order of their keys, as the discipline of
// that port wants it.
TEST_P(EveryFabric, KeysSurviveSixHops)
{
    for (const std::string disc : {"PFabricQueueDisc", "FifoLmQueueDisc"})
    {
        for (uint32_t bottleneck = 0; bottleneck < 6; ++bottleneck)
        {
            FabricHelper helper("fat-tree", name);
            helper.SetFabricAttributes("QueueDisc", StringValue("ns3::coflow::" + disc));
            Start(helper);
            std::array<PortId, MAX_PATH_PORTS> path{};
            const HostId dst = 15;
            // Flows that differ in their ports share a path only in the first and last hop, so
            // that one connection carries all keys; a task is not a flow.
            const uint64_t hash = GetFlowHash({Fabric::GetHostAddress(0).Get(),
                                               Fabric::GetHostAddress(dst).Get(),
                                               PORT,
                                               PORT,
                                               ConnectionName::UDP});
            ASSERT_EQ(topology->Path(0, dst, hash, path), 6U);
            const TopologyPort slow = topology->GetPort(path[bottleneck]);
            topology->SetLinkRate(slow.from, slow.to, DataRate("10Mbps"));
            const auto table = fabric->GetHosts().Get(0)->GetObject<PacketClassifier>();
            const ConnectionName connection{Fabric::GetHostAddress(dst).Get(),
                                            PORT,
                                            PORT,
                                            ConnectionName::UDP};
            for (uint32_t number = 0; number < 10; ++number)
            {
                Simulator::ScheduleWithContext(0, MicroSeconds(20 * number), [&, number] {
                    table->Set(connection, {{number, 0}, {100 - number, PacketPriority::NO_BAND}});
                    Send(0, dst, number, 1000);
                });
            }
            Simulator::Run();
            std::vector<uint32_t> order;
            for (const Reception& reception : receptions)
            {
                order.push_back(reception.number);
            }
            // One flow stays in order under pFabric, although its key improves all the time.
            EXPECT_EQ(order,
                      disc == "PFabricQueueDisc"
                          ? (std::vector<uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
                          : (std::vector<uint32_t>{0, 9, 8, 7, 6, 5, 4, 3, 2, 1}))
                << disc << ", bottleneck " << bottleneck;
            ExpectConservation();
            receptions.clear();
            sockets.clear();
            fabric = nullptr;
            Simulator::Destroy();
        }
    }
}

// Two senders to one host: the flow whose key improves while it waits goes first, as a whole.
TEST_P(EveryFabric, TheFlowWithTheBestPacketGoesFirst)
{
    FabricHelper helper = BigSwitchHelper(3, "ns3::coflow::PFabricQueueDisc");
    helper.SetTopologyAttributes("HostRates", StringValue("2=10Mbps"));
    Start(helper);
    const ConnectionName toTwo{Fabric::GetHostAddress(2).Get(), PORT, PORT, ConnectionName::UDP};
    const auto send = [&](Time time, HostId src, uint32_t number, uint64_t key) {
        Simulator::ScheduleWithContext(src, time, [this, toTwo, src, number, key] {
            fabric->GetHosts().Get(src)->GetObject<PacketClassifier>()->Set(
                toTwo,
                {{src, 0}, {key, PacketPriority::NO_BAND}});
            Send(src, 2, number, 1000);
        });
    };
    send(MicroSeconds(1), 0, 0, 50);
    send(MicroSeconds(20), 0, 1, 50);
    send(MicroSeconds(40), 1, 2, 90);
    send(MicroSeconds(60), 0, 3, 50);
    send(MicroSeconds(80), 1, 4, 10);
    Simulator::Run();
    std::vector<uint32_t> order;
    for (const Reception& reception : receptions)
    {
        order.push_back(reception.number);
    }
    EXPECT_EQ(order, (std::vector<uint32_t>{0, 2, 4, 1, 3}));
    ExpectConservation();
}
