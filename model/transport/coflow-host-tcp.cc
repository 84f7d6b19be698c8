/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-tcp.h"

#include "ns3/coflow-direct-tcp-socket.h"
#include "ns3/coflow-flow-hash.h"
#include "ns3/ipv4-interface.h"

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(HostTcp);

TypeId
HostTcp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::HostTcp")
                            .SetParent<TcpL4Protocol>()
                            .SetGroupName("Coflow")
                            .AddConstructor<HostTcp>();
    return tid;
}

HostTcp::HostTcp()
{
}

HostTcp::~HostTcp()
{
}

IpL4Protocol::RxStatus
HostTcp::Receive(Ptr<Packet> packet, const Ipv4Header& header, Ptr<Ipv4Interface> interface)
{
    if (!m_direct.empty())
    {
        const FlowTuple flow = GetFlowTuple(header, *packet);
        const auto found = m_direct.find({flow.srcAddress, flow.dstPort, flow.srcPort});
        if (found != m_direct.end() && found->second->IsAt(header.GetDestination()))
        {
            // It may be closed and gone before this returns.
            const Ptr<DirectTcpSocket> socket(found->second);
            socket->Receive(packet, header, flow.srcPort, interface);
            return IpL4Protocol::RX_OK;
        }
    }
    return TcpL4Protocol::Receive(packet, header, interface);
}

void
HostTcp::Add(const ConnectionName& name, DirectTcpSocket* socket)
{
    m_direct[name] = socket;
}

void
HostTcp::Remove(const ConnectionName& name, const DirectTcpSocket* socket)
{
    const auto found = m_direct.find(name);
    if (found != m_direct.end() && found->second == socket)
    {
        m_direct.erase(found);
    }
}

} // namespace ns3::coflow
