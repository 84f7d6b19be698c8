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

/// The first-in first-out ports of an express fabric. When a packet arrives, it is known when its
/// transmission will begin, so nothing happens at that time: the packet's next event is its
/// arrival at the other end. What waits at an instant (on which drops, marks and statistics
/// depend) is found by forgetting packets whose transmission has begun since.
///
/// All times are time steps of ns-3.
///
/// **Ties.** A packet may arrive in the very time step in which the port finishes another, so that
/// it depends on an order whether the next one in the queue still waits. In ns-3, events of one
/// time step run in the order in which they were scheduled: the end of a transmission at its
/// beginning, an arrival at the beginning of the transmission on the link before. Those two times
/// are compared here; if they are equal, the arrival is first. What a host sends other than in
/// answer to an arrival has no such time; it comes last.
/// Two packets that arrive in the same time step are queued in the order of their events: the one
/// that was queued first at its previous port is first, while in ns-3, it is the one whose
/// transmission there began first.
/// All that may not be as in ns-3 is counted.
class FifoPorts
{
  public:
    /// @param limits which packets are dropped and marked, at every port
    explicit FifoPorts(const FifoLimits& limits);

    /// Adds the next port.
    /// @param times time that its wire takes for packets
    void Add(WireTimes* times);

    /// A packet arrives to be sent. Sets its start and whether it is marked.
    /// @param port the port
    /// @param frame the packet
    /// @param now the time
    /// @param cause time when this arrival was scheduled: the beginning of the transmission that
    ///        ended in it, or of the one that it answers at a host; or NO_CAUSE
    /// @return time when it will arrive at the other end, or DROPPED
    int64_t Enqueue(LinkPort port, Frame* frame, int64_t now, int64_t cause);

    static constexpr int64_t DROPPED = -1;         ///< the packet found no room
    static constexpr int64_t NO_CAUSE = INT64_MAX; ///< a packet that answers no other

    /// Brings a port to the cache.
    void Prefetch(LinkPort port) const
    {
        if (port < m_ports.size()) // not NO_PORT
        {
            ::coflow::Prefetch(&m_ports[port], sizeof(Port));
        }
    }

    /// Brings to the cache what waits at a port that is there.
    void PrefetchQueue(LinkPort port) const
    {
        if (port < m_ports.size())
        {
            m_ports[port].queue.waiting.PrefetchEnds();
        }
    }

    /// Brings to the cache where a port counts arrivals.
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
    void AddSkipped(LinkPort port, uint64_t packets, uint64_t bytes)
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
    /// @param times time that its wire takes for packets from now on
    /// @param now the time
    /// @param reschedule a function (uint32_t frame, int64_t start, int64_t arrival) -> uint32_t,
    ///        called for every packet that still waits; says which frame stands for the packet from
    ///        now on. Frames are given by their index
    template <typename Reschedule>
    void SetTimes(LinkPort port, WireTimes* times, int64_t now, Reschedule&& reschedule)
    {
        Port& p = m_ports[port];
        Queue& q = p.queue;
        p.times = times;
        p.early = 0; // was in parts that the old rate has
        Drain(p, now, NO_CAUSE);
        for (uint32_t i = 0; i < q.waiting.GetSize(); ++i)
        {
            Entry& entry = q.waiting[i];
            if (i != 0)
            {
                // The first one begins when the one on the wire ends, as before.
                q.byteSteps += (p.busyUntil - entry.start) * int64_t{entry.bytes};
                entry.start = p.busyUntil;
            }
            p.lastStart = entry.start;
            p.busyUntil = times->GetEnd(entry.start, entry.bytes, p.early);
            entry.frame = reschedule(entry.frame, entry.start, p.busyUntil + times->GetDelay());
        }
    }

    /// @return number of packets whose place in an order was decided by convention
    uint64_t GetTies() const
    {
        return m_ties;
    }

    /// @param port a port
    /// @param now the time
    /// @return bytes that wait in its queue then, no packet having come since
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
    /// @return what it has done so far
    PortStatistics GetStatistics(LinkPort port, int64_t now) const;

  private:
    static constexpr std::size_t CACHE_LINE = ::coflow::Arena::CACHE_LINE;

    /// A packet whose transmission had not begun when last looked at.
    struct Entry
    {
        int64_t start;  ///< when it begins
        uint32_t frame; ///< index of the packet's frame, which may be someone else's after start
        uint32_t bytes; ///< its size
    };

    /// What only packets touch that find the port busy: a cache line.
    struct alignas(CACHE_LINE) Queue
    {
        ::coflow::Ring<Entry> waiting;
        uint32_t bytes{0};     ///< sum of the entries' sizes
        int64_t wireStart{-1}; ///< start of the last one taken out
        int64_t byteSteps{0};  ///< integral of the waiting bytes over all time to come
        uint64_t droppedPackets{0};
        uint64_t markedPackets{0};
    };

    /// The first cache line is what every packet touches.
    struct alignas(CACHE_LINE) Port
    {
        int64_t busyUntil{-1};       ///< when all transmissions known so far are over
        uint64_t early{0};           ///< by how much the last one ends before, see WireTimes
        int64_t lastStart{-1};       ///< when the last of them begins
        WireTimes* times{nullptr};   ///< duration of transmissions
        uint64_t receivedPackets{0}; ///< all packets that came
        uint64_t receivedBytes{0};   ///< and their bytes
        uint64_t droppedBytes{0};    ///< of those that found no room
        uint32_t maxQueueBytes{0};   ///< most bytes that waited
        uint32_t lastArrival{0};     ///< lower half of the time when the last packet came
        Queue queue;
    };

    static_assert(sizeof(Port) == 2 * CACHE_LINE);

    /// Forgets the packets that no longer wait.
    void Drain(Port& p, int64_t now, int64_t cause);
    /// @return whether a transmission that ends now ends before the arrival with this cause
    /// @param start when the transmission began
    bool EndsBefore(int64_t start, int64_t cause);

    FifoLimits m_limits;
    std::vector<Port, ::coflow::ArenaAllocator<Port>> m_ports;
    std::vector<uint64_t> m_arrivedPackets; ///< by port: arrivals at the other end of its wire
    uint64_t m_ties{0};
};

} // namespace ns3::coflow

#endif // COFLOW_FIFO_PORTS_H
