/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-explicit-rate.h"

#include "ns3/coflow-named-type.h"
#include "ns3/double.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

COFLOW_REGISTER(ExplicitRateQueueDisc, "Baraat: FIFO; ports hand out rates on request");

ExplicitRate::ExplicitRate(const FifoLimits& limits,
                           uint64_t heavyBytes,
                           double utilisation,
                           Time timeout)
    : m_limits(limits),
      m_utilisation(utilisation),
      m_allocator(heavyBytes, timeout)
{
}

void
ExplicitRate::SetLinkRate(DataRate rate)
{
    m_bitsPerSecond = static_cast<double>(rate.GetBitRate()) * m_utilisation;
    UpdateCapacity();
}

void
ExplicitRate::UpdateCapacity()
{
    constexpr uint32_t USUAL_BYTES = 10'000;
    constexpr double DRAINS_PER_SECOND = 1000;
    const double excess = m_data.GetBytes() > USUAL_BYTES ? m_data.GetBytes() - USUAL_BYTES : 0;
    const double drain = excess * 8 * DRAINS_PER_SECOND;
    m_allocator.SetCapacity(
        static_cast<uint64_t>(std::max(m_bitsPerSecond / 2, m_bitsPerSecond - drain)));
}

PortItem*
ExplicitRate::Enqueue(PortItem* item)
{
    PacketPriority& priority = item->packetClass.priority;
    if (priority.signal == RateSignal::REQUEST)
    {
        RateRequest request = RateRequest::Unpack(priority.key);
        UpdateCapacity();
        m_allocator.Handle(item->packetClass.flow, request, Simulator::Now());
        priority.key = request.Pack();
    }
    item->next = nullptr;
    PortFifo& queue = priority.signal == RateSignal::NONE ? m_data : m_signals;
    if (!m_limits.Admits(queue.GetPackets(), queue.GetBytes(), item->bytes))
    {
        return item;
    }
    if (m_limits.Marks(queue.GetPackets(), queue.GetBytes(), item->bytes))
    {
        item->Mark();
    }
    queue.Push(item);
    return nullptr;
}

PortItem*
ExplicitRate::Dequeue()
{
    if (!m_signals.IsEmpty())
    {
        return m_signals.Pop();
    }
    if (m_data.IsEmpty())
    {
        return nullptr;
    }
    PortItem* item = m_data.Pop();
    const uint64_t task = item->packetClass.priority.key;
    if (task != 0 && task != PacketPriority::LEAST_URGENT)
    {
        m_allocator.CountSent(task, item->bytes);
    }
    return item;
}

TypeId
ExplicitRateQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::ExplicitRateQueueDisc")
            .SetParent<TaskQueueDisc>()
            .SetGroupName("Coflow")
            .AddConstructor<ExplicitRateQueueDisc>()
            .AddAttribute("Utilisation",
                          "Share of the link's rate that is handed out, as rates of application "
                          "bytes; the rest is for headers, acknowledgements, requests and answers",
                          DoubleValue(0.92),
                          MakeDoubleAccessor(&ExplicitRateQueueDisc::m_utilisation),
                          MakeDoubleChecker<double>(0.01, 1))
            .AddAttribute(
                "EntryTimeout",
                "Time without a request after which a port forgets a flow. A paused flow may wait "
                "for 64 round trips, or for 64 times MinPeriod, before its next request. With a "
                "shorter timeout, ports forget paused flows between requests, and give their rates "
                "to later tasks",
                TimeValue(MilliSeconds(10)),
                MakeTimeAccessor(&ExplicitRateQueueDisc::m_entryTimeout),
                MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

std::unique_ptr<PortDiscipline>
ExplicitRateQueueDisc::CreateDiscipline() const
{
    return std::make_unique<ExplicitRate>(GetLimits(),
                                          GetHeavyBytes(),
                                          m_utilisation,
                                          m_entryTimeout);
}

} // namespace ns3::coflow
