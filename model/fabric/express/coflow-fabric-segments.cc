/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How an express fabric carries segments of lean connections, and datagrams without headers.

#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-fabric-net-device.h"

#include <utility>

namespace ns3::coflow
{

void
FabricChannel::SetReceiver(HostId host, SegmentReceiver* receiver)
{
    m_receivers[host] = receiver;
}

HostId
FabricChannel::GetHost(Ipv4Address address) const
{
    return Fabric::GetHostByAddress(address, m_topology->GetNHosts());
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
    return host < m_topology->GetNHosts() && m_topology->HasPath(from, host);
}

bool
FabricChannel::IsSniffed(HostId host) const
{
    return m_devices[host]->IsSniffing();
}

void
FabricChannel::SetMessageRule(MessageRule rule)
{
    m_messageRule = std::move(rule);
}

std::optional<Time>
FabricChannel::FindDelayByRule(HostId host, const ConnectionName& connection, uint32_t payload)
{
    return m_messageRule ? m_messageRule(host, connection, payload) : std::nullopt;
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
        return; // the network is gone, and connections end
    }
    Frame* frame = m_frames->Take();
    const PacketClass* packetClass = Classify(host, connection, route);
    if (!packetClass && segment.IsAnswer())
    {
        packetClass = &m_classifiers[host]->GetAcknowledgement();
    }
    if (!FollowRoute(host, frame, connection, route))
    {
        // As IP at a host does that has no route.
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

void
FabricChannel::SendBare(HostId host,
                        const LeanSegmentHead& segment,
                        const ConnectionName& connection,
                        uint8_t dsField,
                        const PacketClass& packetClass,
                        SegmentRoute& route)
{
    if (!m_frames)
    {
        return;
    }
    Frame* frame = m_frames->Take();
    const bool leads = FollowRoute(host, frame, connection, route);
    Fill(frame, segment, dsField, route.end);
    if (!leads)
    {
        Lose(frame);
        return;
    }
    if (m_segmentListener)
    {
        LeanSegment whole;
        static_cast<LeanSegmentHead&>(whole) = segment;
        m_segmentListener->Sent(host,
                                Ipv4Address(connection.remoteAddress),
                                whole,
                                dsField & 3,
                                packetClass);
    }
    Leave(frame, &packetClass);
}

void
FabricChannel::PrefetchUplink(HostId host) const
{
    if (m_fifoPorts)
    {
        m_fifoPorts->Prefetch(Topology::GetUplink(host));
    }
}

PacketPriority
FabricChannel::FindPriority(HostId host, const ConnectionName& connection, bool isAnswer) const
{
    const PacketClass* known = m_classifiers[host]->Find(connection);
    if (known)
    {
        return known->priority;
    }
    return isAnswer ? GetAcknowledgementPriority(host) : PacketPriority();
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
            route.hops = 0; // another path
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
    if (!FollowRoute(host, frame, connection, route))
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
    if (IsBare(*frame))
    {
        const LeanSegmentHead segment = frame->segment;
        const uint32_t end = frame->end;
        m_cause = frame->start;
        m_frames->Return(frame);
        if (m_bareUser)
        {
            m_bareUser->ReceiveBare(segment, end);
        }
        m_cause = FifoPorts::NO_CAUSE;
        return;
    }
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

bool
FabricChannel::IsBare(const Frame& frame)
{
    return !frame.isPacket && (frame.end & BARE_SEGMENT) != 0;
}

void
FabricChannel::Lose(Frame* frame)
{
    const bool isBare = IsBare(*frame);
    const LeanSegmentHead segment = frame->segment;
    const uint32_t end = frame->end;
    m_frames->Return(frame);
    if (isBare && m_bareUser)
    {
        m_bareUser->LoseBare(segment, end);
    }
}

void
FabricChannel::SetBareUser(BareSegmentUser* user)
{
    m_bareUser = user;
}

bool
FabricChannel::IsFirstInFirstOut() const
{
    return m_fifoPorts != nullptr;
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

} // namespace ns3::coflow
