/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The port disciplines with keys: pFabric's against a model that scans everything, and all of them
// on both fabrics.

#include "discipline-model.h"
#include "fabric-fixture.h"

#include "ns3/coflow-fifo-lm.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-pfabric-queue.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

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

TEST(PfabricQueue, AgreesWithAModelOfHundredsOfFlows)
{
    PfabricQueue discipline(UNBOUNDED);
    PfabricModel model;
    std::mt19937 random(3);
    std::vector<PortItem> items(20'000);
    std::size_t arrived = 0;
    // Two times it fills and gets empty, so that flows come to the table and go again.
    for (const double more : {0.7, 0.3, 0.7, 0.2})
    {
        for (int step = 0; step < 4'000; ++step)
        {
            if (std::generate_canonical<double, 53>(random) < more)
            {
                PortItem& item = items.at(arrived++);
                item = MakeItem(random() % 5, random() % 9);
                item.packetClass.flow.flowId = random() % 300;
                model.waiting.push_back(&item);
                ASSERT_EQ(discipline.Enqueue(&item), nullptr);
            }
            else
            {
                ASSERT_EQ(discipline.Dequeue(), model.Dequeue());
            }
        }
    }
    EXPECT_LT(model.waiting.size(), 400U);
    EXPECT_GT(arrived, 7'000U);
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

TEST(PfabricQueue, MarksAsAModelDoes)
{
    for (const std::string threshold : {"7p", "6000B"})
    {
        const FifoLimits limits(QueueSize("60p"), QueueSize(threshold));
        PfabricQueue discipline(limits);
        std::mt19937 random(9);
        std::vector<PortItem> items(20'000);
        std::vector<const PortItem*> waiting;
        std::size_t marks = 0;
        std::size_t ofOwnFlow = 0;
        for (PortItem& item : items)
        {
            const uint64_t coflow = random() % 6 ? random() % 3 : PacketClass::NO_COFLOW;
            item = MakeItem(coflow, random() % 12, 40 + random() % 1460);
            uint32_t packets = 0;
            uint32_t bytes = 0;
            bool own = false;
            for (const PortItem* other : waiting)
            {
                const bool isOwn =
                    coflow != PacketClass::NO_COFLOW && other->packetClass.flow.coflowId == coflow;
                if (KeyOf(other) <= KeyOf(&item) || isOwn)
                {
                    ++packets;
                    bytes += other->bytes;
                    own = own || KeyOf(other) > KeyOf(&item);
                }
            }
            std::vector<const PortItem*> dropped;
            for (const PortItem* d = discipline.Enqueue(&item); d; d = d->next)
            {
                dropped.push_back(d);
            }
            waiting.push_back(&item);
            for (const PortItem* d : dropped)
            {
                waiting.erase(std::find(waiting.begin(), waiting.end(), d));
            }
            if (dropped.empty())
            {
                ASSERT_EQ(item.marked, limits.Marks(packets, bytes, item.bytes));
                marks += item.marked;
                ofOwnFlow += item.marked && own;
            }
            for (uint32_t n = random() % 40 ? random() % 3 : 70; n > 0 && !waiting.empty(); --n)
            {
                waiting.erase(std::find(waiting.begin(), waiting.end(), discipline.Dequeue()));
            }
        }
        EXPECT_GT(ofOwnFlow, 200U);
        EXPECT_GT(items.size() - marks, 1000U);
    }
}

TEST(PfabricQueue, MarksForWhatIsAtLeastAsUrgentOnly)
{
    PfabricQueue discipline(FifoLimits(QueueSize("100p"), QueueSize("3p")));
    std::vector<PortItem> delayed(10, MakeItem(1, 9));
    ExpectMarksAfter(3, discipline, delayed);
    std::vector<PortItem> urgent(5, MakeItem(2, 1));
    ExpectMarksAfter(3, discipline, urgent);
}

TEST(PfabricQueue, MarksForEarlierPacketsOfTheSameFlow)
{
    PfabricQueue discipline(FifoLimits(QueueSize("100p"), QueueSize("3p")));
    std::vector<PortItem> items;
    for (uint64_t i = 0; i < 6; ++i)
    {
        items.push_back(MakeItem(1, 100 - i));
    }
    ExpectMarksAfter(3, discipline, items);
}

TEST(KeyedDisciplines, AreFirstInFirstOutWhereAllAreAlike)
{
    PfabricQueue pfabric(FifoLimits(QueueSize("9000B"), QueueSize("0B")));
    FifoLm fifoLm(FifoLimits(QueueSize("9000B"), QueueSize("0B")), 100'000, FifoLm::ARRIVAL);
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
            std::array<LinkPort, MAX_PATH_PORTS> path{};
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
