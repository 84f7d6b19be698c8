/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A fabric as a HostNetwork: what its topology says of hosts, ports and paths.

#include "ns3/coflow-fabric.h"
#include "ns3/coflow-topology-paths.h"
#include "ns3/ipv4.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace ns3::coflow
{

namespace
{

/// @return how long packets take from one host to another and back, where nothing waits, and the
///         rate of the slowest port there
BandwidthDelay
GetRoundTrip(const Topology& topology, HostId from, HostId to, uint32_t bytes, uint32_t backBytes)
{
    constexpr uint64_t ANY_HASH = 0;
    std::array<LinkPort, MAX_PATH_PORTS> path{};
    BandwidthDelay result{DataRate(0), Time()};
    for (const auto& [src, dst, size] :
         {std::tuple(from, to, bytes), std::tuple(to, from, backBytes)})
    {
        const uint32_t ports = topology.Path(src, dst, ANY_HASH, path);
        for (uint32_t i = 0; i < ports; ++i)
        {
            const TopologyPort& port = topology.GetPort(path[i]);
            result.roundTrip += port.delay + port.rate.CalculateBytesTxTime(size);
            if (src == from)
            {
                result.rate = i == 0 ? port.rate : std::min(result.rate, port.rate);
            }
        }
    }
    return result;
}

} // namespace

uint32_t
Fabric::GetNHosts() const
{
    return m_topology->GetNHosts();
}

Ipv4Address
Fabric::GetAddress(HostId host) const
{
    return GetHostAddress(host);
}

HostId
Fabric::GetHostWithAddress(Ipv4Address address) const
{
    return GetHostByAddress(address, GetNHosts());
}

DataRate
Fabric::GetUplinkRate(HostId host) const
{
    return GetHostPortRate(Topology::GetUplink(host));
}

DataRate
Fabric::GetDownlinkRate(HostId host) const
{
    return GetHostPortRate(Topology::GetDownlink(host));
}

DataRate
Fabric::GetHostPortRate(LinkPort port) const
{
    return m_hostPortRates.empty() ? m_topology->GetPort(port).rate : m_hostPortRates[port];
}

DataRate
Fabric::GetCurrentUplinkRate(HostId host) const
{
    return m_topology->GetPort(Topology::GetUplink(host)).rate;
}

double
Fabric::GetPortShare(HostId host) const
{
    const auto ipv4 = m_hosts.Get(host)->GetObject<Ipv4>();
    const auto interface = ipv4->GetInterfaceForDevice(GetHostDevice(host));
    if (!m_topology->GetPort(Topology::GetUplink(host)).up || !ipv4->IsUp(interface))
    {
        return 0;
    }
    return static_cast<double>(GetCurrentUplinkRate(host).GetBitRate()) /
           static_cast<double>(GetUplinkRate(host).GetBitRate());
}

uint64_t
Fabric::GetWaitingBytes(HostId host) const
{
    return GetQueuedBytes(Topology::GetUplink(host));
}

double
Fabric::GetSecondsPerBit() const
{
    std::array<LinkPort, MAX_PATH_PORTS> path;
    uint32_t most = 0;
    for (HostId host = 1; host < GetNHosts(); ++host)
    {
        most = std::max(most, m_topology->Path(0, host, 0, path));
    }
    double atHosts = 0; // seconds per bit at the slowest port
    double between = 0;
    for (LinkPort port = 0; port < m_topology->GetNPorts(); ++port)
    {
        const auto& link = m_topology->GetPort(port);
        const bool ofHost = m_topology->IsHost(link.from) || m_topology->IsHost(link.to);
        auto& slowest = ofHost ? atHosts : between;
        slowest = std::max(slowest, 1.0 / static_cast<double>(link.rate.GetBitRate()));
    }
    return 2 * atHosts + (std::max(most, 2U) - 2) * between;
}

Time
Fabric::GetLongestRoundTrip(uint32_t bytes, uint32_t backBytes) const
{
    Time longest;
    const HostId last = GetNHosts() - 1;
    for (HostId host = 0; host <= last; ++host)
    {
        // The longest path from any host is that from one of the ends.
        for (const HostId end : {HostId{0}, last})
        {
            if (host != end)
            {
                longest =
                    std::max(longest,
                             GetRoundTrip(*m_topology, end, host, bytes, backBytes).roundTrip);
            }
        }
    }
    return longest;
}

BandwidthDelay
Fabric::GetBandwidthDelay() const
{
    if (m_bandwidthDelay)
    {
        return *m_bandwidthDelay;
    }
    HostId fastest = 0;
    for (HostId host = 1; host < GetNHosts(); ++host)
    {
        fastest = GetUplinkRate(host) > GetUplinkRate(fastest) ? host : fastest;
    }
    BandwidthDelay largest;
    for (HostId host = 0; host < GetNHosts(); ++host)
    {
        for (const HostId end : {HostId{0}, GetNHosts() - 1, fastest})
        {
            if (host != end)
            {
                const auto path = GetRoundTrip(*m_topology,
                                               end,
                                               host,
                                               BandwidthDelay::FRAME_BYTES,
                                               BandwidthDelay::BACK_BYTES);
                largest = path.GetBytes() > largest.GetBytes() ? path : largest;
            }
        }
    }
    m_bandwidthDelay = largest;
    return largest;
}

NetworkCounts
Fabric::GetCounts() const
{
    const auto totals = GetTotals();
    return {totals.droppedPackets, totals.markedPackets, totals.packetHops};
}

std::shared_ptr<const ::coflow::PathMap>
Fabric::GetPaths() const
{
    return std::make_shared<TopologyPaths>(m_topology);
}

} // namespace ns3::coflow
