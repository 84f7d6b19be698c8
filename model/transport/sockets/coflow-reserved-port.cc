/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-reserved-port.h"

#include "ns3/coflow-host-ports.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"

#include <utility>

namespace ns3::coflow
{

ReservedPort::ReservedPort(Ptr<Node> node, uint16_t port, std::function<void()> listen)
    : m_node(node),
      m_listen(std::move(listen)),
      m_self(std::make_shared<ReservedPort*>(this))
{
    const auto ports = HostPorts::Of(node);
    const auto tcp = node->GetObject<TcpL4Protocol>();
    if (!ports->Take(port))
    {
        return;
    }
    const auto lease = ports->MakeLease(port);
    m_endpoint = tcp->Allocate(nullptr, port);
    if (!m_endpoint)
    {
        return;
    }
    m_endpoint->SetDestroyCallback(Callback<void>([self = std::weak_ptr<ReservedPort*>(m_self)] {
        if (const auto reserved = self.lock())
        {
            (*reserved)->m_endpoint = nullptr; // TCP of the host was destroyed
        }
    }));
    // A separate event, because the endpoint makes this call, and HandleFirstPacket() destroys the
    // endpoint.
    m_endpoint->SetRxCallback(Callback<void, Ptr<Packet>, Ipv4Header, uint16_t, Ptr<Ipv4Interface>>(
        [self = std::weak_ptr<ReservedPort*>(m_self), tcp = PeekPointer(tcp), lease](
            Ptr<Packet> packet,
            const Ipv4Header& header,
            uint16_t,
            Ptr<Ipv4Interface> interface) {
            Simulator::ScheduleNow(
                [self, tcp = Ptr<TcpL4Protocol>(tcp), packet, header, interface] {
                    if (const auto reserved = self.lock())
                    {
                        (*reserved)->HandleFirstPacket();
                    }
                    tcp->Receive(packet, header, interface);
                });
        }));
}

ReservedPort::~ReservedPort()
{
    GiveBack();
}

void
ReservedPort::GiveBack()
{
    if (m_endpoint)
    {
        m_node->GetObject<TcpL4Protocol>()->DeAllocate(std::exchange(m_endpoint, nullptr));
    }
}

void
ReservedPort::HandleFirstPacket()
{
    if (m_endpoint)
    {
        GiveBack();
        m_listen();
    }
}

} // namespace ns3::coflow
