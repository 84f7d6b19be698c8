/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-installed-network.h"

#include "ns3/channel.h"
#include "ns3/coflow-device-queue-discs.h"
#include "ns3/coflow-device-slot.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-host-egress.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-queue-limit.h"
#include "ns3/coflow-rounded-times.h"
#include "ns3/coflow-wire-times.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/pointer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace ns3::coflow
{

using ::coflow::InputError;

NS_OBJECT_ENSURE_REGISTERED(InstalledNetwork);

namespace
{

/// @return the queue inside a device; or null
Ptr<Queue<Packet>>
GetDeviceQueue(const NetDevice& device)
{
    PointerValue value;
    return device.GetAttributeFailSafe("TxQueue", value) ? value.Get<Queue<Packet>>() : nullptr;
}

/// @return the rate at which the other end of a host's channel sends to the host
DataRate
GetRateBack(const NetDevice& device)
{
    const auto channel = device.GetChannel();
    // On a shared medium, all devices send at the rate of the host.
    if (channel && channel->GetNDevices() == 2)
    {
        const auto first = channel->GetDevice(0);
        return GetDeviceRate(PeekPointer(first) == &device ? *channel->GetDevice(1) : *first);
    }
    return GetDeviceRate(device);
}

} // namespace

TypeId
InstalledNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::InstalledNetwork").SetParent<HostNetwork>().SetGroupName("Coflow");
    return tid;
}

InstalledNetwork::InstalledNetwork(const NodeContainer& hosts, const Given& given, uint16_t mtu)
    : m_hosts(hosts),
      m_mtu(mtu),
      m_graph(hosts)
{
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        m_ports.push_back(MakePort(*host, given));
        const auto number = static_cast<HostId>(m_ports.size() - 1);
        const auto [other, isNew] = m_hostOf.emplace(m_ports.back().address, number);
        if (!isNew)
        {
            std::ostringstream text;
            text << NameNode(**host) << " has the address " << m_ports.back().address << " of "
                 << NameNode(*hosts.Get(other->second))
                 << "; allowed: every host once, with an address of its own";
            throw InputError(text.str());
        }
    }
    if (m_ports.size() < 2)
    {
        throw InputError("there are " + std::to_string(m_ports.size()) +
                         " hosts; allowed: at least 2");
    }
    CheckReachable();
    CheckPacketTimes();
    for (const auto& [node, address] : given.addresses)
    {
        FindHost(*node);
    }
    for (const auto& [node, rates] : given.rates)
    {
        FindHost(*node);
    }
    for (const auto& [node, share] : given.shares)
    {
        SetAvailableShare(FindHost(*node), share);
    }
}

void
InstalledNetwork::DoDispose()
{
    m_hosts = NodeContainer();
    m_graph = NodeGraph(m_hosts);
    m_ports.clear();
    HostNetwork::DoDispose();
}

HostId
InstalledNetwork::FindHost(const Node& node) const
{
    for (HostId host = 0; host < GetNHosts(); ++host)
    {
        if (PeekPointer(m_hosts.Get(host)) == &node)
        {
            return host;
        }
    }
    throw InputError(NameNode(node) + " is none of the hosts of CoflowHelper::Install()");
}

InstalledNetwork::Port
InstalledNetwork::MakePort(const Ptr<Node>& host, const Given& given) const
{
    const auto name = NameNode(*host);
    const auto ipv4 = host->GetObject<Ipv4>();
    if (!ipv4)
    {
        throw InputError(name + " has no IPv4 stack; call InternetStackHelper::Install() with it "
                                "before CoflowHelper::Install()");
    }
    const auto wanted = given.addresses.find(host);
    std::vector<Port> found;
    std::string addresses;
    for (uint32_t i = 0; i < ipv4->GetNInterfaces(); ++i)
    {
        for (uint32_t j = 0; j < ipv4->GetNAddresses(i); ++j)
        {
            const auto address = ipv4->GetAddress(i, j).GetLocal();
            if (address.IsLocalhost())
            {
                continue;
            }
            std::ostringstream text;
            text << address;
            addresses += (addresses.empty() ? "" : ", ") + text.str();
            if (wanted == given.addresses.end() || wanted->second == address)
            {
                Port port;
                port.address = address;
                port.device = ipv4->GetNetDevice(i);
                found.push_back(port);
            }
        }
    }
    if (addresses.empty())
    {
        throw InputError(name + " has no IPv4 address; call Ipv4AddressHelper::Assign() with its "
                                "devices before CoflowHelper::Install()");
    }
    if (found.size() != 1)
    {
        std::ostringstream text;
        text << name << " has the addresses " << addresses;
        if (wanted != given.addresses.end())
        {
            text << ", but not " << wanted->second;
        }
        text << "; call CoflowHelper::SetAddress() to say which of them its flows use";
        throw InputError(text.str());
    }
    auto port = found.front();
    const auto rates = given.rates.find(host);
    port.up = rates == given.rates.end() ? GetDeviceRate(*port.device) : rates->second.first;
    port.deviceRate = GetDeviceRate(*port.device).GetBitRate();
    port.down = rates == given.rates.end() ? GetRateBack(*port.device) : rates->second.second;
    if (port.up.GetBitRate() == 0 || port.down.GetBitRate() == 0)
    {
        throw InputError(NameDevice(*port.device) +
                         " or the other end of its channel has no DataRate above 0; call "
                         "CoflowHelper::SetRates() to say how fast the host's port is");
    }
    return port;
}

void
InstalledNetwork::CheckReachable() const
{
    const auto paths = m_graph.GetPaths(m_hosts.Get(0));
    for (auto host = m_hosts.Begin(); host != m_hosts.End(); ++host)
    {
        if (paths.count((*host)->GetId()) == 0)
        {
            throw InputError(NameNode(**host) + " is not connected to " +
                             NameNode(*m_hosts.Get(0)) +
                             " by any channels; call the Install() of a link's helper, such as "
                             "PointToPointHelper, to connect them");
        }
    }
    for (const auto& device : m_graph.GetDevices())
    {
        if (device->GetMtu() < m_mtu)
        {
            throw InputError(
                NameDevice(*device) + " has an MTU of " + std::to_string(device->GetMtu()) +
                ", but TCP's full segments make "
                "packets of " +
                std::to_string(m_mtu) +
                " bytes; call its SetMtu() with at least that, or "
                "CoflowHelper::Set(\"segmentSize\", ...) with at most " +
                std::to_string(device->GetMtu() - std::min<int>(device->GetMtu(), 52)));
        }
    }
}

void
InstalledNetwork::CheckPacketTimes()
{
    for (const auto& device : m_graph.GetDevices())
    {
        const auto rate = GetDeviceRate(*device);
        if (rate.GetBitRate() == 0)
        {
            continue; // the device has no rate, or transmits in no time
        }
        const double error =
            RoundedTimes::Check(rate,
                                m_mtu + WireTimes::FRAMING_BYTES,
                                NameDevice(*device),
                                "Time::SetResolution(Time::PS) as the first call of the script");
        if (std::abs(error) > std::abs(m_packetTimeError))
        {
            m_packetTimeError = error;
        }
    }
}

void
InstalledNetwork::PrepareHosts()
{
    for (auto host = m_hosts.Begin(); host != m_hosts.End(); ++host)
    {
        if (!(*host)->GetObject<PacketClassifier>())
        {
            (*host)->AggregateObject(CreateObject<PacketClassifier>());
        }
        const auto ipv4 = (*host)->GetObject<Ipv4>();
        for (uint32_t i = 0; i < ipv4->GetNInterfaces(); ++i)
        {
            if (ipv4->GetNAddresses(i) > 0 && !ipv4->GetAddress(i, 0).GetLocal().IsLocalhost())
            {
                HostEgress::Install(*host, i);
            }
        }
    }
}

const std::vector<Ptr<NetDevice>>&
InstalledNetwork::GetDevices() const
{
    return m_graph.GetDevices();
}

uint32_t
InstalledNetwork::GetNHosts() const
{
    return m_hosts.GetN();
}

HostId
InstalledNetwork::GetHostWithAddress(Ipv4Address address) const
{
    const auto found = m_hostOf.find(address);
    return found == m_hostOf.end() ? GetNHosts() : found->second;
}

DataRate
InstalledNetwork::GetCurrentUplinkRate(HostId host) const
{
    return GetUplinkRate(host) * GetRateChange(host);
}

uint64_t
InstalledNetwork::GetWaitingBytes(HostId host) const
{
    auto& port = m_ports[host];
    if (!port.knowsQueues)
    {
        port.queueDisc = GetRootQueueDisc(port.device);
        port.queue = GetDeviceQueue(*port.device);
        port.knowsQueues = true;
    }
    return (port.queueDisc ? port.queueDisc->GetNBytes() : 0) +
           (port.queue ? port.queue->GetNBytes() : 0);
}

double
InstalledNetwork::GetPortShare(HostId host) const
{
    const auto& port = m_ports.at(host);
    const auto ipv4 = m_hosts.Get(host)->GetObject<Ipv4>();
    const auto interface = ipv4->GetInterfaceForDevice(port.device);
    if (interface < 0 || !ipv4->IsUp(interface) || !port.device->IsLinkUp())
    {
        return 0;
    }
    // A host sees only its own device, so a slower link counts as slower in both directions.
    return port.share * GetRateChange(host);
}

double
InstalledNetwork::GetRateChange(HostId host) const
{
    const auto& port = m_ports.at(host);
    const auto rate = GetDeviceRate(*port.device).GetBitRate();
    return port.deviceRate == 0 ? 1
                                : static_cast<double>(rate) / static_cast<double>(port.deviceRate);
}

void
InstalledNetwork::SetAvailableShare(HostId host, double share)
{
    if (!(share >= 0 && share <= 1))
    {
        throw InputError("the available share of " + NameNode(*m_hosts.Get(host)) + " is " +
                         std::to_string(share) + "; allowed: 0 to 1");
    }
    m_ports.at(host).share = share;
}

uint64_t
InstalledNetwork::GetQueueLimit() const
{
    uint64_t most = 0;
    for (const auto& device : m_graph.GetDevices())
    {
        uint64_t bytes = 0;
        if (const auto queueDisc = GetRootQueueDisc(device))
        {
            bytes += coflow::GetQueueLimit(*queueDisc, m_mtu).bytes;
        }
        const auto queue = GetDeviceQueue(*device);
        if (queue && !DynamicCast<DeviceSlot>(queue))
        {
            bytes += coflow::GetQueueLimit(*queue, m_mtu).bytes;
        }
        most = std::max(most, bytes);
    }
    return most;
}

PortQueue
InstalledNetwork::GetPortQueue() const
{
    std::optional<PortQueue> all;
    for (const auto& device : m_graph.GetDevices())
    {
        const auto queueDisc = GetRootQueueDisc(device);
        const auto queue = queueDisc ? DescribeQueue(*queueDisc, m_mtu) : PortQueue();
        if (all && *all != queue)
        {
            return {"several", "", 0, ""};
        }
        all = queue;
    }
    return all.value_or(PortQueue());
}

NetworkCounts
InstalledNetwork::GetCounts() const
{
    NetworkCounts counts;
    for (const auto& device : m_graph.GetDevices())
    {
        const auto queue = GetDeviceQueue(*device);
        counts.droppedPackets += queue ? queue->GetTotalDroppedPackets() : 0;
        if (const auto queueDisc = GetRootQueueDisc(device))
        {
            const auto& stats = queueDisc->GetStats();
            counts.droppedPackets += stats.nTotalDroppedPackets;
            counts.markedPackets += stats.nTotalMarkedPackets;
            counts.packetHops += stats.nTotalSentPackets;
        }
        else
        {
            counts.packetHops += queue ? queue->GetTotalReceivedPackets() : 0;
        }
    }
    return counts;
}

void
InstalledNetwork::InstallQueueDiscs(const ObjectFactory& queueDisc) const
{
    NetDeviceContainer devices;
    for (const auto& device : m_graph.GetDevices())
    {
        if (!coflow::IsBridgePort(*device))
        {
            devices.Add(device);
        }
    }
    InstallQueueDiscs(devices, queueDisc);
}

void
InstalledNetwork::InstallQueueDiscs(const NetDeviceContainer& devices,
                                    const ObjectFactory& queueDisc)
{
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        InstallQueueDisc(*device, queueDisc);
    }
}

void
InstalledNetwork::Check(const std::string& scheduler,
                        const std::string& queueDisc,
                        bool marks,
                        bool routes) const
{
    for (const auto& device : m_graph.GetDevices())
    {
        CheckQueueDisc(device, scheduler, queueDisc, marks);
    }
    if (routes)
    {
        CheckRoutes();
    }
}

std::string
InstalledNetwork::DescribeOtherQueueDiscs(TypeId expected) const
{
    return coflow::DescribeOtherQueueDiscs(GetDevices(), expected);
}

std::vector<std::string>
InstalledNetwork::GetNotes() const
{
    return m_graph.GetNotes(m_hosts);
}

void
InstalledNetwork::CheckRoutes() const
{
    const auto check = [this](HostId from, HostId to) {
        const auto node = m_hosts.Get(from);
        const auto protocol = node->GetObject<Ipv4>()->GetRoutingProtocol();
        Ipv4Header header;
        header.SetDestination(m_ports[to].address);
        Socket::SocketErrno error = Socket::ERROR_NOTERROR;
        if (!protocol || !protocol->RouteOutput(Create<Packet>(), header, nullptr, error))
        {
            std::ostringstream text;
            text << NameNode(*node) << " has no route to " << m_ports[to].address << " of "
                 << NameNode(*m_hosts.Get(to))
                 << "; call Ipv4GlobalRoutingHelper::PopulateRoutingTables() before "
                    "CoflowHelper::Install(), or CoflowHelper::SetCheckRoutes(false) where routes "
                    "come later";
            throw InputError(text.str());
        }
    };
    // A check of all pairs would take long. Hosts with the routes below are rarely missing other
    // routes.
    for (HostId host = 0; host < GetNHosts(); ++host)
    {
        check(host, (host + 1) % GetNHosts());
        if (host > 0)
        {
            check(0, host);
            check(host, 0);
        }
    }
}

double
InstalledNetwork::GetSecondsPerBit() const
{
    std::size_t most = 2;
    const auto paths = m_graph.GetPaths(m_hosts.Get(0));
    for (auto host = m_hosts.Begin(); host != m_hosts.End(); ++host)
    {
        most = std::max(most, paths.at((*host)->GetId()).size());
    }
    double atHosts = 0; // seconds per bit at the slowest port
    for (const auto& port : m_ports)
    {
        const auto rate = std::min(port.up, port.down).GetBitRate();
        atHosts = std::max(atHosts, 1.0 / static_cast<double>(rate));
    }
    double between = 0;
    for (const auto& device : m_graph.GetDevices())
    {
        const auto rate = GetDeviceRate(*device).GetBitRate();
        if (rate > 0 && !m_graph.IsAtHost(*device))
        {
            between = std::max(between, 1.0 / static_cast<double>(rate));
        }
    }
    return 2 * atHosts + static_cast<double>(most - 2) * between;
}

Time
InstalledNetwork::GetLongestRoundTrip(uint32_t bytes, uint32_t backBytes) const
{
    Time longest;
    // Both directions of a path have the same channels, but perhaps other rates. In most networks,
    // the longest path of a host leads to the first or the last host. A search from all hosts would
    // take long.
    for (const HostId end : {HostId{0}, GetNHosts() - 1})
    {
        const auto there = m_graph.GetPaths(m_hosts.Get(end));
        for (auto host = m_hosts.Begin(); host != m_hosts.End(); ++host)
        {
            const auto& path = there.at((*host)->GetId());
            longest =
                std::max(longest,
                         NodeGraph::GetTime(path, bytes) + NodeGraph::GetTime(path, backBytes));
        }
    }
    return longest;
}

BandwidthDelay
InstalledNetwork::GetBandwidthDelay() const
{
    HostId fastest = 0;
    for (HostId host = 1; host < GetNHosts(); ++host)
    {
        fastest = GetUplinkRate(host) > GetUplinkRate(fastest) ? host : fastest;
    }
    BandwidthDelay largest;
    for (const HostId end : {HostId{0}, GetNHosts() - 1, fastest})
    {
        const auto there = m_graph.GetPaths(m_hosts.Get(end));
        for (HostId host = 0; host < GetNHosts(); ++host)
        {
            if (host == end)
            {
                continue;
            }
            const auto& path = there.at(m_hosts.Get(host)->GetId());
            BandwidthDelay found{std::min(GetUplinkRate(end), GetDownlinkRate(host)),
                                 NodeGraph::GetTime(path, BandwidthDelay::FRAME_BYTES) +
                                     NodeGraph::GetTime(path, BandwidthDelay::BACK_BYTES)};
            for (const auto& device : path)
            {
                const auto rate = GetDeviceRate(*device);
                found.rate = rate.GetBitRate() > 0 ? std::min(found.rate, rate) : found.rate;
            }
            largest = found.GetBytes() > largest.GetBytes() ? found : largest;
        }
    }
    return largest;
}

} // namespace ns3::coflow
