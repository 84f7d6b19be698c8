/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-express-fabric.h"

#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-host-stack.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-topology-routing.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowExpressFabric");
COFLOW_REGISTER(ExpressFabric, "switches are entries in tables: the same times, many times faster");

TypeId
ExpressFabric::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::ExpressFabric")
                            .SetParent<Fabric>()
                            .SetGroupName("Coflow")
                            .AddConstructor<ExpressFabric>();
    return tid;
}

void
ExpressFabric::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_channel = nullptr;
    Fabric::DoDispose();
}

void
ExpressFabric::DoBuild(NodeContainer& hosts)
{
    m_channel = CreateObject<FabricChannel>();
    const auto disc = GetQueueDiscFactory().Create<QueueDisc>();
    if (const auto fifo = DynamicCast<FifoQueueDisc>(disc))
    {
        m_channel->Build(GetTopology(), GetMtu(), fifo->GetLimits());
    }
    else if (const auto discipline = DynamicCast<DisciplineQueueDisc>(disc))
    {
        m_channel->Build(GetTopology(), GetMtu(), *discipline);
    }
    else
    {
        std::vector<std::string> allowed;
        for (const NamedType& type : GetNamedTypes(QueueDisc::GetTypeId()))
        {
            allowed.push_back(GetBareName(type.typeId));
        }
        throw ::coflow::InputError(GetInstanceTypeId().GetName() + "::QueueDisc is '" +
                                   disc->GetInstanceTypeId().GetName() +
                                   "'; allowed: " + ::coflow::JoinNames(allowed) +
                                   " of ns3::coflow (the fabric 'nodes' runs any queue disc)");
    }

    // This call comes before a node schedules an event. If a simulator exists already, lean
    // connections use that simulator, and are slower.
    WheelSimulatorImpl::Install();
    const auto routes = Create<PortRoutes>();
    hosts.Create(GetTopology()->GetNHosts());
    InstallHostStacks(hosts, GetTopology(), routes);
    for (HostId host = 0; host < hosts.GetN(); ++host)
    {
        const auto device = CreateObject<FabricNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        device->SetMtu(GetMtu());
        hosts.Get(host)->AddDevice(device);
        device->Attach(m_channel);
        ConnectHostDevice(host, device, *routes);
    }
}

Ptr<NetDevice>
ExpressFabric::GetHostDevice(HostId host) const
{
    return m_channel->GetDevice(host);
}

PortStatistics
ExpressFabric::GetPortStatistics(LinkPort port) const
{
    return m_channel->GetPorts().GetStatistics(port);
}

std::map<std::string, uint64_t>
ExpressFabric::GetDrops(LinkPort port) const
{
    return m_channel->GetPorts().GetDrops(port);
}

uint64_t
ExpressFabric::GetQueuedBytes(LinkPort port) const
{
    return m_channel->GetPorts().GetQueuedBytes(port);
}

std::vector<BandStatistics>
ExpressFabric::GetBandStatistics(LinkPort port) const
{
    return m_channel->GetPorts().GetBandStatistics(port);
}

void
ExpressFabric::SetListener(FabricListener& listener)
{
    m_channel->SetListener(listener);
}

uint64_t
ExpressFabric::GetTies() const
{
    return m_channel->GetPorts().GetTies();
}

uint64_t
ExpressFabric::GetArrivedPackets(LinkPort port) const
{
    return m_channel->GetPorts().GetArrivedPackets(port);
}

uint64_t
ExpressFabric::GetUnroutedPackets() const
{
    return m_channel->GetUnroutedPackets();
}

} // namespace ns3::coflow
