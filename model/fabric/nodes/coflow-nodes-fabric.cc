/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-nodes-fabric.h"

#include "ns3/coflow-device-slot.h"
#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/coflow-host-egress.h"
#include "ns3/coflow-host-stack.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-packet-class-tag.h"
#include "ns3/coflow-rounded-times.h"
#include "ns3/coflow-topology-routing.h"
#include "ns3/coflow-wire-times.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/simulator.h"
#include "ns3/traffic-control-layer.h"

#include <cmath>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowNodesFabric");
COFLOW_REGISTER(NodesFabric, "switches are ns-3 nodes: any queue disc, pcap, NetAnim");

TypeId
NodesFabric::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::NodesFabric")
                            .SetParent<Fabric>()
                            .SetGroupName("Coflow")
                            .AddConstructor<NodesFabric>();
    return tid;
}

namespace
{

/// Calls a function of a listener with a packet.
/// @param bytes size of the IPv4 packet
/// @param tell the function
template <typename Tell>
void
See(const Packet& packet, uint32_t bytes, Tell&& tell)
{
    PacketClassTag tag;
    packet.PeekPacketTag(tag);
    tell(FabricListener::Seen{packet.GetUid(), bytes, tag.Get()});
}

} // namespace

NodesFabric::NodesFabric()
    : m_drops(Create<DropCounter>())
{
    NS_LOG_FUNCTION(this);
}

NodesFabric::~NodesFabric()
{
    NS_LOG_FUNCTION(this);
    StopFollowing();
}

void
NodesFabric::DoDispose()
{
    NS_LOG_FUNCTION(this);
    StopFollowing();
    m_nodes = NodeContainer();
    m_devices.clear();
    m_queueDiscs.clear();
    m_ports.clear();
    Fabric::DoDispose();
}

void
NodesFabric::StopFollowing()
{
    if (GetTopology())
    {
        GetTopology()->TraceDisconnectWithoutContext("PortChange",
                                                     MakeCallback(&NodesFabric::FollowPort, this));
    }
}

void
NodesFabric::DoBuild(NodeContainer& hosts)
{
    const Ptr<Topology> topology = GetTopology();
    const auto routes = Create<PortRoutes>();
    for (LinkPort port = 0; port < topology->GetNPorts(); ++port)
    {
        CheckPacketTimes(port);
    }
    m_nodes.Create(topology->GetNVertices());

    for (HostId host = 0; host < topology->GetNHosts(); ++host)
    {
        hosts.Add(m_nodes.Get(host));
    }
    InstallHostStacks(hosts, topology, routes);
    for (VertexId vertex = topology->GetNHosts(); vertex < m_nodes.GetN(); ++vertex)
    {
        BuildSwitch(m_nodes.Get(vertex), vertex, routes);
    }

    const uint32_t nPorts = topology->GetNPorts();
    m_devices.reserve(nPorts);
    m_queueDiscs.reserve(nPorts);
    m_ports.reserve(nPorts);
    for (LinkPort port = 0; port < nPorts; port += 2)
    {
        BuildDevice(port);
        BuildDevice(port + 1);
        const auto channel = CreateObjectWithAttributes<PointToPointChannel>(
            "Delay",
            TimeValue(topology->GetPort(port).delay));
        m_devices[port]->Attach(channel);
        m_devices[port + 1]->Attach(channel);
        ConnectDevice(port, routes);
        ConnectDevice(port + 1, routes);
    }
    topology->TraceConnectWithoutContext("PortChange",
                                         MakeCallback(&NodesFabric::FollowPort, this));
}

void
NodesFabric::BuildSwitch(Ptr<Node> node, VertexId vertex, Ptr<PortRoutes> routes)
{
    const auto ipv4 = CreateObject<Ipv4L3Protocol>();
    node->AggregateObject(ipv4);
    node->AggregateObject(CreateObject<TrafficControlLayer>());
    const auto routing = CreateObject<TopologyRouting>();
    routing->SetVertex(GetTopology(), routes, vertex);
    ipv4->SetRoutingProtocol(routing);
    ipv4->TraceConnectWithoutContext("Drop", MakeCallback(&DropCounter::Count, m_drops));
}

void
NodesFabric::BuildDevice(LinkPort port)
{
    const TopologyPort& properties = GetTopology()->GetPort(port);
    const auto device = CreateObject<PointToPointNetDevice>();
    device->SetAddress(Mac48Address::Allocate());
    device->SetMtu(GetMtu());
    device->SetDataRate(properties.rate);
    m_nodes.Get(properties.from)->AddDevice(device);

    const auto slot = CreateObject<DeviceSlot>();
    slot->SetMaxSize(QueueSize(QueueSizeUnit::PACKETS, 1));
    const auto queueInterface = CreateObject<NetDeviceQueueInterface>();
    slot->SetTxQueue(queueInterface->GetTxQueue(0));
    device->SetQueue(slot);
    device->AggregateObject(queueInterface);
    m_devices.push_back(device);
}

void
NodesFabric::ConnectDevice(LinkPort port, Ptr<PortRoutes> routes)
{
    const VertexId vertex = GetTopology()->GetPort(port).from;
    const Ptr<Node> node = m_nodes.Get(vertex);
    const Ptr<PointToPointNetDevice> device = m_devices[port];
    const auto state = Create<Port>();
    state->port = port;
    m_ports.push_back(state);

    // The queue disc is installed before the address, because an address without a queue disc may
    // install FqCoDel.
    const auto queueDisc = GetQueueDiscFactory().Create<QueueDisc>();
    node->GetObject<TrafficControlLayer>()->SetRootQueueDiscOnDevice(device, queueDisc);
    queueDisc->TraceConnectWithoutContext("BytesInQueue",
                                          MakeCallback(&Port::SetQueueBytes, state));
    m_queueDiscs.push_back(queueDisc);
    UpdateRate(port);

    if (GetTopology()->IsHost(vertex))
    {
        HostEgress::Install(node, ConnectHostDevice(vertex, device, *routes));
        device->TraceConnectWithoutContext("MacRx", MakeCallback(&Port::CountArrival, state));
        return;
    }
    const auto ipv4 = node->GetObject<Ipv4L3Protocol>();
    const uint32_t interface = ipv4->AddInterface(device);
    state->ipv4 = PeekPointer(ipv4);
    device->SetReceiveCallback(MakeCallback(&Port::ReceiveAtSwitch, state));
    routes->Add(port, device, Ipv4Address::GetAny());
    ipv4->SetUp(interface);
}

void
NodesFabric::CheckPacketTimes(LinkPort port)
{
    const auto& topology = *GetTopology();
    const double error = RoundedTimes::Check(topology.GetPort(port).rate,
                                             GetMtu() + WireTimes::FRAMING_BYTES,
                                             topology.GetPortName(port),
                                             "the fabric express, which keeps the rest");
    if (std::abs(error) > std::abs(m_packetTimeError))
    {
        m_packetTimeError = error;
    }
}

void
NodesFabric::FollowPort(LinkPort port)
{
    CheckPacketTimes(port);
    m_devices[port]->SetDataRate(GetTopology()->GetPort(port).rate);
    UpdateRate(port);
}

void
NodesFabric::UpdateRate(LinkPort port)
{
    if (const auto disc = DynamicCast<DisciplineQueueDisc>(m_queueDiscs[port]))
    {
        disc->SetLinkRate(GetTopology()->GetPort(port).rate);
    }
}

Ptr<NetDevice>
NodesFabric::GetHostDevice(HostId host) const
{
    return m_devices.at(Topology::GetUplink(host));
}

PortStatistics
NodesFabric::GetPortStatistics(LinkPort port) const
{
    const Ptr<QueueDisc> queueDisc = GetQueueDisc(port);
    const QueueDisc::Stats& stats = queueDisc->GetStats();
    PortStatistics result;
    result.receivedPackets = stats.nTotalReceivedPackets;
    result.receivedBytes = stats.nTotalReceivedBytes;
    result.packets = stats.nTotalSentPackets;
    result.bytes = stats.nTotalSentBytes;
    result.droppedPackets = stats.nTotalDroppedPackets;
    result.droppedBytes = stats.nTotalDroppedBytes;
    result.markedPackets = stats.nTotalMarkedPackets;
    result.queuedPackets = queueDisc->GetNPackets();
    result.queuedBytes = queueDisc->GetNBytes();
    result.maxQueueBytes = m_ports[port]->occupancy.GetMaxBytes();
    result.meanQueueBytes = m_ports[port]->occupancy.GetMeanBytes(Simulator::Now());
    return result;
}

std::map<std::string, uint64_t>
NodesFabric::GetDrops(LinkPort port) const
{
    const QueueDisc::Stats& stats = GetQueueDisc(port)->GetStats();
    std::map<std::string, uint64_t> drops;
    for (const auto* reasons :
         {&stats.nDroppedPacketsBeforeEnqueue, &stats.nDroppedPacketsAfterDequeue})
    {
        for (const auto& [reason, packets] : *reasons)
        {
            drops[reason] += packets;
        }
    }
    return drops;
}

uint64_t
NodesFabric::GetQueuedBytes(LinkPort port) const
{
    return GetQueueDisc(port)->GetNBytes();
}

std::vector<BandStatistics>
NodesFabric::GetBandStatistics(LinkPort port) const
{
    const auto disc = DynamicCast<DisciplineQueueDisc>(GetQueueDisc(port));
    return disc ? disc->GetBandStatistics() : std::vector<BandStatistics>();
}

void
NodesFabric::SetListener(FabricListener& listener)
{
    m_drops->listener = &listener;
    for (LinkPort port = 0; port < m_ports.size(); ++port)
    {
        const Ptr<Port>& state = m_ports[port];
        const Ptr<QueueDisc>& disc = m_queueDiscs[port];
        state->listener = &listener;
        disc->TraceConnectWithoutContext("Enqueue", MakeCallback(&Port::TraceEnqueue, state));
        disc->TraceConnectWithoutContext("DropBeforeEnqueue",
                                         MakeCallback(&Port::TraceRefusal, state));
        disc->TraceConnectWithoutContext("DropAfterDequeue", MakeCallback(&Port::TraceDrop, state));
    }
}

uint64_t
NodesFabric::GetArrivedPackets(LinkPort port) const
{
    // The packets arrive at the device of the other end.
    return m_ports[Topology::GetReverse(port)]->arrivedPackets;
}

bool
NodesFabric::Port::ReceiveAtSwitch(Ptr<NetDevice> device,
                                   Ptr<const Packet> packet,
                                   uint16_t protocol,
                                   const Address& from)
{
    Arrive(*packet, packet->GetSize());
    ipv4->Receive(device, packet, protocol, from, device->GetAddress(), NetDevice::PACKET_HOST);
    return true;
}

void
NodesFabric::Port::CountArrival(Ptr<const Packet> packet)
{
    // The packet of the trace includes the frame.
    Arrive(*packet, packet->GetSize() - WireTimes::FRAMING_BYTES);
}

void
NodesFabric::Port::Arrive(const Packet& packet, uint32_t bytes)
{
    ++arrivedPackets;
    if (listener)
    {
        See(packet, bytes, [this](const FabricListener::Seen& seen) {
            listener->Arrive(Topology::GetReverse(port), seen);
        });
    }
}

void
NodesFabric::Port::TraceEnqueue(Ptr<const QueueDiscItem> item)
{
    See(*item->GetPacket(), item->GetSize(), [this](const FabricListener::Seen& seen) {
        listener->Receive(port, seen);
    });
}

void
NodesFabric::Port::TraceRefusal(Ptr<const QueueDiscItem> item, const char* reason)
{
    TraceEnqueue(item);
    TraceDrop(item, reason);
}

void
NodesFabric::Port::TraceDrop(Ptr<const QueueDiscItem> item, const char*)
{
    See(*item->GetPacket(), item->GetSize(), [this](const FabricListener::Seen& seen) {
        listener->Drop(port, seen);
    });
}

void
NodesFabric::Port::SetQueueBytes(uint32_t, uint32_t newBytes)
{
    occupancy.Set(Simulator::Now(), newBytes);
}

void
NodesFabric::DropCounter::Count(const Ipv4Header& header,
                                Ptr<const Packet> packet,
                                Ipv4L3Protocol::DropReason,
                                Ptr<Ipv4>,
                                uint32_t)
{
    ++packets;
    if (listener)
    {
        See(*packet,
            packet->GetSize() + header.GetSerializedSize(),
            [this](const FabricListener::Seen& seen) { listener->Lose(seen); });
    }
}

} // namespace ns3::coflow
