/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How an express fabric carries segments of lean connections.

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
    const PacketClass* packetClass = Classify(host, segment, connection, route);
    if (!FollowRoute(host, frame, connection, route))
    {
        // As IP at a host does that has no route.
        m_frames->Return(frame);
        return;
    }
    frame->segment = segment;
    if (segment.nSackBlocks > 0)
    {
        m_frames->KeepSack(*frame, segment);
    }
    frame->end = route.end;
    frame->bytes = IPV4_HEADER_BYTES + segment.GetHeaderBytes() + segment.payload;
    frame->dsField = dsField;
    frame->ecnCapable = (dsField & ECN) != 0;
    frame->uid = m_nextUid++;
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

const PacketClass*
FabricChannel::Classify(HostId host,
                        const LeanSegment& segment,
                        const ConnectionName& connection,
                        SegmentRoute& route) const
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
    return route.packetClass || !segment.IsAnswer() ? route.packetClass
                                                    : &classifier.GetAcknowledgement();
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

} // namespace ns3::coflow
