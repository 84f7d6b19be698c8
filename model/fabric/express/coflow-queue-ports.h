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

/// What ports do with packets that they have decided about.
class FrameCarrier
{
  public:
    /// A packet's transmission is certain.
    /// @param frame the packet; its start is set
    /// @param arrival time step when it arrives at the other end
    virtual void Carry(Frame* frame, int64_t arrival) = 0;

    /// A packet is dropped.
    virtual void Discard(Frame* frame) = 0;

  protected:
    ~FrameCarrier() = default;
};

/// The ports of an express fabric whose discipline decides what is sent when the wire is free. A
/// packet that waits costs an event more than at FifoPorts, when the one before it has been sent.
///
/// All times are time steps of ns-3. Ties are as at FifoPorts.
class QueuePorts
{
  public:
    /// @param carrier where packets go
    explicit QueuePorts(FrameCarrier& carrier);
    ~QueuePorts();

    QueuePorts(const QueuePorts&) = delete;
    QueuePorts& operator=(const QueuePorts&) = delete;

    /// Adds the next port.
    /// @param times time that its wire takes for packets
    /// @param discipline its queue
    void Add(WireTimes* times, std::unique_ptr<PortDiscipline> discipline);

    /// A packet arrives to be sent.
    /// @param port the port
    /// @param frame the packet
    /// @param now the time
    /// @param cause as for FifoPorts::Enqueue()
    void Enqueue(LinkPort port, Frame* frame, int64_t now, int64_t cause);

    /// Brings a port to the cache, and then its discipline.
    /// @param port the port; or NO_PORT
    /// @param stage as IntrusiveEventKind::prefetch has them
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

    /// The packets are gone: nothing is sent any more. Statistics stay.
    void Stop();

    /// Counts a packet's arrival at the other end of the port's wire.
    void CountArrival(LinkPort port)
    {
        ++m_ports[port].arrivedPackets;
    }

    /// Counts packets that have passed without being simulated.
    /// @param dsField the DS field of all of them
    void AddSkipped(LinkPort port, uint64_t packets, uint64_t bytes, uint8_t dsField)
    {
        PortItem item;
        item.dsField = dsField;
        m_bands[port].AddSkipped(m_ports[port].discipline->GetBand(item), packets, bytes);
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
        m_ports[port].early = 0; // was in parts that the old rate has
    }

    /// @param port a port
    /// @return its queue
    PortDiscipline& GetDiscipline(LinkPort port)
    {
        return *m_ports[port].discipline;
    }

    /// @return number of packets whose place in an order was decided by convention
    uint64_t GetTies() const
    {
        return m_ties;
    }

    /// @param port a port
    /// @return what each band of its queue has done so far
    const std::vector<BandStatistics>& GetBandStatistics(LinkPort port) const
    {
        return m_bands[port].Get();
    }

    /// @param port a port
    /// @return bytes that wait in its queue now
    uint64_t GetQueuedBytes(LinkPort port) const
    {
        return m_ports[port].statistics.queuedBytes;
    }

    /// @param port a port
    /// @return packets dropped so far, by reason
    std::map<std::string, uint64_t> GetDrops(LinkPort port) const;

    /// @param port a port
    /// @return what it has done so far
    PortStatistics GetStatistics(LinkPort port) const;

  private:
    class Completion;

    static constexpr std::size_t DISCIPLINE_BYTES = 256; ///< of a discipline, for the cache

    struct Port
    {
        int64_t busyUntil{-1};   ///< when the transmission on the wire is over
        uint64_t early{0};       ///< by how much it ends before, see WireTimes
        int64_t start{-1};       ///< when it began
        int64_t lastArrival{-1}; ///< when the last packet came
        WireTimes* times{nullptr};
        std::unique_ptr<PortDiscipline> discipline;
        Completion* completion{nullptr}; ///< event of the end of a transmission
        uint64_t arrivedPackets{0};
        uint64_t refusedPackets{0}; ///< of the dropped ones
        PortStatistics statistics;  ///< without packets, bytes and the mean
        QueueOccupancy occupancy;
    };

    /// A transmission is over.
    void Complete(LinkPort port);
    /// Takes the next packet out of a port's queue and begins to send it.
    void Send(LinkPort port, int64_t now);

    FrameCarrier& m_carrier;
    std::vector<Port> m_ports;
    std::vector<BandCounters> m_bands; ///< by port
    bool m_hasBands{false};            ///< otherwise m_bands need not be looked at
    uint64_t m_ties{0};
};

} // namespace ns3::coflow

#endif // COFLOW_QUEUE_PORTS_H
