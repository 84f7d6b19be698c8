/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fabric-net-device.h"

#include "ns3/coflow-fabric-channel.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowFabricNetDevice");
NS_OBJECT_ENSURE_REGISTERED(FabricNetDevice);

namespace
{

constexpr uint16_t IPV4_PROTOCOL = 0x0800;

} // namespace

TypeId
FabricNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::FabricNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Coflow")
            .AddConstructor<FabricNetDevice>()
            .AddAttribute("Mtu",
                          "Largest IPv4 packet, in bytes",
                          UintegerValue(1500),
                          MakeUintegerAccessor(&FabricNetDevice::SetMtu, &FabricNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>())
            .AddTraceSource("MacTx",
                            "The host has sent a packet",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_macTxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "The host has sent a packet that cannot be carried: not IPv4, or too "
                            "large",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_macTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet has arrived",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_macRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A packet has arrived, or its transmission begins",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_snifferTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "The same as Sniffer",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_promiscSnifferTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

FabricNetDevice::FabricNetDevice() = default;

FabricNetDevice::~FabricNetDevice() = default;

void
FabricNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_channel = nullptr;
    m_node = nullptr;
    m_receiveCallback.Nullify();
    m_promiscReceiveCallback.Nullify();
    NetDevice::DoDispose();
}

void
FabricNetDevice::Attach(Ptr<FabricChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    m_channel = channel;
    m_host = channel->Attach(this);
}

bool
FabricNetDevice::Send(Ptr<Packet> packet, const Address&, uint16_t protocolNumber)
{
    NS_LOG_FUNCTION(this << packet << protocolNumber);
    if (!m_channel || protocolNumber != IPV4_PROTOCOL || packet->GetSize() > m_mtu)
    {
        m_macTxDropTrace(packet);
        return false;
    }
    m_macTxTrace(packet);
    m_channel->Send(m_host, std::move(packet));
    return true;
}

void
FabricNetDevice::Sniff(Ptr<const Packet> packet)
{
    m_snifferTrace(packet);
    m_promiscSnifferTrace(packet);
}

void
FabricNetDevice::Receive(Ptr<Packet> packet)
{
    NS_LOG_FUNCTION(this << packet);
    Sniff(packet);
    m_macRxTrace(packet);
    const Ptr<NetDevice> self(this);
    if (!m_promiscReceiveCallback.IsNull())
    {
        m_promiscReceiveCallback(self,
                                 packet,
                                 IPV4_PROTOCOL,
                                 m_address,
                                 m_address,
                                 NetDevice::PACKET_HOST);
    }
    m_receiveCallback(self, packet, IPV4_PROTOCOL, m_address);
}

bool
FabricNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

bool
FabricNetDevice::IsLinkUp() const
{
    return m_channel != nullptr;
}

void
FabricNetDevice::AddLinkChangeCallback(Callback<void>)
{
    // The link is up during the whole run.
}

Address
FabricNetDevice::GetMulticast(Ipv4Address) const
{
    return m_address;
}

Address
FabricNetDevice::GetMulticast(Ipv6Address) const
{
    return m_address;
}

bool
FabricNetDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

Ptr<Channel>
FabricNetDevice::GetChannel() const
{
    return m_channel;
}

} // namespace ns3::coflow
