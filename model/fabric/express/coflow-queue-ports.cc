/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-queue-ports.h"

#include "ns3/coflow-fifo-ports.h"
#include "ns3/coflow-intrusive-schedule.h"

#include <utility>

namespace ns3::coflow
{

/// The event of the end of a transmission, scheduled only if a packet waits for it.
class QueuePorts::Completion final : private IntrusiveEvent
{
  public:
    Completion(QueuePorts* ports, LinkPort port)
        : m_ports(ports),
          m_port(port)
    {
        kind = &KIND;
    }

    /// @param delay time steps from now
    void Schedule(int64_t delay)
    {
        m_pending = true;
        ScheduleIntrusive(*this, delay);
    }

    bool IsPending() const
    {
        return m_pending;
    }

    /// The ports are destroyed. This event destroys itself unless it is in the event list.
    void Release()
    {
        m_ports = nullptr;
        if (!m_pending)
        {
            delete this;
        }
    }

  private:
    static void Run(IntrusiveEvent& event, uint64_t /* order */)
    {
        auto& completion = static_cast<Completion&>(event);
        completion.m_pending = false;
        if (!completion.m_ports)
        {
            delete &completion;
            return;
        }
        completion.m_ports->Complete(completion.m_port);
    }

    static void Drop(IntrusiveEvent& event)
    {
        auto& completion = static_cast<Completion&>(event);
        completion.m_pending = false;
        if (!completion.m_ports)
        {
            delete &completion;
        }
    }

    /// Prefetches the memory of the end of a transmission: the port, and the next packet.
    template <std::size_t STAGE>
    static void Prefetch(const IntrusiveEvent& event)
    {
        const auto& completion = static_cast<const Completion&>(event);
        if (!completion.m_ports)
        {
            return;
        }
        if constexpr (STAGE < 2)
        {
            completion.m_ports->Prefetch(completion.m_port, STAGE);
        }
        else
        {
            const Port& p = completion.m_ports->m_ports[completion.m_port];
            ::coflow::Prefetch(p.discipline->GetHotAddress());
        }
    }

    static constexpr IntrusiveEventKind KIND{
        &Completion::Run,
        &Completion::Drop,
        {&Completion::Prefetch<0>, &Completion::Prefetch<1>, &Completion::Prefetch<2>}};

    QueuePorts* m_ports;
    LinkPort m_port;
    bool m_pending{false};
};

QueuePorts::QueuePorts(FrameCarrier& carrier)
    : m_carrier(carrier)
{
}

QueuePorts::~QueuePorts()
{
    Stop();
}

void
QueuePorts::Stop()
{
    for (Port& p : m_ports)
    {
        if (p.completion)
        {
            p.completion->Release();
            p.completion = nullptr;
        }
    }
}

void
QueuePorts::Add(WireTimes* times, std::unique_ptr<PortDiscipline> discipline)
{
    Port p;
    p.times = times;
    m_bands.emplace_back(discipline->GetNBands());
    m_hasBands = m_hasBands || discipline->GetNBands() > 0;
    p.discipline = std::move(discipline);
    p.completion = new Completion(this, static_cast<LinkPort>(m_ports.size()));
    m_ports.push_back(std::move(p));
}

void
QueuePorts::Enqueue(LinkPort port, Frame* frame, int64_t now, int64_t cause)
{
    Port& p = m_ports[port];
    m_ties += frame->hop != 0 && p.lastArrival == now;
    p.lastArrival = now;
    ++p.statistics.receivedPackets;
    p.statistics.receivedBytes += frame->bytes;

    bool idle = p.busyUntil < now;
    if (p.busyUntil == now)
    {
        m_ties += cause == FifoPorts::NO_CAUSE || cause == p.start;
        idle = p.start < cause;
        if (idle && p.statistics.queuedPackets > 0)
        {
            // The end of the transmission is before the arrival. Its event will then have no
            // effect.
            Send(port, now);
            idle = false;
        }
    }

    const bool wasMarked = std::exchange(frame->marked, false);
    ++p.statistics.queuedPackets;
    p.statistics.queuedBytes += frame->bytes;
    bool refused = false;
    PortItem* next = nullptr;
    PortItem* item = p.discipline->Enqueue(frame);
    if (m_hasBands)
    {
        m_bands[port].CountArrival(*frame, frame->marked);
    }
    for (; item; item = next)
    {
        next = item->next;
        ++p.statistics.droppedPackets;
        p.statistics.droppedBytes += item->bytes;
        --p.statistics.queuedPackets;
        p.statistics.queuedBytes -= item->bytes;
        m_bands[port].CountDrop(*item);
        refused = refused || item == frame;
        p.refusedPackets += item == frame;
        m_carrier.Discard(static_cast<Frame*>(item));
    }
    p.occupancy.Set(TimeStep(now), p.statistics.queuedBytes);
    if (!refused)
    {
        p.statistics.markedPackets += frame->marked;
        frame->marked = frame->marked || wasMarked;
        if (idle)
        {
            Send(port, now);
        }
    }
    if (p.statistics.queuedPackets > 0 && !p.completion->IsPending())
    {
        p.completion->Schedule(p.busyUntil - now);
    }
}

void
QueuePorts::Send(LinkPort port, int64_t now)
{
    Port& p = m_ports[port];
    const auto frame = static_cast<Frame*>(p.discipline->Dequeue());
    if (m_hasBands)
    {
        m_bands[port].CountSent(*frame);
    }
    --p.statistics.queuedPackets;
    p.statistics.queuedBytes -= frame->bytes;
    p.occupancy.Set(TimeStep(now), p.statistics.queuedBytes);
    frame->start = now;
    p.start = now;
    if (p.busyUntil < now)
    {
        p.early = 0;
    }
    p.busyUntil = p.times->GetEnd(now, frame->bytes, p.early);
    m_carrier.Carry(frame, p.busyUntil + p.times->GetDelay());
}

void
QueuePorts::Complete(LinkPort port)
{
    Port& p = m_ports[port];
    const int64_t now = GetPacketTimeStep();
    if (p.busyUntil <= now && p.statistics.queuedPackets > 0)
    {
        Send(port, now);
    }
    if (p.statistics.queuedPackets > 0)
    {
        p.completion->Schedule(p.busyUntil - now);
    }
}

std::map<std::string, uint64_t>
QueuePorts::GetDrops(LinkPort port) const
{
    const Port& p = m_ports[port];
    std::map<std::string, uint64_t> drops{
        {PortDiscipline::REFUSED_DROP, p.refusedPackets},
        {PortDiscipline::PUSHED_OUT_DROP, p.statistics.droppedPackets - p.refusedPackets}};
    std::erase_if(drops, [](const auto& drop) { return drop.second == 0; });
    return drops;
}

PortStatistics
QueuePorts::GetStatistics(LinkPort port) const
{
    const Port& p = m_ports[port];
    PortStatistics result = p.statistics;
    result.packets = result.receivedPackets - result.droppedPackets - result.queuedPackets;
    result.bytes = result.receivedBytes - result.droppedBytes - result.queuedBytes;
    result.maxQueueBytes = p.occupancy.GetMaxBytes();
    result.meanQueueBytes = p.occupancy.GetMeanBytes(GetPacketTime());
    return result;
}

} // namespace ns3::coflow
