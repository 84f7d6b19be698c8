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
/// A packet's path is computed when it leaves its host; from then on, each hop is one event, in
/// which the packet arrives at a switch as a whole and is queued at the next port of its path.
/// (A port whose discipline is not first in, first out takes one more event for a packet that
/// waits; see QueuePorts.) There are no nodes, no IP stacks and no headers to parse in between.
/// When a link fails or recovers, packets on their way are given a new path at the next switch they
/// reach.
///
/// Differences that an end host could see: switches do not decrement the header's time to live
/// (but packets whose time to live is too short are dropped where they would be), and the
/// transmission of a packet at its host, once queued, is not an event of its own.
class FabricChannel : public Channel, public SegmentCarrier, private FrameCarrier
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    FabricChannel();

    /// Makes first-in first-out ports. Either Build() is to be called once, before anything else.
    /// @param topology the network, built
    /// @param mtu largest IPv4 packet, bytes
    /// @param limits which packets ports drop and mark
    void Build(Ptr<Topology> topology, uint16_t mtu, const FifoLimits& limits);

    /// Makes ports with another discipline.
    /// @param topology the network, built
    /// @param mtu largest IPv4 packet, bytes
    /// @param disc makes the discipline of every port
    void Build(Ptr<Topology> topology, uint16_t mtu, const DisciplineQueueDisc& disc);

    /// Attaches the next host.
    /// @param device its device
    /// @return the host
    HostId Attach(Ptr<FabricNetDevice> device);

    /// A host sends a packet.
    /// @param host the host
    /// @param packet IPv4 header first, not larger than the MTU; the channel's own from now on
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

    /// A frame will arrive soon: brings to the cache what it will touch.
    /// @param frame the frame
    /// @param stage as IntrusiveEventKind::prefetch has them
    void Prefetch(const Frame& frame, std::size_t stage) const;

    /// @return the ports and their counters
    ExpressPorts& GetPorts()
    {
        return m_ports;
    }

    /// @param listener hears of all packets from now on
    void SetListener(FabricListener& listener);

    /// @param listener hears of all TCP segments from now on
    void SetSegmentListener(SegmentListener& listener);

    /// @return packets dropped by switches for want of a path
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
    /// ns-3's IPv4 headers have no options, so that ports follow at once.
    static constexpr uint32_t IPV4_HEADER_BYTES = 20;

    /// Reads off the IPv4 header what switches need to know.
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
    /// Sets the fields that a frame has for any segment.
    void Fill(Frame* frame, const LeanSegmentHead& segment, uint8_t dsField, uint32_t end);
    /// @return what a host's classifier says of a connection; or null
    const PacketClass* Classify(HostId host,
                                const ConnectionName& connection,
                                SegmentRoute& route) const;
    /// A frame whose fields and path are set leaves its host.
    void Leave(Frame* frame, const PacketClass* packetClass);
    void FollowPort(LinkPort port);

    FrameRouter m_router;
    ExpressPorts m_ports;
    std::unique_ptr<FramePool> m_frames;
    std::vector<Ptr<FabricNetDevice>> m_devices;      ///< by host
    std::vector<uint32_t> m_contexts;                 ///< by host: id of its node
    std::vector<Ptr<PacketClassifier>> m_classifiers; ///< by host
    std::vector<SegmentReceiver*> m_receivers;        ///< by host; or none
    SegmentCarrier::Prefetch m_prefetch{nullptr};     ///< of receiving ends; or none
    FabricListener* m_listener{nullptr};              ///< or none
    SegmentListener* m_segmentListener{nullptr};      ///< or none
    uint64_t m_nextUid{0};                            ///< of a segment
    uint64_t m_unroutedPackets{0};
    int64_t m_cause; ///< start of the transmission that is being delivered, or none
};

} // namespace ns3::coflow

#endif // COFLOW_FABRIC_CHANNEL_H
