/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-datagram-port.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/inet-socket-address.h"
#include "ns3/udp-socket-factory.h"

#include <string>
#include <utility>

namespace ns3::coflow
{

DatagramPort::DatagramPort(Ptr<Node> node, uint16_t port, Callback callback)
    : m_port(port),
      m_callback(std::move(callback)),
      m_socket(Socket::CreateSocket(node, UdpSocketFactory::GetTypeId())),
      m_lean(node->GetObject<LeanHost>())
{
    if (m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port)) != 0)
    {
        throw ::coflow::InputError("UDP port " + std::to_string(port) + " of node " +
                                   std::to_string(node->GetId()) +
                                   " is taken; allowed: a port that no other application has");
    }
    m_socket->SetRecvCallback(MakeCallback(&DatagramPort::HandleRead, this));
    if (m_lean)
    {
        m_lean->TakeDatagrams(port, [this](Ptr<Packet> payload, Ipv4Address from) {
            m_callback(from, std::move(payload));
        });
    }
}

DatagramPort::~DatagramPort()
{
    m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    m_socket->Close();
    if (m_lean)
    {
        m_lean->TakeDatagrams(m_port, nullptr);
    }
}

void
DatagramPort::Send(Ipv4Address to, Ptr<Packet> payload)
{
    if (m_lean && m_lean->TakesDatagrams(to))
    {
        m_lean->SendDatagram(std::move(payload),
                             {to.Get(), m_port, m_port, ConnectionName::UDP},
                             m_routes[to.Get()]);
        return;
    }
    m_socket->SendTo(payload, 0, InetSocketAddress(to, m_port));
}

void
DatagramPort::HandleRead(Ptr<Socket> socket)
{
    Address from;
    while (auto payload = socket->RecvFrom(from))
    {
        m_callback(InetSocketAddress::ConvertFrom(from).GetIpv4(), std::move(payload));
    }
}

} // namespace ns3::coflow
