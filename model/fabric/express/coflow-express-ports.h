/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EXPRESS_PORTS_H
#define COFLOW_EXPRESS_PORTS_H

#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/coflow-fifo-ports.h"
#include "ns3/coflow-queue-ports.h"
#include "ns3/coflow-topology.h"
#include "ns3/coflow-wire-times.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// All ports of an express fabric and their counters. Either all ports are first in, first out
/// (FifoPorts), or all have a discipline (QueuePorts).
class ExpressPorts
{
  public:
    /// Makes first-in first-out ports. One of the two Build() methods is to be called once, before
    /// all other methods.
    /// @param topology the network, after Build()
    /// @param mtu largest IPv4 packet, bytes
    /// @param limits rule for drops and marks
    void Build(const Topology& topology, uint16_t mtu, const FifoLimits& limits);

    /// Makes ports with another discipline.
    /// @param topology the network, after Build()
    /// @param mtu largest IPv4 packet, bytes
    /// @param disc queue disc that makes the discipline of every port
    /// @param carrier receives packets that are sent or dropped
    void Build(const Topology& topology,
               uint16_t mtu,
               const DisciplineQueueDisc& disc,
               FrameCarrier& carrier);

    /// Stops all ports, because the packets are destroyed. Counters stay.
    void Stop();

    /// A packet arrives at a port to be sent.
    /// @param port the port
    /// @param frame the packet
    /// @param now the time
    /// @param cause as for FifoPorts::Enqueue()
    /// @return time of its arrival at the other end; FifoPorts::DROPPED; or OPEN
    int64_t Enqueue(LinkPort port, Frame* frame, int64_t now, int64_t cause)
    {
        if (m_fifoPorts)
        {
            return m_fifoPorts->Enqueue(port, frame, now, cause);
        }
        m_queuePorts->Enqueue(port, frame, now, cause);
        return OPEN;
    }

    /// The discipline decides later when a packet is sent, and calls the FrameCarrier.
    static constexpr int64_t OPEN = -2;

    /// Counts a packet's arrival at the other end of the port's wire.
    void CountArrival(LinkPort port)
    {
        m_fifoPorts ? m_fifoPorts->CountArrival(port) : m_queuePorts->CountArrival(port);
    }

    /// Follows a port whose rate has changed.
    /// @param port the port
    /// @param properties present properties of the port
    /// @param now the time
    /// @param reschedule as for FifoPorts::SetTimes()
    template <typename Reschedule>
    void Follow(LinkPort port, const TopologyPort& properties, int64_t now, Reschedule&& reschedule)
    {
        WireTimes* times = m_wireTimes.Get(properties.rate, properties.delay, m_mtu);
        if (m_queuePorts)
        {
            m_queuePorts->SetTimes(port, times);
            m_queuePorts->GetDiscipline(port).SetLinkRate(properties.rate);
            return;
        }
        m_fifoPorts->SetTimes(port, times, now, std::forward<Reschedule>(reschedule));
    }

    /// Prefetches the arrival counter of a port.
    void PrefetchArrivals(LinkPort port) const
    {
        if (m_fifoPorts)
        {
            m_fifoPorts->PrefetchArrivals(port);
        }
    }

    /// Prefetches the memory that Enqueue() will touch.
    /// @param port a port; or NO_PORT
    /// @param stage stage of IntrusiveEventKind::prefetch
    void Prefetch(LinkPort port, std::size_t stage) const
    {
        if (m_queuePorts)
        {
            m_queuePorts->Prefetch(port, stage);
        }
        else if (stage == 0)
        {
            m_fifoPorts->Prefetch(port);
        }
        else if (stage == 1)
        {
            m_fifoPorts->PrefetchQueue(port);
        }
    }

    /// @return whether ports keep packets in order
    bool AreFirstInFirstOut() const
    {
        return m_fifoPorts != nullptr;
    }

    /// @param port a port of the topology
    /// @return counters of the port
    PortStatistics GetStatistics(LinkPort port) const;

    /// @param port a port of the topology
    /// @return packets dropped so far, by reason
    std::map<std::string, uint64_t> GetDrops(LinkPort port) const;

    /// @param port a port of the topology
    /// @return bytes that wait in the port's queue now
    uint64_t GetQueuedBytes(LinkPort port) const;

    /// @param port a port of the topology
    /// @return counters of the port by band
    std::vector<BandStatistics> GetBandStatistics(LinkPort port) const;

    /// @param port a port of the topology
    /// @return packets that have arrived at the other end of its wire
    uint64_t GetArrivedPackets(LinkPort port) const;

    /// @return number of same-time ties that ns-3 may order differently (see FifoPorts)
    uint64_t GetTies() const;

    /// Counts packets that have passed a port without being simulated.
    /// @param port a port of the topology
    /// @param packets number of packets
    /// @param bytes bytes of all these packets, as IPv4 packets
    /// @param dsField DS field of all these packets
    void CountPassed(LinkPort port, uint64_t packets, uint64_t bytes, uint8_t dsField);

  private:
    uint16_t m_mtu{0};
    WireTimesOfAll m_wireTimes;
    /// First-in first-out ports; null: m_queuePorts is used.
    std::unique_ptr<FifoPorts> m_fifoPorts;
    /// Ports with a discipline; null: m_fifoPorts is used.
    std::unique_ptr<QueuePorts> m_queuePorts;
};

} // namespace ns3::coflow

#endif // COFLOW_EXPRESS_PORTS_H
