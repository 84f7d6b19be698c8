/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-frame-router.h"

#include "ns3/coflow-intrusive-schedule.h"

namespace ns3::coflow
{

void
FrameRouter::SetTopology(Ptr<Topology> topology)
{
    m_topology = topology;
    if (topology->GetFlowletTimeout().IsStrictlyPositive())
    {
        m_flowlets.resize(topology->GetNVertices() - topology->GetNHosts());
    }
}

HostId
FrameRouter::FindHost(uint32_t address) const
{
    const uint32_t hosts = m_topology->GetNHosts();
    const HostId host = Fabric::GetHostByAddress(Ipv4Address(address), hosts);
    return host == hosts ? NO_HOST : host;
}

uint64_t
FrameRouter::GetHash(const Frame& frame) const
{
    if (frame.label != 0)
    {
        return GetLabelHash(frame.label);
    }
    return m_topology->IsSprayingPackets() ? GetPacketHash(frame.flowHash, frame.identification)
                                           : frame.flowHash;
}

void
FrameRouter::RouteFrom(HostId host, Frame* frame) const
{
    // Position 0 is the host's only port, even if there is no path behind it. Route() computes the
    // rest.
    frame->path[0] = Topology::GetUplink(host);
    Route(frame, m_topology->GetHostSwitch(host), 1);
}

void
FrameRouter::Route(Frame* frame, VertexId vertex, uint8_t hop) const
{
    // m_epoch counts changes of links. A frame with an old epoch is routed again when it arrives at
    // a switch (Continue()).
    frame->epoch = m_epoch;
    const uint64_t hash = GetHash(*frame);
    uint8_t i = hop;
    while (vertex != frame->dst)
    {
        // A packet is lost at this switch if its address is unknown, its time to live is over, or
        // no port leads on. NO_PORT marks the end of the path.
        const bool known = frame->dst != NO_HOST && i < frame->ttl;
        const LinkPort port = known ? m_topology->NextPort(vertex, frame->dst, hash) : NO_PORT;
        frame->path[i++] = port;
        if (port == NO_PORT)
        {
            break;
        }
        vertex = m_topology->GetPort(port).to;
    }
    frame->hops = i;
}

void
FrameRouter::RouteFlowlet(Frame* frame, VertexId vertex)
{
    // The path after this switch is provisional, by the hash of the flow: the next switch chooses
    // again. All paths have the same length, so the number of hops is right.
    Route(frame, vertex, frame->hop);
    if (frame->dst == NO_HOST || frame->hop >= frame->ttl ||
        !m_topology->HasChoice(vertex, frame->dst))
    {
        return;
    }
    FlowletTable& flowlets = m_flowlets[vertex - m_topology->GetNHosts()];
    const uint64_t hash = flowlets.GetHash(frame->flowHash,
                                           GetPacketTimeStep(),
                                           m_topology->GetFlowletTimeout().GetTimeStep());
    const LinkPort port = m_topology->NextPort(vertex, frame->dst, hash);
    if (frame->path[frame->hop] != port)
    {
        frame->path[frame->hop] = port;
        Route(frame, m_topology->GetPort(port).to, static_cast<uint8_t>(frame->hop + 1));
    }
}

bool
FrameRouter::FollowRoute(HostId host,
                         Frame* frame,
                         const ConnectionName& connection,
                         SegmentRoute& route)
{
    constexpr uint8_t TIME_TO_LIVE = 64; // as in ns-3
    frame->ttl = TIME_TO_LIVE;
    frame->hop = 0;
    frame->label = static_cast<uint16_t>(route.label);
    if (route.hops != 0 && route.epoch == m_epoch)
    {
        frame->epoch = route.epoch;
        frame->path = route.path;
        frame->hops = route.hops;
        frame->flowHash = route.flowHash;
        frame->dst = route.path[route.hops - 1] / 2; // see Topology::GetDownlink()
        return true;
    }
    FlowTuple flow;
    flow.srcAddress = Fabric::GetHostAddress(host).Get();
    flow.dstAddress = connection.remoteAddress;
    flow.protocol = connection.protocol;
    flow.srcPort = connection.localPort;
    flow.dstPort = connection.remotePort;
    frame->flowHash = GetFlowHash(flow);
    frame->dst = FindHost(flow.dstAddress);
    const bool sprays = m_topology->IsSprayingPackets();
    if (sprays)
    {
        const uint64_t pair = uint64_t{flow.srcAddress} << 32 | flow.dstAddress;
        frame->identification =
            m_identification[connection.protocol == ConnectionName::UDP][pair]++;
    }
    if (frame->dst != NO_HOST && !m_topology->HasPath(host, frame->dst))
    {
        return false;
    }
    RouteFrom(host, frame);
    const bool complete = frame->path[frame->hops - 1] != NO_PORT;
    if (complete && !sprays)
    {
        route.epoch = m_epoch;
        route.path = frame->path;
        route.hops = frame->hops;
        route.flowHash = frame->flowHash;
    }
    return true;
}

} // namespace ns3::coflow
