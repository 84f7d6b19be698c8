/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FABRIC_CHANNEL_H
#define COFLOW_FABRIC_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/coflow-bare-segment.h"
#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/coflow-fifo-ports.h"
#include "ns3/coflow-flowlet-table.h"
#include "ns3/coflow-frame.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-queue-ports.h"
#include "ns3/coflow-segment-carrier.h"
#include "ns3/coflow-wire-times.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
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
    ~FabricChannel() override;

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

    std::optional<Time> FindDelayByRule(HostId host,
                                        const ConnectionName& connection,
                                        uint32_t payload) override;

    /// A frame's event: it has arrived at the other end of its current port's wire.
    void Arrive(Frame* frame);

    /// A frame will arrive soon: brings to the cache what it will touch.
    /// @param frame the frame
    /// @param stage as LightEventKind::prefetch has them
    void Prefetch(const Frame& frame, std::size_t stage) const;

    /// @param port a port of the topology
    /// @return what it has done so far
    PortStatistics GetPortStatistics(LinkPort port) const;

    /// @param port a port of the topology
    /// @return packets dropped so far, by reason
    std::map<std::string, uint64_t> GetDrops(LinkPort port) const;

    /// @param port a port of the topology
    /// @return bytes that wait in its queue now
    uint64_t GetQueuedBytes(LinkPort port) const;

    /// @param port a port of the topology
    /// @return what each band of its queue has done so far
    std::vector<BandStatistics> GetBandStatistics(LinkPort port) const;

    /// Says who knows of packets that were not simulated, since time was jumped over.
    /// @param debtor is called before it is told what ports have done; calls Credit()
    void SetDebtor(std::function<void()> debtor);

    /// Packets have passed a port that were not simulated.
    /// @param port a port of the topology
    /// @param packets how many
    /// @param bytes of all of them, as IPv4 packets
    /// @param dsField the DS field of all of them
    void Credit(LinkPort port, uint64_t packets, uint64_t bytes, uint8_t dsField);

    /// How long a message takes that needs no packets; none: it needs them.
    using MessageRule =
        std::function<std::optional<Time>(HostId, const ConnectionName&, uint32_t payload)>;

    /// Says who knows, since time is jumped over.
    /// @param rule says how long a message takes, and credits ports with it
    void SetMessageRule(MessageRule rule);

    /// @param user who sends bare segments, and gets them; null: nobody does
    void SetBareUser(BareSegmentUser* user);

    /// A host sends a bare segment.
    /// @param host the host
    /// @param segment the segment
    /// @param connection whose path it takes, as the host names it
    /// @param dsField DSCP and ECN of its IPv4 header
    /// @param packetClass what is said of it, in place of what the host's classifier says
    /// @param route of the flow's bare segments; its end has the bit BARE_SEGMENT
    void SendBare(HostId host,
                  const LeanSegmentHead& segment,
                  const ConnectionName& connection,
                  uint8_t dsField,
                  const PacketClass& packetClass,
                  SegmentRoute& route);

    /// Brings to the cache the port of a host.
    /// @param host the host
    void PrefetchUplink(HostId host) const;

    /// @param host a host
    /// @param connection a connection of it
    /// @param isAnswer whether it is about acknowledgements without data
    /// @return the priority of what the host sends over it
    PacketPriority FindPriority(HostId host, const ConnectionName& connection, bool isAnswer) const;

    /// @return the priority of acknowledgements that a host sends
    const PacketPriority& GetAcknowledgementPriority(HostId host) const;

    /// @return whether somebody hears of packets or segments
    bool IsObserved() const
    {
        return m_listener || m_segmentListener;
    }

    /// @return whether bare segments have to pass ports that keep packets in order
    bool IsFirstInFirstOut() const;

    /// @param listener who is told of all packets from now on
    void SetListener(FabricListener& listener);

    /// @param listener who is told of all TCP segments from now on
    void SetSegmentListener(SegmentListener& listener);

    /// @param port a port of the topology
    /// @return packets that have arrived at the other end of its wire
    uint64_t GetArrivedPackets(LinkPort port) const;

    /// @return packets dropped by switches for want of a path
    uint64_t GetUnroutedPackets() const;

    /// @return how often things happened at a port in one time step whose order may not be that
    ///         of ns-3 (see FifoPorts)
    uint64_t GetTies() const;

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    /// ns-3's IPv4 headers have no options, so that ports follow at once.
    static constexpr uint32_t IPV4_HEADER_BYTES = 20;
    /// The packet is for an address that no host has. Not the number of a vertex.
    static constexpr HostId NO_HOST = UINT32_MAX;

    /// Reads off the IPv4 header what switches need to know.
    /// @return the connection that the packet belongs to
    ConnectionName ReadHeader(Frame* frame, const Packet& packet) const;
    /// @return the hash by which switches choose a frame's path, but for flowlets
    uint64_t GetHash(const Frame& frame) const;
    /// Computes the path of a frame from a vertex on, of which the port has a given index.
    void Route(Frame* frame, VertexId vertex, uint8_t hop) const;
    /// Has the switch at which a frame is choose its next port by flowlets.
    void RouteFlowlet(Frame* frame, VertexId vertex);
    /// Follows a topology.
    void SetTopology(Ptr<Topology> topology, uint16_t mtu);
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
    /// @return whether a frame is a bare segment
    static bool IsBare(const Frame& frame);
    /// A frame goes, and will not arrive.
    void Lose(Frame* frame);
    /// @return the host that has an address; or NO_HOST
    HostId FindHost(uint32_t address) const;
    /// Gives a frame the path of a connection.
    /// @return false where there is none
    bool FollowRoute(HostId host,
                     Frame* frame,
                     const ConnectionName& connection,
                     SegmentRoute& route);
    /// @return what a host's classifier says of a connection; or null
    const PacketClass* Classify(HostId host,
                                const ConnectionName& connection,
                                SegmentRoute& route) const;
    /// A frame whose fields and path are set leaves its host.
    void Leave(Frame* frame, const PacketClass* packetClass);
    void FollowPort(LinkPort port);
    /// Has ports credited with what they have done.
    void CollectDebts() const;

    Ptr<Topology> m_topology;
    uint16_t m_mtu{0};
    uint32_t m_epoch{0}; ///< number of changes of the topology so far
    WireTimesOfAll m_wireTimes;
    std::unique_ptr<FifoPorts> m_fifoPorts;   ///< or
    std::unique_ptr<QueuePorts> m_queuePorts; ///< not both
    std::unique_ptr<FramePool> m_frames;
    std::vector<FlowletTable> m_flowlets;             ///< by switch; empty: no flowlets
    std::vector<Ptr<FabricNetDevice>> m_devices;      ///< by host
    std::vector<uint32_t> m_contexts;                 ///< by host: id of its node
    std::vector<Ptr<PacketClassifier>> m_classifiers; ///< by host
    std::vector<SegmentReceiver*> m_receivers;        ///< by host; or none
    SegmentCarrier::Prefetch m_prefetch{nullptr};     ///< of receiving ends; or none
    FabricListener* m_listener{nullptr};              ///< or none
    SegmentListener* m_segmentListener{nullptr};      ///< or none
    BareSegmentUser* m_bareUser{nullptr};             ///< or none
    /// Of the next segment, and the next datagram, of a pair.
    std::array<std::unordered_map<uint64_t, uint16_t>, 2> m_identification;
    MessageRule m_messageRule;      ///< see SetMessageRule(); or none
    std::function<void()> m_debtor; ///< see SetDebtor(); or none
    uint64_t m_nextUid{0};          ///< of a segment
    uint64_t m_unroutedPackets{0};
    int64_t m_cause; ///< start of the transmission that is being delivered, or none
};

} // namespace ns3::coflow

#endif // COFLOW_FABRIC_CHANNEL_H
