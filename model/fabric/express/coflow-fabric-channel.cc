/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fabric-channel.h"

#include "ns3/coflow-ds-field.h"
#include "ns3/coflow-fabric-listener.h"
#include "ns3/coflow-fabric-net-device.h"
#include "ns3/coflow-intrusive-schedule.h"
#include "ns3/coflow-packet-class-tag.h"
#include "ns3/coflow-prefetch.h"
#include "ns3/coflow-segment-parser.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <array>
#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowFabricChannel");
NS_OBJECT_ENSURE_REGISTERED(FabricChannel);

namespace
{

uint32_t
ReadUint32(const uint8_t* bytes)
{
    return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
}

uint16_t
ReadUint16(const uint8_t* bytes)
{
    return static_cast<uint16_t>(bytes[0] << 8 | bytes[1]);
}

FabricListener::Seen
See(const Frame& frame)
{
    return {frame.isPacket ? frame.packet->GetUid() : frame.uid, frame.bytes, frame.packetClass};
}

} // namespace

TypeId
FabricChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::FabricChannel")
                            .SetParent<Channel>()
                            .SetGroupName("Coflow")
                            .AddConstructor<FabricChannel>();
    return tid;
}

FabricChannel::FabricChannel()
    : m_cause(FifoPorts::NO_CAUSE)
{
    NS_LOG_FUNCTION(this);
}

void
FabricChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_router.GetTopology())
    {
        m_router.GetTopology()->TraceDisconnectWithoutContext(
            "PortChange",
            MakeCallback(&FabricChannel::FollowPort, this));
        m_router.Dispose();
    }
    m_ports.Stop();
    m_frames.reset();
    m_devices.clear();
    m_classifiers.clear();
    Channel::DoDispose();
}

void
FabricChannel::SetTopology(Ptr<Topology> topology)
{
    NS_LOG_FUNCTION(this << topology);
    m_frames = std::make_unique<FramePool>(this);
    m_router.SetTopology(topology);
    topology->TraceConnectWithoutContext("PortChange",
                                         MakeCallback(&FabricChannel::FollowPort, this));
}

void
FabricChannel::Build(Ptr<Topology> topology, uint16_t mtu, const FifoLimits& limits)
{
    SetTopology(topology);
    m_ports.Build(*topology, mtu, limits);
}

void
FabricChannel::Build(Ptr<Topology> topology, uint16_t mtu, const DisciplineQueueDisc& disc)
{
    SetTopology(topology);
    m_ports.Build(*topology, mtu, disc, *this);
}

HostId
FabricChannel::Attach(Ptr<FabricNetDevice> device)
{
    m_devices.push_back(device);
    m_contexts.push_back(device->GetNode()->GetId());
    m_classifiers.push_back(device->GetNode()->GetObject<PacketClassifier>());
    m_receivers.push_back(nullptr);
    return static_cast<HostId>(m_devices.size() - 1);
}

void
FabricChannel::Send(HostId host, Ptr<Packet> packet)
{
    Frame* frame = m_frames->Take();
    const ConnectionName connection = ReadHeader(frame, *packet);
    const PacketClass* packetClass =
        m_classifiers[host]->Find(connection, *packet, IPV4_HEADER_BYTES);
    frame->label = static_cast<uint16_t>(m_classifiers[host]->GetLabel(connection));
    if (m_segmentListener && connection.protocol == ConnectionName::TCP)
    {
        m_segmentListener->Sent(host,
                                Ipv4Address(connection.remoteAddress),
                                ParseSegment(*packet, IPV4_HEADER_BYTES),
                                frame->dsField & 3,
                                packetClass ? *packetClass : PacketClass());
    }
    // The frame stands for the packet in the fabric, and is the event of its next arrival. The
    // frame comes from a pool, so all its fields are set here.
    frame->packet = std::move(packet);
    frame->isPacket = true;
    frame->end = 0;
    frame->hop = 0;
    // The whole path is computed now, and not hop by hop.
    m_router.RouteFrom(host, frame);
    Leave(frame, packetClass);
}

void
FabricChannel::Leave(Frame* frame, const PacketClass* packetClass)
{
    frame->packetClass = packetClass ? *packetClass : PacketClass();
    // Jumps over time are possible only while all traffic has known rates, as segments of lean
    // connections have. Other packets, and segments with a rate signal, prevent jumps until they
    // have arrived.
    if (frame->isPacket || frame->isDatagram ||
        frame->packetClass.priority.signal != RateSignal::NONE)
    {
        frame->InhibitJumps();
    }
    // A priority that is a band is carried in the DS field of the IP header, as in a real network.
    if (frame->packetClass.priority.band != PacketPriority::NO_BAND)
    {
        frame->dsField = GetDsFieldOfBand(frame->packetClass.priority.band, frame->dsField);
        if (frame->isPacket)
        {
            WriteDsField(*frame->packet, frame->dsField);
        }
    }
    Enqueue(frame, m_cause);
}

ConnectionName
FabricChannel::ReadHeader(Frame* frame, const Packet& packet) const
{
    // The bytes are read directly, because parsing with ns-3's header classes would cost more than
    // all other work of the fabric for a packet. The 4 bytes after the IPv4 header are the ports of
    // TCP and UDP. The offsets are those of RFC 791.
    std::array<uint8_t, IPV4_HEADER_BYTES + 4> b{};
    packet.CopyData(b.data(), b.size());
    FlowTuple flow;
    flow.srcAddress = ReadUint32(&b[12]);
    flow.dstAddress = ReadUint32(&b[16]);
    flow.protocol = b[9];
    // Only the first fragment has ports, so all fragments are hashed without ports, and take one
    // path. The mask selects the flag "more fragments" and the offset.
    const bool fragment = (ReadUint16(&b[6]) & 0x3fff) != 0;
    if (!fragment && (flow.protocol == ConnectionName::TCP || flow.protocol == ConnectionName::UDP))
    {
        flow.srcPort = ReadUint16(&b[20]);
        flow.dstPort = ReadUint16(&b[22]);
    }
    frame->flowHash = GetFlowHash(flow);
    frame->identification = ReadUint16(&b[4]);
    frame->dst = m_router.FindHost(flow.dstAddress);
    frame->bytes = packet.GetSize();
    frame->dsField = b[1];
    frame->ecnCapable = (b[1] & 3) != 0;
    frame->ttl = b[8];
    return {flow.dstAddress, flow.srcPort, flow.dstPort, flow.protocol};
}

void
FabricChannel::Schedule(Frame* frame, int64_t delay)
{
    // ns-3 gives each event the id of its node (its context), which logs and traces print. Only the
    // last arrival is at a node, because the switches of this fabric are no nodes. The number of
    // the last port gives the receiver (Topology::GetDownlink()): ports 2h and 2h + 1 belong to
    // host h.
    frame->context = frame->IsLastHop() ? m_contexts[frame->path[frame->hop] / 2]
                                        : static_cast<uint32_t>(Simulator::NO_CONTEXT);
    frame->scheduled = true;
    ScheduleIntrusive(*frame, delay);
}

void
FabricChannel::Prefetch(const Frame& frame, std::size_t stage) const
{
    const bool first = stage == 0;
    if (first)
    {
        m_ports.PrefetchArrivals(frame.path[frame.hop]);
    }
    // First-in first-out ports need only the part of a frame that an earlier stage has prefetched.
    if (first && (frame.IsLastHop() || !m_ports.AreFirstInFirstOut()))
    {
        ::coflow::Prefetch(&frame, sizeof(Frame));
    }
    if (!frame.IsLastHop())
    {
        m_ports.Prefetch(frame.path[frame.hop + 1], stage);
        return;
    }
    if (frame.end == 0)
    {
        return;
    }
    const HostId host = frame.path[frame.hop] / 2;
    if (first)
    {
        ::coflow::Prefetch(m_receivers[host]);
        m_classifiers[host]->PrefetchVersion();
    }
    if (!m_ports.AreFirstInFirstOut())
    {
        m_ports.Prefetch(Topology::GetUplink(host), stage); // the host's answer will use its uplink
    }
    m_prefetch(frame.end, stage);
}

void
FabricChannel::Enqueue(Frame* frame, int64_t cause)
{
    const int64_t now = GetPacketTimeStep();
    const LinkPort port = frame->path[frame->hop];
    if (m_listener)
    {
        m_listener->Receive(port, See(*frame));
    }
    // A port with a discipline decides later which frame is sent next, and then calls Carry(). A
    // first-in first-out port needs no event for this: its order is fixed, so the time of the
    // arrival at the other end is known now.
    const int64_t arrival = m_ports.Enqueue(port, frame, now, cause);
    if (arrival >= 0)
    {
        Carry(frame, arrival);
    }
    else if (arrival == FifoPorts::DROPPED)
    {
        Discard(frame);
    }
}

void
FabricChannel::Carry(Frame* frame, int64_t arrival)
{
    const int64_t now = GetPacketTimeStep();
    // A sniffer of a host's device (pcap) sees a packet when its transmission begins.
    if (frame->isPacket && frame->hop == 0)
    {
        const HostId host = frame->GetSource();
        const Ptr<FabricNetDevice>& device = m_devices[host];
        if (device->IsSniffing())
        {
            Simulator::ScheduleWithContext(m_contexts[host],
                                           TimeStep(frame->start - now),
                                           &FabricNetDevice::Sniff,
                                           device,
                                           frame->packet->Copy());
        }
    }
    Schedule(frame, arrival - now);
}

void
FabricChannel::Discard(Frame* frame)
{
    if (m_listener)
    {
        m_listener->Drop(frame->path[frame->hop], See(*frame));
    }
    m_frames->Return(frame);
}

void
FabricChannel::Arrive(Frame* frame)
{
    // A link has changed its rate while the frame was in flight, and another frame has replaced
    // this frame (FollowPort()). This event has no effect.
    if (frame->stale)
    {
        m_frames->Return(frame);
        return;
    }
    const LinkPort from = frame->path[frame->hop];
    m_ports.CountArrival(from);
    if (m_listener)
    {
        m_listener->Arrive(from, See(*frame));
    }
    if (frame->IsLastHop())
    {
        Deliver(frame);
        return;
    }
    // The frame is at a switch. The rest of its path is valid unless a link has failed or returned
    // since the path was computed.
    ++frame->hop;
    m_router.Continue(frame, from);
    if (frame->path[frame->hop] == NO_PORT)
    {
        ++m_unroutedPackets;
        if (m_listener)
        {
            m_listener->Lose(See(*frame));
        }
        m_frames->Return(frame);
        return;
    }
    // frame->start, the beginning of the transmission to this switch, breaks ties between frames
    // that arrive at one port in the same nanosecond: in the fabric `nodes`, the events of these
    // arrivals were scheduled at these times.
    Enqueue(frame, frame->start);
}

void
FabricChannel::Deliver(Frame* frame)
{
    if (!frame->isPacket)
    {
        frame->isDatagram ? DeliverDatagram(frame) : DeliverSegment(frame);
        return;
    }
    const Ptr<Packet> packet = std::move(frame->packet);
    if (frame->marked)
    {
        constexpr uint8_t CONGESTION_EXPERIENCED = 3;
        WriteDsField(*packet, frame->dsField | CONGESTION_EXPERIENCED);
    }
    if (frame->packetClass.priority.signal != RateSignal::NONE)
    {
        packet->AddPacketTag(PacketClassTag(frame->packetClass));
    }
    const HostId host = frame->dst;
    // Packets that the host sends inside this call were caused by this arrival. The cause breaks
    // ties, as in Arrive().
    m_cause = frame->start;
    // The frame is returned before the packet is delivered, so that the answer may take the same
    // frame from the pool.
    m_frames->Return(frame);
    m_devices[host]->Receive(packet);
    m_cause = FifoPorts::NO_CAUSE;
}

void
FabricChannel::FollowPort(LinkPort port)
{
    NS_LOG_FUNCTION(this << port);
    m_router.CountChange();
    const int64_t now = GetPacketTimeStep();
    const auto reschedule = [&](uint32_t old, int64_t start, int64_t arrival) {
        // A frame whose transmission has not begun will arrive at another time. Its event cannot be
        // moved in the event list. So another frame takes over its content, with an event at the
        // new time, and the old frame becomes stale.
        Frame* frame = m_frames->Take();
        frame->TakeOver(*m_frames->Get(old));
        frame->start = start;
        Schedule(frame, arrival - now);
        return frame->index;
    };
    m_ports.Follow(port, m_router.GetTopology()->GetPort(port), now, reschedule);
}

void
FabricChannel::SetListener(FabricListener& listener)
{
    m_listener = &listener;
}

void
FabricChannel::SetReceiver(HostId host, SegmentReceiver* receiver)
{
    m_receivers[host] = receiver;
}

HostId
FabricChannel::GetHost(Ipv4Address address) const
{
    return Fabric::GetHostByAddress(address, m_router.GetTopology()->GetNHosts());
}

SegmentReceiver*
FabricChannel::GetReceiver(Ipv4Address address) const
{
    const HostId host = GetHost(address);
    return host < m_receivers.size() ? m_receivers[host] : nullptr;
}

bool
FabricChannel::HasPath(HostId from, Ipv4Address address) const
{
    const HostId host = GetHost(address);
    return host < m_router.GetTopology()->GetNHosts() &&
           m_router.GetTopology()->HasPath(from, host);
}

bool
FabricChannel::IsSniffed(HostId host) const
{
    return m_devices[host]->IsSniffing();
}

void
FabricChannel::SendSegment(HostId host,
                           const LeanSegment& segment,
                           const ConnectionName& connection,
                           uint8_t dsField,
                           SegmentRoute& route)
{
    constexpr uint8_t ECN = 3;
    if (!m_frames)
    {
        return; // the network was destroyed, and connections end
    }
    Frame* frame = m_frames->Take();
    const PacketClass* packetClass = Classify(host, connection, route);
    if (!packetClass && segment.IsAnswer())
    {
        packetClass = &m_classifiers[host]->GetAcknowledgement();
    }
    if (!m_router.FollowRoute(host, frame, connection, route))
    {
        // The segment is dropped, as by IP at a host without a route.
        m_frames->Return(frame);
        return;
    }
    Fill(frame, segment, dsField, route.end);
    if (segment.nSackBlocks > 0)
    {
        m_frames->KeepSack(*frame, segment);
    }
    if (m_segmentListener)
    {
        m_segmentListener->Sent(host,
                                Ipv4Address(connection.remoteAddress),
                                segment,
                                dsField & ECN,
                                packetClass ? *packetClass : PacketClass());
    }
    Leave(frame, packetClass);
}

void
FabricChannel::Fill(Frame* frame, const LeanSegmentHead& segment, uint8_t dsField, uint32_t end)
{
    constexpr uint8_t ECN = 3;
    frame->segment = segment;
    frame->end = end;
    frame->bytes = IPV4_HEADER_BYTES + segment.GetHeaderBytes() + segment.payload;
    frame->dsField = dsField;
    frame->ecnCapable = (dsField & ECN) != 0;
    frame->uid = m_nextUid++;
}

const PacketPriority&
FabricChannel::GetAcknowledgementPriority(HostId host) const
{
    return m_classifiers[host]->GetAcknowledgement().priority;
}

const PacketClass*
FabricChannel::Classify(HostId host, const ConnectionName& connection, SegmentRoute& route) const
{
    const PacketClassifier& classifier = *m_classifiers[host];
    if (route.classVersion != classifier.GetVersion())
    {
        route.classVersion = classifier.GetVersion();
        route.packetClass = classifier.Find(connection);
        const uint32_t label = classifier.GetLabel(connection);
        if (label != route.label)
        {
            route.label = label;
            route.hops = 0; // the path must be found again
        }
    }
    return route.packetClass;
}

void
FabricChannel::SendDatagram(HostId host,
                            Ptr<Packet> payload,
                            const ConnectionName& connection,
                            SegmentRoute& route)
{
    constexpr uint32_t UDP_HEADER_BYTES = 8;
    if (!m_frames)
    {
        return;
    }
    Frame* frame = m_frames->Take();
    const PacketClass* packetClass = Classify(host, connection, route);
    if (!m_router.FollowRoute(host, frame, connection, route))
    {
        m_frames->Return(frame);
        return;
    }
    frame->segment.sourcePort = connection.localPort;
    frame->segment.destinationPort = connection.remotePort;
    frame->bytes = IPV4_HEADER_BYTES + UDP_HEADER_BYTES + payload->GetSize();
    frame->packet = std::move(payload);
    frame->isDatagram = true;
    frame->end = 0;
    frame->dsField = 0;
    frame->ecnCapable = false;
    frame->uid = m_nextUid++;
    Leave(frame, packetClass);
}

void
FabricChannel::DeliverDatagram(Frame* frame)
{
    const Ptr<Packet> payload = std::move(frame->packet);
    const ConnectionName connection{Fabric::GetHostAddress(frame->GetSource()).Get(),
                                    frame->segment.destinationPort,
                                    frame->segment.sourcePort,
                                    ConnectionName::UDP};
    SegmentReceiver* receiver = m_receivers[frame->dst];
    m_cause = frame->start;
    m_frames->Return(frame);
    if (receiver)
    {
        receiver->ReceiveDatagram(payload, connection);
    }
    m_cause = FifoPorts::NO_CAUSE;
}

void
FabricChannel::DeliverSegment(Frame* frame)
{
    constexpr uint8_t ECN_BITS = 3;
    const LeanSegment segment = m_frames->GetSegment(*frame);
    const PacketClass packetClass = frame->packetClass;
    const uint8_t ecn = frame->marked ? ECN_BITS : frame->dsField & ECN_BITS;
    const Ipv4Address from = Fabric::GetHostAddress(frame->GetSource());
    const uint32_t end = frame->end;
    SegmentReceiver* receiver = m_receivers[frame->dst];
    m_cause = frame->start;
    m_frames->Return(frame);
    if (receiver)
    {
        receiver->ReceiveSegment(segment, from, ecn, packetClass, end);
    }
    m_cause = FifoPorts::NO_CAUSE;
}

void
FabricChannel::SetPrefetch(SegmentCarrier::Prefetch prefetch)
{
    m_prefetch = prefetch;
}

void
FabricChannel::SetSegmentListener(SegmentListener& listener)
{
    m_segmentListener = &listener;
}

std::size_t
FabricChannel::GetNDevices() const
{
    return m_devices.size();
}

Ptr<NetDevice>
FabricChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

} // namespace ns3::coflow
