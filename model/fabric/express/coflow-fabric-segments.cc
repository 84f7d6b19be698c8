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
FabricChannel::SendSegment(HostId host,
                           const LeanSegment& segment,
                           const ConnectionName& connection,
                           uint8_t ecn)
{
    constexpr uint8_t TIME_TO_LIVE = 64; // as ns-3's
    Frame* frame = m_frames->Take();
    frame->segment = segment;
    FlowTuple flow;
    flow.srcAddress = Fabric::GetHostAddress(host).Get();
    flow.dstAddress = connection.remoteAddress;
    flow.protocol = ConnectionName::TCP;
    flow.srcPort = connection.localPort;
    flow.dstPort = connection.remotePort;
    const uint64_t pair = uint64_t{flow.srcAddress} << 32 | flow.dstAddress;
    const bool sprays = m_topology->IsSprayingPackets();
    Address(frame, flow, sprays ? m_identification[pair]++ : 0);
    if (frame->dst != NO_HOST && !m_topology->HasPath(host, frame->dst))
    {
        // As IP at a host does that has no route.
        m_frames->Return(frame);
        return;
    }
    frame->bytes = IPV4_HEADER_BYTES + segment.GetHeaderBytes() + segment.payload;
    frame->dsField = ecn;
    frame->ecnCapable = ecn != 0;
    frame->ttl = TIME_TO_LIVE;
    frame->uid = m_nextUid++;
    const PacketClass* packetClass = m_classifiers[host]->Find(connection);
    if (!packetClass && segment.IsAnswer())
    {
        packetClass = &m_classifiers[host]->GetAcknowledgement();
    }
    if (m_segmentListener)
    {
        m_segmentListener->Sent(host,
                                Ipv4Address(connection.remoteAddress),
                                segment,
                                ecn,
                                packetClass ? *packetClass : PacketClass());
    }
    Leave(host, frame, packetClass);
}

void
FabricChannel::DeliverSegment(Frame* frame)
{
    constexpr uint8_t ECN_BITS = 3;
    const LeanSegment segment = frame->segment;
    const PacketClass packetClass = frame->packetClass;
    const uint8_t ecn = frame->marked ? ECN_BITS : frame->dsField & ECN_BITS;
    const Ipv4Address from = Fabric::GetHostAddress(frame->src);
    SegmentReceiver* receiver = m_receivers[frame->dst];
    m_cause = frame->start;
    m_frames->Return(frame);
    if (receiver)
    {
        receiver->ReceiveSegment(segment, from, ecn, packetClass);
    }
    m_cause = FifoPorts::NO_CAUSE;
}

void
FabricChannel::SetSegmentListener(SegmentListener& listener)
{
    m_segmentListener = &listener;
}

} // namespace ns3::coflow
