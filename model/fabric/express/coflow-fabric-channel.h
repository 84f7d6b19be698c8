/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FABRIC_CHANNEL_H
#define COFLOW_FABRIC_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/coflow-express-ports.h"
#include "ns3/coflow-frame-router.h"
#include "ns3/coflow-frame.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-segment-carrier.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::coflow
{

class FabricListener;
class FabricNetDevice;

/// All links and switches of a network in one channel.
///
/// The path of a packet is computed when the packet leaves its host. Then each hop is one event:
/// the packet arrives at a switch as a whole and is queued at the next port of its path. A port
/// whose discipline is not first in, first out takes one more event for a packet that waits (see
/// QueuePorts). Switches have no nodes, no IP stacks and no headers to parse. When a link fails or
/// recovers, packets in flight get a new path at the next switch that they reach.
///
/// There are two differences that an end host could see. Switches do not decrement the header's
/// time to live, but drop packets whose time to live is too short at the right switch. The
/// transmission of a queued packet at its host is not an event of its own.
class FabricChannel : public Channel, public SegmentCarrier, private FrameCarrier
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    FabricChannel();

    /// Makes first-in first-out ports. One of the two Build() methods is to be called once, before
    /// all other methods.
    /// @param topology the network, after Build()
    /// @param mtu largest IPv4 packet, bytes
    /// @param limits rule for drops and marks
    void Build(Ptr<Topology> topology, uint16_t mtu, const FifoLimits& limits);

    /// Makes ports with another discipline.
    /// @param topology the network, after Build()
    /// @param mtu largest IPv4 packet, bytes
    /// @param disc queue disc that makes the discipline of every port
    void Build(Ptr<Topology> topology, uint16_t mtu, const DisciplineQueueDisc& disc);

    /// Attaches the next host.
    /// @param device device of the host
    /// @return the host
    HostId Attach(Ptr<FabricNetDevice> device);

    /// A host sends a packet.
    /// @param host the host
    /// @param packet packet that begins with the IPv4 header, not larger than the MTU. The channel
    ///        owns the packet after the call
    void Send(HostId host, Ptr<Packet> packet);

    void SetReceiver(HostId host, SegmentReceiver* receiver) override;
    SegmentReceiver* GetReceiver(Ipv4Address address) const override;
    void SendSegment(HostId host,
                     const LeanSegment& segment,
                     const ConnectionName& connection,
                     uint8_t dsField,
                     SegmentRoute& route) override;
    void SendDatagram(HostId host,
                      Ptr<Packet> payload,
                      const ConnectionName& connection,
                      SegmentRoute& route) override;
    void SetPrefetch(SegmentCarrier::Prefetch prefetch) override;
    bool HasPath(HostId from, Ipv4Address address) const override;
    bool IsSniffed(HostId host) const override;
    HostId GetHost(Ipv4Address address) const override;

    /// A frame's event: it has arrived at the other end of its current port's wire.
    void Arrive(Frame* frame);

    /// A frame will arrive soon: prefetches the memory that the arrival will touch.
    /// @param frame the frame
    /// @param stage stage of IntrusiveEventKind::prefetch
    void Prefetch(const Frame& frame, std::size_t stage) const;

    /// @return the ports and their counters
    ExpressPorts& GetPorts()
    {
        return m_ports;
    }

    /// @param listener receives calls for all packets from now on
    void SetListener(FabricListener& listener);

    /// @param listener receives calls for all TCP segments from now on
    void SetSegmentListener(SegmentListener& listener);

    /// @return packets that switches have dropped because there is no path
    uint64_t GetUnroutedPackets() const
    {
        return m_unroutedPackets;
    }

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

    /// @return the priority of acknowledgements that a host sends
    const PacketPriority& GetAcknowledgementPriority(HostId host) const;

  protected:
    void DoDispose() override;

  private:
    /// ns-3's IPv4 headers have no options, so the ports come directly after these bytes.
    static constexpr uint32_t IPV4_HEADER_BYTES = 20;

    /// Reads the fields that switches need from the IPv4 header.
    /// @return the connection that the packet belongs to
    ConnectionName ReadHeader(Frame* frame, const Packet& packet) const;
    /// Follows a topology.
    void SetTopology(Ptr<Topology> topology);
    /// Queues a frame at the current port of its path, or drops it.
    void Enqueue(Frame* frame, int64_t cause);
    void Carry(Frame* frame, int64_t arrival) override;
    void Discard(Frame* frame) override;
    /// Schedules a frame's event.
    void Schedule(Frame* frame, int64_t delay);
    void Deliver(Frame* frame);
    void DeliverSegment(Frame* frame);
    void DeliverDatagram(Frame* frame);
    /// Sets the fields of a frame that any segment has.
    void Fill(Frame* frame, const LeanSegmentHead& segment, uint8_t dsField, uint32_t end);
    /// @return the class of a connection in a host's classifier; or null
    const PacketClass* Classify(HostId host,
                                const ConnectionName& connection,
                                SegmentRoute& route) const;
    /// A frame whose fields and path are set leaves its host.
    void Leave(Frame* frame, const PacketClass* packetClass);
    void FollowPort(LinkPort port);

    FrameRouter m_router;
    ExpressPorts m_ports;
    std::unique_ptr<FramePool> m_frames;
    std::vector<Ptr<FabricNetDevice>> m_devices;      ///< devices, by host
    std::vector<uint32_t> m_contexts;                 ///< id of the node, by host
    std::vector<Ptr<PacketClassifier>> m_classifiers; ///< classifiers, by host
    std::vector<SegmentReceiver*> m_receivers;        ///< receivers, by host; null: none
    /// Prefetch function of receiving ends; null: none.
    SegmentCarrier::Prefetch m_prefetch{nullptr};
    FabricListener* m_listener{nullptr};         ///< listener; null: none
    SegmentListener* m_segmentListener{nullptr}; ///< listener; null: none
    uint64_t m_nextUid{0};                       ///< uid of the next segment
    uint64_t m_unroutedPackets{0};
    int64_t m_cause; ///< start of the transmission that is being delivered, or NO_CAUSE
};

} // namespace ns3::coflow

#endif // COFLOW_FABRIC_CHANNEL_H
