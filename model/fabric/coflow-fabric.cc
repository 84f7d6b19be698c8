/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fabric.h"

#include "ns3/coflow-attribute-text.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-network-sizes.h"
#include "ns3/coflow-queue-limit.h"
#include "ns3/coflow-topology-paths.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <tuple>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowFabric");
NS_OBJECT_ENSURE_REGISTERED(Fabric);

namespace
{

/// @return the round-trip time of two packets between two hosts with empty queues, and the rate of
///         the slowest port on the path
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

TypeId
Fabric::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::Fabric")
            .SetParent<HostNetwork>()
            .SetGroupName("Coflow")
            .AddAttribute("Topology",
                          "Topology of the network: its hosts, switches and links",
                          PointerValue(),
                          MakePointerAccessor(&Fabric::SetTopology, &Fabric::GetTopology),
                          MakePointerChecker<Topology>())
            .AddAttribute("Mtu",
                          "Largest IPv4 packet that a port carries, in bytes, from 576",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&Fabric::m_mtu),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("QueueDisc",
                          "Queue discipline of every port: a subclass of ns3::QueueDisc, with or "
                          "without values for its attributes, such as "
                          "'ns3::CoDelQueueDisc[MaxSize=100p|UseEcn=true]'. Empty: the one that "
                          "the scheduler needs, or ns3::coflow::FifoQueueDisc",
                          StringValue(""),
                          MakeStringAccessor(&Fabric::m_queueDisc),
                          MakeStringChecker());
    return tid;
}

void
Fabric::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_topology = nullptr;
    m_hosts = NodeContainer();
    HostNetwork::DoDispose();
}

void
Fabric::Build()
{
    NS_LOG_FUNCTION(this);
    NS_ABORT_MSG_IF(m_hosts.GetN() != 0, "a fabric is built once");
    const std::string type = GetInstanceTypeId().GetName();
    if (!m_topology)
    {
        throw ::coflow::InputError(type + "::Topology is not set; allowed: a topology");
    }
    if (m_mtu < 576)
    {
        throw ::coflow::InputError(type + "::Mtu is '" + std::to_string(m_mtu) +
                                   "'; allowed: 576 to 65535");
    }
    m_topology->Build();
    ParseQueueDisc();
    for (LinkPort port = 0; port < 2 * GetNHosts(); ++port)
    {
        m_hostPortRates.push_back(m_topology->GetPort(port).rate);
    }
    DoBuild(m_hosts);
}

void
Fabric::ParseQueueDisc()
{
    if (m_queueDisc.empty())
    {
        m_queueDisc = "ns3::coflow::FifoQueueDisc";
    }
    const std::string option = GetInstanceTypeId().GetName() + "::QueueDisc";
    const std::string name = m_queueDisc.substr(0, m_queueDisc.find('['));
    if (name == "ns3::MqQueueDisc")
    {
        throw ::coflow::InputError(option +
                                   " is 'ns3::MqQueueDisc', which needs devices with "
                                   "several queues; allowed: any other subclass of ns3::QueueDisc");
    }
    ParseObjectFactory(option, QueueDisc::GetTypeId(), m_queueDisc); // throws for a malformed text
    m_queueDisc = NetworkSizes::FollowNetwork(m_queueDisc, true, GetBandwidthDelay().GetBytes());
    m_queueDiscFactory = ParseObjectFactory(option, QueueDisc::GetTypeId(), m_queueDisc);
    CheckQueueLimit();
}

void
Fabric::CheckQueueLimit()
{
    const auto queueDisc = m_queueDiscFactory.Create<QueueDisc>();
    const auto limit = coflow::GetQueueLimit(*queueDisc, m_mtu);
    if (!limit.holdsPacket)
    {
        QueueSizeValue value;
        queueDisc->GetAttribute(limit.attribute, value);
        std::ostringstream text;
        text << m_queueDiscFactory.GetTypeId().GetName() << "::" << limit.attribute << " is '"
             << value.Get() << "', into which no full packet of " << m_mtu
             << " bytes fits, so that none would ever be sent; allowed: at least " << m_mtu
             << "B or 1p";
        throw ::coflow::InputError(text.str());
    }
    m_queueLimit = limit.bytes;
}

PortQueue
Fabric::GetPortQueue() const
{
    return DescribeQueue(*m_queueDiscFactory.Create<QueueDisc>(), m_mtu);
}

FabricTotals
Fabric::GetTotals() const
{
    FabricTotals totals;
    totals.droppedPackets = GetUnroutedPackets();
    for (LinkPort port = 0; port < m_topology->GetNPorts(); ++port)
    {
        const PortStatistics statistics = GetPortStatistics(port);
        const uint64_t arrived = GetArrivedPackets(port);
        totals.droppedPackets += statistics.droppedPackets;
        totals.droppedBytes += statistics.droppedBytes;
        totals.markedPackets += statistics.markedPackets;
        totals.packetHops += statistics.packets;
        totals.queuedPackets += statistics.queuedPackets + (statistics.packets - arrived);
        if (m_topology->IsHost(m_topology->GetPort(port).from))
        {
            totals.injectedPackets += statistics.receivedPackets;
        }
        if (m_topology->IsHost(m_topology->GetPort(port).to))
        {
            totals.deliveredPackets += arrived;
        }
    }
    return totals;
}

uint64_t
Fabric::GetPacketHops() const
{
    return GetTotals().packetHops;
}

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
        // The longest path from a host leads to the first or the last host.
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
