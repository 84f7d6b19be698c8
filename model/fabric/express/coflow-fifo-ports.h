/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FIFO_PORTS_H
#define COFLOW_FIFO_PORTS_H

#include "ns3/coflow-arena.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-frame.h"
#include "ns3/coflow-ring.h"
#include "ns3/coflow-wire-times.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// The first-in first-out ports of an express fabric. The transmission time of a packet is known
/// when the packet arrives, so the begin of a transmission is no event. The next event of the
/// packet is its arrival at the other end. The packets that wait at a time (for drops, marks and
/// counters) are all packets whose transmission has not begun by this time.
///
/// All times are time steps of ns-3.
///
/// **Ties.** A packet may arrive in the same time step in which the port ends the transmission of
/// another packet. The order of these two events decides whether the next packet in the queue still
/// waits. In ns-3, events of one time step run in the order in which they were scheduled. The end
/// of a transmission is scheduled at its beginning. An arrival is scheduled at the beginning of the
/// transmission on the link before. The ports compare these two times. If the times are equal, the
/// arrival is first. A packet that a host sends without a preceding arrival has no such time, and
/// comes last. Two packets that arrive in the same time step are queued in the order of their
/// events: the packet that was queued first at its previous port is first. In ns-3, the packet
/// whose transmission at the previous port began first is first. The ports count all ties that ns-3
/// may order differently.
class FifoPorts
{
  public:
    /// @param limits rule for drops and marks of every port
    explicit FifoPorts(const FifoLimits& limits);

    /// Adds the next port.
    /// @param times transmission times of the port's wire
    void Add(WireTimes* times);

    /// A packet arrives at a port to be sent. Sets the packet's start, and marks it.
    /// @param port the port
    /// @param frame the packet
    /// @param now the time
    /// @param cause time at which this arrival was scheduled: the beginning of the transmission
    ///        before, or of the transmission that the host replies to; or NO_CAUSE
    /// @return time of the packet's arrival at the other end, or DROPPED
    int64_t Enqueue(LinkPort port, Frame* frame, int64_t now, int64_t cause);

    static constexpr int64_t DROPPED = -1;         ///< the queue is full
    static constexpr int64_t NO_CAUSE = INT64_MAX; ///< a packet without a preceding arrival

    /// Prefetches a port.
    void Prefetch(LinkPort port) const
    {
        if (port < m_ports.size()) // not NO_PORT
        {
            ::coflow::Prefetch(&m_ports[port], sizeof(Port));
        }
    }

    /// Prefetches the queue of a port that is in the cache.
    void PrefetchQueue(LinkPort port) const
    {
        if (port < m_ports.size())
        {
            m_ports[port].queue.waiting.PrefetchEnds();
        }
    }

    /// Prefetches the arrival counter of a port.
    void PrefetchArrivals(LinkPort port) const
    {
        ::coflow::Prefetch(&m_arrivedPackets[port]);
    }

    /// Counts a packet's arrival at the other end of the port's wire.
    void CountArrival(LinkPort port)
    {
        ++m_arrivedPackets[port];
    }

    /// Counts packets that have passed without being simulated.
    void CountPassed(LinkPort port, uint64_t packets, uint64_t bytes)
    {
        m_ports[port].receivedPackets += packets;
        m_ports[port].receivedBytes += bytes;
        m_arrivedPackets[port] += packets;
    }

    /// @param port a port
    /// @return packets that have arrived at the other end of its wire
    uint64_t GetArrivedPackets(LinkPort port) const
    {
        return m_arrivedPackets[port];
    }

    /// Changes a port's rate for transmissions that begin after now.
    /// @param port the port
    /// @param times transmission times of the wire from now on
    /// @param now the time
    /// @param reschedule a function (uint32_t frame, int64_t start, int64_t arrival) -> uint32_t,
    ///        called for every packet that still waits. It returns the frame that replaces the
    ///        packet's frame. Frames are given by their index
    template <typename Reschedule>
    void SetTimes(LinkPort port, WireTimes* times, int64_t now, Reschedule&& reschedule)
    {
        Port& p = m_ports[port];
        Queue& q = p.queue;
        p.times = times;
        p.early = 0; // the old value has the unit of the old rate
        Drain(p, now, NO_CAUSE);
        for (uint32_t i = 0; i < q.waiting.GetSize(); ++i)
        {
            Entry& entry = q.waiting[i];
            if (i != 0)
            {
                // The first packet begins when the packet on the wire ends, as before.
                q.byteSteps += (p.busyUntil - entry.start) * int64_t{entry.bytes};
                entry.start = p.busyUntil;
            }
            p.lastStart = entry.start;
            p.busyUntil = times->GetEnd(entry.start, entry.bytes, p.early);
            entry.frame = reschedule(entry.frame, entry.start, p.busyUntil + times->GetDelay());
        }
    }

    /// @return number of same-time ties
    uint64_t GetTies() const
    {
        return m_ties;
    }

    /// @param port a port
    /// @param now the time
    /// @return bytes that wait in the port's queue at this time, if no packet has arrived since
    uint64_t GetQueuedBytes(LinkPort port, int64_t now) const;

    /// @param port a port
    /// @return packets dropped so far, by reason
    std::map<std::string, uint64_t> GetDrops(LinkPort port) const
    {
        const uint64_t dropped = m_ports[port].queue.droppedPackets;
        return dropped == 0 ? std::map<std::string, uint64_t>()
                            : std::map<std::string, uint64_t>{{FifoQueueDisc::FULL_DROP, dropped}};
    }

    /// @param port a port
    /// @param now the time
    /// @return counters of the port
    PortStatistics GetStatistics(LinkPort port, int64_t now) const;

  private:
    static constexpr std::size_t CACHE_LINE = ::coflow::Arena::CACHE_LINE;

    /// A packet whose transmission had not begun at the last update.
    struct Entry
    {
        int64_t start;  ///< begin of its transmission
        uint32_t frame; ///< index of the packet's frame; another packet's frame after start
        uint32_t bytes; ///< its size
    };

    /// Fields for packets that arrive at a busy port, in one cache line.
    struct alignas(CACHE_LINE) Queue
    {
        ::coflow::Ring<Entry> waiting;
        uint32_t bytes{0};     ///< sum of the entries' sizes
        int64_t wireStart{-1}; ///< start of the last removed entry
        int64_t byteSteps{0};  ///< integral of the waiting bytes, future time included
        uint64_t droppedPackets{0};
        uint64_t markedPackets{0};
    };

    /// The first cache line has the fields for every packet.
    struct alignas(CACHE_LINE) Port
    {
        int64_t busyUntil{-1};       ///< end of the last known transmission
        uint64_t early{0};           ///< exact end before that time, see WireTimes
        int64_t lastStart{-1};       ///< begin of the last known transmission
        WireTimes* times{nullptr};   ///< transmission times
        uint64_t receivedPackets{0}; ///< all packets that have arrived
        uint64_t receivedBytes{0};   ///< bytes of these packets
        uint64_t droppedBytes{0};    ///< bytes of dropped packets
        uint32_t maxQueueBytes{0};   ///< largest queue
        uint32_t lastArrival{0};     ///< lower half of the last packet's arrival time
        Queue queue;
    };

    static_assert(sizeof(Port) == 2 * CACHE_LINE);

    /// Removes packets that no longer wait.
    void Drain(Port& p, int64_t now, int64_t cause);
    /// @return whether a transmission that ends now ends before the arrival with this cause
    /// @param start time at which the transmission began
    bool EndsBefore(int64_t start, int64_t cause);

    FifoLimits m_limits;
    std::vector<Port, ::coflow::ArenaAllocator<Port>> m_ports;
    std::vector<uint64_t> m_arrivedPackets; ///< by port: arrivals at the other end of its wire
    uint64_t m_ties{0};
};

} // namespace ns3::coflow

#endif // COFLOW_FIFO_PORTS_H
