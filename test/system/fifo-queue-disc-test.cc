/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-queue-occupancy.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// @return an IPv4 packet of a size
Ptr<Ipv4QueueDiscItem>
MakeItem(uint32_t bytes, Ipv4Header::EcnType ecn = Ipv4Header::ECN_ECT0)
{
    Ipv4Header header;
    header.SetEcn(ecn);
    const uint32_t payload = bytes - header.GetSerializedSize();
    header.SetPayloadSize(static_cast<uint16_t>(payload));
    return Create<Ipv4QueueDiscItem>(Create<Packet>(payload), Address(), 0x0800, header);
}

/// @return a queue with limits
Ptr<FifoQueueDisc>
MakeDisc(const std::string& maxSize, const std::string& threshold)
{
    auto disc = CreateObjectWithAttributes<FifoQueueDisc>("MaxSize",
                                                          QueueSizeValue(QueueSize(maxSize)),
                                                          "MarkingThreshold",
                                                          QueueSizeValue(QueueSize(threshold)));
    disc->Initialize();
    return disc;
}

bool
IsMarked(Ptr<const QueueDiscItem> item)
{
    return DynamicCast<const Ipv4QueueDiscItem>(item)->GetHeader().GetEcn() == Ipv4Header::ECN_CE;
}

} // namespace

TEST(FifoQueueDisc, DropsWhatDoesNotFitInBytes)
{
    const auto disc = MakeDisc("3000B", "0B");
    EXPECT_TRUE(disc->Enqueue(MakeItem(1500)));
    EXPECT_TRUE(disc->Enqueue(MakeItem(1400)));
    EXPECT_FALSE(disc->Enqueue(MakeItem(101)));
    EXPECT_TRUE(disc->Enqueue(MakeItem(100))) << "exactly full";
    EXPECT_FALSE(disc->Enqueue(MakeItem(20)));
    EXPECT_EQ(disc->GetNBytes(), 3000U);
    EXPECT_EQ(disc->Dequeue()->GetSize(), 1500U);
    EXPECT_TRUE(disc->Enqueue(MakeItem(1500)));
    EXPECT_EQ(disc->Dequeue()->GetSize(), 1400U);
    EXPECT_EQ(disc->Peek()->GetSize(), 100U);
    EXPECT_EQ(disc->Dequeue()->GetSize(), 100U);
    EXPECT_EQ(disc->Dequeue()->GetSize(), 1500U);
    EXPECT_EQ(disc->Dequeue(), nullptr);
    EXPECT_EQ(disc->Peek(), nullptr);
    EXPECT_EQ(disc->GetStats().GetNDroppedPackets(FifoQueueDisc::FULL_DROP), 2U);
    EXPECT_EQ(disc->GetStats().GetNDroppedBytes(FifoQueueDisc::FULL_DROP), 121U);
    Simulator::Destroy();
}

TEST(FifoQueueDisc, DropsWhatDoesNotFitInPackets)
{
    const auto disc = MakeDisc("2p", "0p");
    EXPECT_TRUE(disc->Enqueue(MakeItem(9000)));
    EXPECT_TRUE(disc->Enqueue(MakeItem(40)));
    EXPECT_FALSE(disc->Enqueue(MakeItem(40)));
    EXPECT_EQ(disc->GetNPackets(), 2U);
    Simulator::Destroy();
}

TEST(FifoQueueDisc, MarksWhatMakesTheQueueTooLong)
{
    const auto disc = MakeDisc("10000B", "3000B");
    disc->Enqueue(MakeItem(1500));
    disc->Enqueue(MakeItem(1500));                        // 3000: at the threshold, not beyond
    disc->Enqueue(MakeItem(100));                         // 3100
    disc->Enqueue(MakeItem(100, Ipv4Header::ECN_NotECT)); // 3200, but not capable
    disc->Enqueue(MakeItem(100, Ipv4Header::ECN_ECT1));   // 3300
    for (const bool marked : {false, false, true, false, true})
    {
        EXPECT_EQ(IsMarked(disc->Dequeue()), marked);
    }
    EXPECT_EQ(disc->GetStats().nTotalMarkedPackets, 2U);
    EXPECT_EQ(disc->GetStats().GetNMarkedPackets(FifoQueueDisc::THRESHOLD_MARK), 2U);
    EXPECT_EQ(disc->GetStats().nTotalDroppedPackets, 0U) << "never for want of a mark";
    disc->Enqueue(MakeItem(100));
    EXPECT_FALSE(IsMarked(disc->Dequeue())) << "the instantaneous queue counts, not its past";
    Simulator::Destroy();
}

TEST(FifoQueueDisc, HasDataCenterDefaults)
{
    const FifoLimits limits = CreateObject<FifoQueueDisc>()->GetLimits();
    EXPECT_TRUE(limits.Admits(5000, 262'143, 1));
    EXPECT_FALSE(limits.Admits(0, 262'144, 1));
    EXPECT_FALSE(limits.Marks(5000, 29'999, 1));
    EXPECT_TRUE(limits.Marks(0, 30'000, 1));
}

TEST(FifoQueueDisc, KeepsItsIdentitiesAndAgreesWithAModel)
{
    // Received = enqueued + dropped before; enqueued = dequeued + inside; in order.
    std::mt19937 random(1);
    for (const auto& [maxSize, threshold] : {std::pair{"20000B", "7000B"},
                                             std::pair{"15p", "4p"},
                                             std::pair{"15p", "7000B"},
                                             std::pair{"20000B", "0p"}})
    {
        const auto disc = MakeDisc(maxSize, threshold);
        const QueueSize limit(maxSize);
        const QueueSize mark(threshold);
        std::deque<std::pair<uint64_t, bool>> model; // uid, marked
        std::deque<uint32_t> sizes;
        uint32_t bytes = 0;
        for (int step = 0; step < 3000; ++step)
        {
            if (random() % 100 < (step / 500 % 2 == 0 ? 60 : 40))
            {
                const auto item = MakeItem(40 + random() % 1461);
                const uint32_t size = item->GetSize();
                const auto length = [&](const QueueSize& unit) {
                    return unit.GetUnit() == QueueSizeUnit::BYTES ? bytes + size : model.size() + 1;
                };
                const bool fits = length(limit) <= limit.GetValue();
                const bool marked = mark.GetValue() > 0 && length(mark) > mark.GetValue();
                ASSERT_EQ(disc->Enqueue(item), fits);
                if (fits)
                {
                    model.emplace_back(item->GetPacket()->GetUid(), marked);
                    sizes.push_back(size);
                    bytes += size;
                }
            }
            else
            {
                const auto item = disc->Dequeue();
                ASSERT_EQ(item == nullptr, model.empty());
                if (item)
                {
                    ASSERT_EQ(item->GetPacket()->GetUid(), model.front().first);
                    ASSERT_EQ(IsMarked(item), model.front().second);
                    bytes -= sizes.front();
                    model.pop_front();
                    sizes.pop_front();
                }
            }
            const auto& stats = disc->GetStats();
            ASSERT_EQ(disc->GetNBytes(), bytes);
            ASSERT_EQ(disc->GetNPackets(), model.size());
            ASSERT_EQ(stats.nTotalReceivedBytes,
                      stats.nTotalEnqueuedBytes + stats.nTotalDroppedBytesBeforeEnqueue);
            ASSERT_EQ(stats.nTotalEnqueuedPackets, stats.nTotalDequeuedPackets + model.size());
            ASSERT_EQ(stats.nTotalDroppedPacketsAfterDequeue, 0U);
        }
        EXPECT_GT(disc->GetStats().nTotalDroppedPackets, 0U);
    }
    Simulator::Destroy();
}

TEST(QueueOccupancy, TakesMaximumAndMeanOverTime)
{
    QueueOccupancy occupancy;
    EXPECT_EQ(occupancy.GetMeanBytes(Time(0)), 0);
    occupancy.Set(NanoSeconds(10), 100); // 0 until 10
    occupancy.Set(NanoSeconds(20), 300); // 100 for 10
    occupancy.Set(NanoSeconds(20), 50);  // 300 for no time
    occupancy.Set(NanoSeconds(60), 0);   // 50 for 40
    EXPECT_EQ(occupancy.GetMaxBytes(), 300U);
    EXPECT_DOUBLE_EQ(occupancy.GetMeanBytes(NanoSeconds(60)), 3000.0 / 60);
    EXPECT_DOUBLE_EQ(occupancy.GetMeanBytes(NanoSeconds(100)), 30);
}
