/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-network.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/coflow-control-routing.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"

#include <vector>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(ControlNetwork);

namespace
{

/// Gives InternetStackHelper the routing of the switch.
class SwitchRoutingHelper : public Ipv4RoutingHelper
{
  public:
    SwitchRoutingHelper* Copy() const override
    {
        return new SwitchRoutingHelper(*this);
    }

    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node>) const override
    {
        return CreateObject<ControlRouting>();
    }
};

Ptr<Ipv4Route>
MakeRoute(Ptr<NetDevice> device, Ipv4Address source)
{
    auto route = Create<Ipv4Route>();
    route->SetDestination(Ipv4Address::GetAny());
    route->SetGateway(Ipv4Address::GetAny());
    route->SetSource(source);
    route->SetOutputDevice(device);
    return route;
}

} // namespace

TypeId
ControlNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::ControlNetwork")
            .SetParent<Object>()
            .SetGroupName("Coflow")
            .AddConstructor<ControlNetwork>()
            .AddAttribute("Isolated",
                          "Whether control messages have a network of their own, a switch with a "
                          "link to every host; otherwise they travel among the data",
                          BooleanValue(false),
                          MakeBooleanAccessor(&ControlNetwork::m_isolated),
                          MakeBooleanChecker())
            .AddAttribute("Rate",
                          "Rate of every link of an isolated network",
                          DataRateValue(DataRate("1Gbps")),
                          MakeDataRateAccessor(&ControlNetwork::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("Delay",
                          "Propagation delay of every link of an isolated network",
                          TimeValue(MicroSeconds(5)),
                          MakeTimeAccessor(&ControlNetwork::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("QueueSize",
                          "Most packets or bytes that wait for a link of an isolated network",
                          QueueSizeValue(QueueSize("256KiB")),
                          MakeQueueSizeAccessor(&ControlNetwork::m_queueSize),
                          MakeQueueSizeChecker());
    return tid;
}

ControlNetwork::ControlNetwork()
{
}

ControlNetwork::~ControlNetwork()
{
}

void
ControlNetwork::Build(Ptr<HostNetwork> data)
{
    NS_ABORT_MSG_IF(m_data, "A control network is built twice");
    m_data = data;
    if (!m_isolated)
    {
        return;
    }
    m_switch = CreateObject<Node>();
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(SwitchRoutingHelper());
    stack.Install(m_switch);
    std::vector<Ptr<Ipv4Route>> downlinks;
    for (HostId host = 0; host < data->GetNHosts(); ++host)
    {
        downlinks.push_back(Connect(host));
    }
    DynamicCast<ControlRouting>(m_switch->GetObject<Ipv4>()->GetRoutingProtocol())
        ->SetSwitch(std::move(downlinks));
}

Ptr<Ipv4Route>
ControlNetwork::Connect(HostId host)
{
    const auto channel =
        CreateObjectWithAttributes<PointToPointChannel>("Delay", TimeValue(m_delay));
    const auto node = m_data->GetHosts().Get(host);
    std::vector<Ptr<PointToPointNetDevice>> devices;
    for (const auto& end : {node, m_switch})
    {
        auto queue = CreateObjectWithAttributes<DropTailQueue<Packet>>("MaxSize",
                                                                       QueueSizeValue(m_queueSize));
        auto device = CreateObjectWithAttributes<PointToPointNetDevice>("DataRate",
                                                                        DataRateValue(m_rate),
                                                                        "TxQueue",
                                                                        PointerValue(queue));
        device->SetAddress(Mac48Address::Allocate());
        device->SetMtu(m_data->GetMtu());
        end->AddDevice(device);
        device->Attach(channel);
        devices.push_back(device);
    }
    const auto switchIpv4 = m_switch->GetObject<Ipv4>();
    const auto ipv4 = node->GetObject<Ipv4>();
    switchIpv4->SetUp(switchIpv4->AddInterface(devices[1]));
    const auto interface = ipv4->AddInterface(devices[0]);
    const auto address = GetAddress(host);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, Ipv4Mask("255.240.0.0")));
    ipv4->SetUp(interface);

    auto routing = CreateObject<ControlRouting>();
    routing->SetHost(m_data->GetNHosts(),
                     MakeRoute(devices[0], address),
                     ipv4->GetRoutingProtocol());
    ipv4->SetRoutingProtocol(routing);
    return MakeRoute(devices[1], Ipv4Address::GetAny());
}

Ipv4Address
ControlNetwork::GetAddress(HostId host) const
{
    return m_isolated ? ControlRouting::GetAddress(host) : m_data->GetAddress(host);
}

HostId
ControlNetwork::GetHost(Ipv4Address address) const
{
    return m_isolated ? ControlRouting::GetHost(address, m_data->GetNHosts())
                      : m_data->GetHostWithAddress(address);
}

Ptr<Node>
ControlNetwork::GetSwitch() const
{
    return m_switch;
}

void
ControlNetwork::DoDispose()
{
    m_data = nullptr;
    m_switch = nullptr;
    Object::DoDispose();
}

} // namespace ns3::coflow
