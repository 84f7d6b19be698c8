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
FifoPorts::Add(int64_t delay, WireTimes* times)
{
    m_ports.emplace_back();
    m_ports.back().delay = delay;
    m_ports.back().times = times;
    m_queues.emplace_back();
}

bool
FifoPorts::EndsBefore(int64_t start, int64_t cause)
{
    m_ties += cause == NO_CAUSE || start == cause;
    return start < cause;
}

void
FifoPorts::Drain(Port& p, Queue& q, int64_t now, int64_t cause)
{
    while (q.head != q.tail)
    {
        const Entry& first = q.At(q.head);
        if (first.start > now || (first.start == now && !EndsBefore(q.wireStart, cause)))
        {
            return;
        }
        q.wireStart = first.start;
        q.bytes -= first.bytes;
        ++q.head;
    }
    // Since then packets may have come that did not wait.
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
    if (!idle)
    {
        Queue& q = m_queues[port];
        Drain(p, q, now, cause);
        packets = q.tail - q.head;
        bytes = q.bytes;
        idle = p.busyUntil == now && packets == 0 && EndsBefore(q.wireStart, cause);
    }
    if (!m_limits.Admits(packets, bytes, size))
    {
        Queue& q = m_queues[port];
        ++q.droppedPackets;
        q.droppedBytes += size;
        return DROPPED;
    }
    if (m_limits.Marks(packets, bytes, size) && frame->ecnCapable)
    {
        frame->marked = true;
        ++m_queues[port].markedPackets;
    }
    p.maxQueueBytes = std::max(p.maxQueueBytes, bytes + size);
    const int64_t start = idle ? now : p.busyUntil;
    if (!idle)
    {
        Queue& q = m_queues[port];
        q.byteSteps += (start - now) * int64_t{size};
        q.Push({start, frame, size});
    }
    frame->start = start;
    p.lastStart = start;
    p.busyUntil = start + p.times->Get(size);
    return p.busyUntil + p.delay;
}

void
FifoPorts::Queue::Push(const Entry& entry)
{
    const uint32_t waiting = tail - head;
    if (waiting == ring.size())
    {
        constexpr uint32_t FIRST_SIZE = 16;
        std::vector<Entry> larger(std::max(FIRST_SIZE, 2 * waiting));
        for (uint32_t i = 0; i < waiting; ++i)
        {
            larger[i] = At(head + i);
        }
        ring.swap(larger);
        head = 0;
        tail = waiting;
    }
    At(tail++) = entry;
    bytes += entry.bytes;
}

uint64_t
FifoPorts::GetQueuedBytes(LinkPort port, int64_t now) const
{
    const Queue& q = m_queues[port];
    uint64_t bytes = 0;
    for (uint32_t i = q.tail; i != q.head && q.At(i - 1).start > now; --i)
    {
        bytes += q.At(i - 1).bytes;
    }
    return bytes;
}

PortStatistics
FifoPorts::GetStatistics(LinkPort port, int64_t now) const
{
    const Port& p = m_ports[port];
    const Queue& q = m_queues[port];
    PortStatistics result;
    int64_t byteSteps = q.byteSteps;
    for (uint32_t i = q.head; i != q.tail; ++i)
    {
        const Entry& entry = q.At(i);
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
    result.droppedBytes = q.droppedBytes;
    result.packets = p.receivedPackets - q.droppedPackets - result.queuedPackets;
    result.bytes = p.receivedBytes - q.droppedBytes - result.queuedBytes;
    result.markedPackets = q.markedPackets;
    result.maxQueueBytes = p.maxQueueBytes;
    result.meanQueueBytes =
        now == 0 ? 0 : static_cast<double>(byteSteps) / static_cast<double>(now);
    return result;
}

} // namespace ns3::coflow
