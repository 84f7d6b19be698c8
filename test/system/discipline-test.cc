/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The port disciplines with keys, against models that scan everything, and on both fabrics.

#include "fabric-fixture.h"

#include "ns3/coflow-fifo-lm.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-pfabric-queue.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

const FifoLimits UNBOUNDED(QueueSize("1000000p"), QueueSize("0p"));

PortItem
MakeItem(uint64_t coflow, uint64_t key, uint32_t bytes = 1500)
{
    PortItem item;
    item.bytes = bytes;
    item.ecnCapable = true;
    item.packetClass = {{coflow, 0}, {key, PacketPriority::NO_BAND}};
    return item;
}

/// @return indices of what a discipline gives out, in order
std::vector<std::size_t>
Drain(PortDiscipline& discipline, const std::vector<PortItem>& items)
{
    std::vector<std::size_t> order;
    while (const PortItem* item = discipline.Dequeue())
    {
        order.push_back(static_cast<std::size_t>(item - items.data()));
    }
    return order;
}

std::vector<std::size_t>
InAndOut(PortDiscipline& discipline, std::vector<PortItem>& items)
{
    for (PortItem& item : items)
    {
        EXPECT_EQ(discipline.Enqueue(&item), nullptr);
    }
    return Drain(discipline, items);
}

uint64_t
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

    virtual void Sent(const PortItem&)
    {
    }

    /// @return what is dropped
    std::set<PortItem*> Enqueue(PortItem* item, uint32_t maxBytes)
    {
        std::set<PortItem*> dropped;
        waiting.push_back(item);
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

class PfabricModel : public Model
{
  public:
    std::size_t Choose() const override
    {
        const auto best =
            std::min_element(waiting.begin(), waiting.end(), [](const auto* a, const auto* b) {
                return KeyOf(a) < KeyOf(b);
            });
        const auto earliest = std::find_if(waiting.begin(), waiting.end(), [&](const auto* item) {
            return item->packetClass.flow == (*best)->packetClass.flow;
        });
        return static_cast<std::size_t>(earliest - waiting.begin());
    }

    std::size_t Victim() const override
    {
        std::size_t worst = 0;
        for (std::size_t i = 1; i < waiting.size(); ++i)
        {
            worst = KeyOf(waiting[i]) >= KeyOf(waiting[worst]) ? i : worst;
        }
        return worst;
    }
};

class FifoLmModel : public Model
{
  public:
    explicit FifoLmModel(uint64_t heavyBytes)
        : m_heavyBytes(heavyBytes)
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
        const auto first = std::find_if(waiting.begin(), waiting.end(), [last](const auto* item) {
            return KeyOf(item) <= last;
        });
        return static_cast<std::size_t>(first - waiting.begin());
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

    void Sent(const PortItem& item) override
    {
        m_sent[KeyOf(&item)] += item.bytes;
    }

  private:
    uint64_t m_heavyBytes;
    std::map<uint64_t, uint64_t> m_sent;
};

/// Random packets through a discipline and its model. Keys of a flow change all the time.
void
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

} // namespace

TEST(PfabricQueue, AgreesWithAModel)
{
    for (const uint32_t maxBytes : {1500U, 9000U, 36000U})
    {
        PfabricQueue discipline(
            FifoLimits(QueueSize(QueueSizeUnit::BYTES, maxBytes), QueueSize("0B")));
        PfabricModel model;
        ExpectAgreement(discipline, model, maxBytes, false);
    }
}

TEST(PfabricQueue, SendsTheEarliestPacketOfTheMostUrgentFlow)
{
    PfabricQueue discipline(UNBOUNDED);
    // Flow 1 becomes more urgent than flow 2 while it waits.
    std::vector<PortItem> items{MakeItem(1, 50), MakeItem(2, 20), MakeItem(1, 10), MakeItem(2, 20)};
    EXPECT_EQ(InAndOut(discipline, items), (std::vector<std::size_t>{0, 2, 1, 3}));
}

TEST(PfabricQueue, PacketsOfNoCoflowAreFlowsOfTheirOwn)
{
    PfabricQueue discipline(UNBOUNDED);
    constexpr auto NONE = PacketClass::NO_COFLOW;
    std::vector<PortItem> items{MakeItem(NONE, 9), MakeItem(NONE, 1), MakeItem(NONE, 9)};
    EXPECT_EQ(InAndOut(discipline, items), (std::vector<std::size_t>{1, 0, 2}));
}

TEST(PfabricQueue, GivesUpTheWorstAndOfEqualOnesTheNewest)
{
    PfabricQueue discipline(FifoLimits(QueueSize("3p"), QueueSize("0p")));
    std::vector<PortItem> items{MakeItem(1, 5), MakeItem(2, 7), MakeItem(3, 7)};
    for (PortItem& item : items)
    {
        ASSERT_EQ(discipline.Enqueue(&item), nullptr);
    }
    PortItem equal = MakeItem(4, 7);
    EXPECT_EQ(discipline.Enqueue(&equal), &equal);
    PortItem urgent = MakeItem(4, 6);
    EXPECT_EQ(discipline.Enqueue(&urgent), &items[2]);
    EXPECT_EQ(items[2].next, nullptr);
}

TEST(PfabricQueue, MarksForWhatIsAtLeastAsUrgentOnly)
{
    PfabricQueue discipline(FifoLimits(QueueSize("100p"), QueueSize("3p")));
    std::vector<PortItem> parked(10, MakeItem(1, 9));
    for (std::size_t i = 0; i < parked.size(); ++i)
    {
        discipline.Enqueue(&parked[i]);
        EXPECT_EQ(parked[i].marked, i >= 3) << i;
    }
    std::vector<PortItem> urgent(5, MakeItem(2, 1));
    for (std::size_t i = 0; i < urgent.size(); ++i)
    {
        discipline.Enqueue(&urgent[i]);
        EXPECT_EQ(urgent[i].marked, i >= 3) << i;
    }
}

TEST(PfabricQueue, MarksForEarlierPacketsOfTheSameFlow)
{
    PfabricQueue discipline(FifoLimits(QueueSize("100p"), QueueSize("3p")));
    std::vector<PortItem> items;
    for (uint64_t i = 0; i < 6; ++i)
    {
        items.push_back(MakeItem(1, 100 - i));
    }
    for (std::size_t i = 0; i < items.size(); ++i)
    {
        discipline.Enqueue(&items[i]);
        EXPECT_EQ(items[i].marked, i >= 3) << i;
    }
}

TEST(FifoLm, AgreesWithAModel)
{
    for (const uint32_t maxBytes : {1500U, 9000U, 36000U})
    {
        constexpr uint64_t HEAVY = 2'000'000;
        FifoLm discipline(FifoLimits(QueueSize(QueueSizeUnit::BYTES, maxBytes), QueueSize("0B")),
                          HEAVY);
        FifoLmModel model(HEAVY);
        ExpectAgreement(discipline, model, maxBytes, true);
    }
}

TEST(FifoLm, HeavyTasksShareWithTheFirstLightOne)
{
    // Three packets make a task heavy. Tasks 1 and 2 have become that when 1, 3 and 4 come.
    FifoLm discipline(UNBOUNDED, 4500);
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

TEST(FifoLm, IsFirstInFirstOutByTaskBelowTheThreshold)
{
    FifoLm discipline(UNBOUNDED, 1'000'000);
    std::vector<PortItem> items{MakeItem(3, 3), MakeItem(1, 1), MakeItem(2, 2), MakeItem(1, 1)};
    EXPECT_EQ(InAndOut(discipline, items), (std::vector<std::size_t>{1, 3, 2, 0}));
}

TEST(FifoLm, KeyZeroGoesBeforeAllTasksForEver)
{
    FifoLm discipline(UNBOUNDED, 3000);
    std::vector<PortItem> urgent(10, MakeItem(1, 0));
    InAndOut(discipline, urgent);
    std::vector<PortItem> items{MakeItem(1, 1), MakeItem(2, 2), MakeItem(3, 0), MakeItem(1, 0)};
    EXPECT_EQ(InAndOut(discipline, items), (std::vector<std::size_t>{2, 3, 0, 1}));
}

TEST(FifoLm, MarksForItsClassAndWhatIsBefore)
{
    FifoLm discipline(FifoLimits(QueueSize("100p"), QueueSize("3p")), 1'000'000);
    std::vector<PortItem> later(10, MakeItem(2, 2));
    for (std::size_t i = 0; i < later.size(); ++i)
    {
        discipline.Enqueue(&later[i]);
        EXPECT_EQ(later[i].marked, i >= 3) << i;
    }
    std::vector<PortItem> first(5, MakeItem(1, 1));
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        discipline.Enqueue(&first[i]);
        EXPECT_EQ(first[i].marked, i >= 3) << i;
    }
}

TEST(KeyedDisciplines, AreFirstInFirstOutWhereAllAreAlike)
{
    PfabricQueue pfabric(FifoLimits(QueueSize("9000B"), QueueSize("0B")));
    FifoLm fifoLm(FifoLimits(QueueSize("9000B"), QueueSize("0B")), 100'000);
    for (PortDiscipline* discipline :
         {static_cast<PortDiscipline*>(&pfabric), static_cast<PortDiscipline*>(&fifoLm)})
    {
        std::vector<PortItem> items;
        for (uint64_t i = 0; i < 8; ++i)
        {
            items.push_back(MakeItem(i % 3, 5));
        }
        for (std::size_t i = 0; i < items.size(); ++i)
        {
            EXPECT_EQ(discipline->Enqueue(&items[i]), i < 6 ? nullptr : &items[i]);
        }
        EXPECT_EQ(Drain(*discipline, items), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
    }
}

// At every hop, what waits is overtaken by everything with a smaller key; so a packet must have
// kept its key up to there.
TEST_P(EveryFabric, EveryKeySurvivesSixHops)
{
    for (const std::string disc : {"PfabricQueueDisc", "FifoLmQueueDisc"})
    {
        for (uint32_t bottleneck = 0; bottleneck < 6; ++bottleneck)
        {
            FabricHelper helper("fat-tree", name);
            helper.SetTopologyAttributes("LinkDelay", StringValue("1us"));
            helper.SetFabricAttributes("QueueDisc", StringValue("ns3::coflow::" + disc));
            Start(helper);
            std::array<PortId, MAX_PATH_PORTS> path{};
            const uint64_t hash = GetFlowHash({Fabric::GetHostAddress(0).Get(),
                                               Fabric::GetHostAddress(15).Get(),
                                               PORT,
                                               PORT,
                                               17});
            ASSERT_EQ(topology->Path(0, 15, hash, path), 6U);
            const TopologyPort slow = topology->GetPort(path[bottleneck]);
            topology->SetLinkRate(slow.from, slow.to, DataRate("10Mbps"));
            const auto classifier = fabric->GetHosts().Get(0)->GetObject<PacketClassifier>();
            const ConnectionName connection{Fabric::GetHostAddress(15).Get(), PORT, PORT, 17};

            // Ever more urgent; the very first finds the port idle.
            constexpr uint32_t PACKETS = 16;
            for (uint32_t n = 0; n < PACKETS; ++n)
            {
                Simulator::ScheduleWithContext(0, MicroSeconds(20 * n), [&, this, n] {
                    const PacketPriority priority{(uint64_t{1} << 60) - n, PacketPriority::NO_BAND};
                    classifier->Set(connection, {{n, 0}, priority});
                    Send(0, 15, n, 1000);
                });
            }
            Simulator::Run();
            std::vector<uint32_t> order;
            for (const Reception& reception : receptions)
            {
                order.push_back(reception.number);
            }
            std::vector<uint32_t> expected{0};
            for (uint32_t n = PACKETS - 1; n > 0; --n)
            {
                expected.push_back(n);
            }
            EXPECT_EQ(order, expected) << disc << ", bottleneck " << bottleneck;
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
    FabricHelper helper = BigSwitchHelper(3, "ns3::coflow::PfabricQueueDisc");
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
