/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_QUEUE_PORTS_H
#define COFLOW_QUEUE_PORTS_H

#include "ns3/coflow-band-counters.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-frame.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/coflow-prefetch.h"
#include "ns3/coflow-queue-occupancy.h"
#include "ns3/coflow-wire-times.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// Receives the packets that ports have sent or dropped.
class FrameCarrier
{
  public:
    /// A packet is sent.
    /// @param frame the packet, whose start is set
    /// @param arrival time step of its arrival at the other end
    virtual void Carry(Frame* frame, int64_t arrival) = 0;

    /// A packet is dropped.
    virtual void Discard(Frame* frame) = 0;

  protected:
    ~FrameCarrier() = default;
};

/// The ports of an express fabric with a discipline, which decides which packet is sent when the
/// wire is free. A packet that waits costs one event more than at FifoPorts: the end of the
/// transmission before.
///
/// All times are time steps of ns-3. Ties are as at FifoPorts.
class QueuePorts
{
  public:
    /// @param carrier receives packets that are sent or dropped
    explicit QueuePorts(FrameCarrier& carrier);
    ~QueuePorts();

    QueuePorts(const QueuePorts&) = delete;
    QueuePorts& operator=(const QueuePorts&) = delete;

    /// Adds the next port.
    /// @param times transmission times of the port's wire
    /// @param discipline discipline of the port
    void Add(WireTimes* times, std::unique_ptr<PortDiscipline> discipline);

    /// A packet arrives at a port to be sent.
    /// @param port the port
    /// @param frame the packet
    /// @param now the time
    /// @param cause as for FifoPorts::Enqueue()
    void Enqueue(LinkPort port, Frame* frame, int64_t now, int64_t cause);

    /// Prefetches a port, and then its discipline.
    /// @param port the port; or NO_PORT
    /// @param stage stage of IntrusiveEventKind::prefetch
    void Prefetch(LinkPort port, std::size_t stage) const
    {
        if (port >= m_ports.size()) // NO_PORT
        {
            return;
        }
        if (stage == 0)
        {
            ::coflow::Prefetch(&m_ports[port], sizeof(Port));
        }
        else if (stage == 1)
        {
            ::coflow::Prefetch(m_ports[port].discipline.get(), DISCIPLINE_BYTES);
        }
    }

    /// Stops all ports, because the packets are destroyed. Counters stay.
    void Stop();

    /// Counts a packet's arrival at the other end of the port's wire.
    void CountArrival(LinkPort port)
    {
        ++m_ports[port].arrivedPackets;
    }

    /// Counts packets that have passed without being simulated.
    /// @param dsField DS field of all these packets
    void CountPassed(LinkPort port, uint64_t packets, uint64_t bytes, uint8_t dsField)
    {
        PortItem item;
        item.dsField = dsField;
        m_bands[port].CountPassed(m_ports[port].discipline->GetBand(item), packets, bytes);
        m_ports[port].statistics.receivedPackets += packets;
        m_ports[port].statistics.receivedBytes += bytes;
        m_ports[port].arrivedPackets += packets;
    }

    /// @param port a port
    /// @return packets that have arrived at the other end of its wire
    uint64_t GetArrivedPackets(LinkPort port) const
    {
        return m_ports[port].arrivedPackets;
    }

    /// Changes a port's rate for transmissions that begin from now on.
    void SetTimes(LinkPort port, WireTimes* times)
    {
        m_ports[port].times = times;
        m_ports[port].early = 0; // the old value has the unit of the old rate
    }

    /// @param port a port
    /// @return the discipline of the port
    PortDiscipline& GetDiscipline(LinkPort port)
    {
        return *m_ports[port].discipline;
    }

    /// @return number of same-time ties
    uint64_t GetTies() const
    {
        return m_ties;
    }

    /// @param port a port
    /// @return counters of the port by band
    const std::vector<BandStatistics>& GetBandStatistics(LinkPort port) const
    {
        return m_bands[port].Get();
    }

    /// @param port a port
    /// @return bytes that wait in the port's queue now
    uint64_t GetQueuedBytes(LinkPort port) const
    {
        return m_ports[port].statistics.queuedBytes;
    }

    /// @param port a port
    /// @return packets dropped so far, by reason
    std::map<std::string, uint64_t> GetDrops(LinkPort port) const;

    /// @param port a port
    /// @return counters of the port
    PortStatistics GetStatistics(LinkPort port) const;

  private:
    class Completion;

    static constexpr std::size_t DISCIPLINE_BYTES = 256; ///< prefetched bytes of a discipline

    struct Port
    {
        int64_t busyUntil{-1};   ///< end of the transmission on the wire
        uint64_t early{0};       ///< exact end before that time, see WireTimes
        int64_t start{-1};       ///< begin of the transmission
        int64_t lastArrival{-1}; ///< arrival of the last packet
        WireTimes* times{nullptr};
        std::unique_ptr<PortDiscipline> discipline;
        Completion* completion{nullptr}; ///< event of the end of a transmission
        uint64_t arrivedPackets{0};
        uint64_t refusedPackets{0}; ///< dropped packets that were refused on arrival
        PortStatistics statistics;  ///< without packets, bytes and the mean
        QueueOccupancy occupancy;
    };

    /// A transmission is over.
    void Complete(LinkPort port);
    /// Removes the next packet from a port's queue and begins its transmission.
    void Send(LinkPort port, int64_t now);

    FrameCarrier& m_carrier;
    std::vector<Port> m_ports;
    std::vector<BandCounters> m_bands; ///< counters of bands, by port
    bool m_hasBands{false};            ///< whether m_bands has counters
    uint64_t m_ties{0};
};

} // namespace ns3::coflow

#endif // COFLOW_QUEUE_PORTS_H
