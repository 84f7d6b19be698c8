/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-egress.h"

#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-packet-class-tag.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-queue-disc-item.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(HostEgress);

TypeId
HostEgress::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::HostEgress")
                            .SetParent<TrafficControlLayer>()
                            .SetGroupName("Coflow")
                            .AddConstructor<HostEgress>();
    return tid;
}

void
HostEgress::Install(Ptr<Node> node, uint32_t interface)
{
    const auto egress = CreateObject<HostEgress>();
    egress->m_next = node->GetObject<TrafficControlLayer>();
    egress->m_classifier = node->GetObject<PacketClassifier>();
    node->GetObject<Ipv4L3Protocol>()->GetInterface(interface)->SetTrafficControl(egress);
}

void
HostEgress::Send(Ptr<NetDevice> device, Ptr<QueueDiscItem> item)
{
    const Ptr<Packet> packet = item->GetPacket();
    const auto ipv4 = DynamicCast<Ipv4QueueDiscItem>(item);
    const PacketClass* found = nullptr;
    uint32_t label = 0;
    if (ipv4)
    {
        const FlowTuple flow = GetFlowTuple(ipv4->GetHeader(), *packet);
        const ConnectionName name{flow.dstAddress, flow.srcPort, flow.dstPort, flow.protocol};
        found = m_classifier->Find(name, *packet, 0);
        label = m_classifier->GetLabel(name);
    }
    // An application may forward a received packet with its tag.
    PacketClassTag tag;
    packet->RemovePacketTag(tag);
    if (found)
    {
        packet->AddPacketTag(PacketClassTag(*found, label));
        if (found->priority.band != PacketPriority::NO_BAND)
        {
            Ipv4Header header = ipv4->GetHeader();
            header.SetTos(GetDsFieldOfBand(found->priority.band, header.GetTos()));
            item =
                Create<Ipv4QueueDiscItem>(packet, item->GetAddress(), item->GetProtocol(), header);
        }
    }
    m_next->Send(device, item);
}

void
HostEgress::Receive(Ptr<NetDevice> device,
                    Ptr<const Packet> packet,
                    uint16_t protocol,
                    const Address& from,
                    const Address& to,
                    NetDevice::PacketType packetType)
{
    m_next->Receive(device, packet, protocol, from, to, packetType);
}

} // namespace ns3::coflow
