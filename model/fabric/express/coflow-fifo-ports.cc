/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fifo-ports.h"

#include <algorithm>

namespace ns3::coflow
{

FifoPorts::FifoPorts(const FifoLimits& limits)
    : m_limits(limits)
{
}

void
FifoPorts::Add(WireTimes* times)
{
    m_ports.emplace_back();
    m_ports.back().times = times;
    m_arrivedPackets.push_back(0);
}

bool
FifoPorts::EndsBefore(int64_t start, int64_t cause)
{
    m_ties += cause == NO_CAUSE || start == cause;
    return start < cause;
}

void
FifoPorts::Drain(Port& p, int64_t now, int64_t cause)
{
    Queue& q = p.queue;
    while (!q.waiting.IsEmpty())
    {
        const Entry& first = q.waiting.Front();
        if (first.start > now || (first.start == now && !EndsBefore(q.wireStart, cause)))
        {
            return;
        }
        q.wireStart = first.start;
        q.bytes -= first.bytes;
        q.waiting.PopFront();
    }
    // Packets that did not wait may have come after the last removed entry.
    q.wireStart = p.lastStart;
}

int64_t
FifoPorts::Enqueue(LinkPort port, Frame* frame, int64_t now, int64_t cause)
{
    Port& p = m_ports[port];
    const uint32_t size = frame->bytes;
    ++p.receivedPackets;
    p.receivedBytes += size;
    const auto arrival = static_cast<uint32_t>(now);
    m_ties += frame->hop != 0 && p.lastArrival == arrival;
    p.lastArrival = arrival;

    uint32_t packets = 0;
    uint32_t bytes = 0;
    bool idle = p.busyUntil < now;
    if (idle)
    {
        p.early = 0;
    }
    else
    {
        const Queue& q = p.queue;
        Drain(p, now, cause);
        packets = q.waiting.GetSize();
        bytes = q.bytes;
        idle = p.busyUntil == now && packets == 0 && EndsBefore(q.wireStart, cause);
    }
    if (!m_limits.Admits(packets, bytes, size))
    {
        ++p.queue.droppedPackets;
        p.droppedBytes += size;
        return DROPPED;
    }
    if (m_limits.Marks(packets, bytes, size) && frame->ecnCapable)
    {
        frame->marked = true;
        ++p.queue.markedPackets;
    }
    p.maxQueueBytes = std::max(p.maxQueueBytes, bytes + size);
    const int64_t start = idle ? now : p.busyUntil;
    if (!idle)
    {
        Queue& q = p.queue;
        q.byteSteps += (start - now) * int64_t{size};
        q.waiting.PushBack({start, frame->index, size});
        q.bytes += size;
    }
    frame->start = start;
    p.lastStart = start;
    p.busyUntil = p.times->GetEnd(start, size, p.early);
    return p.busyUntil + p.times->GetDelay();
}

uint64_t
FifoPorts::GetQueuedBytes(LinkPort port, int64_t now) const
{
    const auto& waiting = m_ports[port].queue.waiting;
    uint64_t bytes = 0;
    for (uint32_t i = waiting.GetSize(); i > 0 && waiting[i - 1].start > now; --i)
    {
        bytes += waiting[i - 1].bytes;
    }
    return bytes;
}

PortStatistics
FifoPorts::GetStatistics(LinkPort port, int64_t now) const
{
    const Port& p = m_ports[port];
    const Queue& q = p.queue;
    PortStatistics result;
    int64_t byteSteps = q.byteSteps;
    for (uint32_t i = 0; i < q.waiting.GetSize(); ++i)
    {
        const Entry& entry = q.waiting[i];
        if (entry.start > now)
        {
            ++result.queuedPackets;
            result.queuedBytes += entry.bytes;
            byteSteps -= (entry.start - now) * int64_t{entry.bytes};
        }
    }
    result.receivedPackets = p.receivedPackets;
    result.receivedBytes = p.receivedBytes;
    result.droppedPackets = q.droppedPackets;
    result.droppedBytes = p.droppedBytes;
    result.packets = p.receivedPackets - q.droppedPackets - result.queuedPackets;
    result.bytes = p.receivedBytes - p.droppedBytes - result.queuedBytes;
    result.markedPackets = q.markedPackets;
    result.maxQueueBytes = p.maxQueueBytes;
    result.meanQueueBytes =
        now == 0 ? 0 : static_cast<double>(byteSteps) / static_cast<double>(now);
    return result;
}

} // namespace ns3::coflow
