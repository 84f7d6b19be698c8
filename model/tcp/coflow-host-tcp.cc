/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-tcp.h"

#include "ns3/coflow-direct-tcp-socket.h"
#include "ns3/coflow-flow-hash.h"
#include "ns3/ipv4-interface.h"
#include "ns3/node.h"

#include <vector>

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

class HostTcp::Shelf : public TcpL4Protocol
{
  public:
    explicit Shelf(HostTcp& host)
        : m_host(&host)
    {
        host.m_shelves.insert(this);
    }

    ~Shelf() override
    {
        if (m_host)
        {
            m_host->m_shelves.erase(this);
        }
    }

    HostTcp* GetHost() const
    {
        return m_host;
    }

    /// The host's TCP is there no more.
    void Leave()
    {
        m_host = nullptr;
        Dispose();
    }

  private:
    HostTcp* m_host;
};

HostTcp::HostTcp()
{
}

HostTcp::~HostTcp()
{
}

DirectTcpSocket*
HostTcp::Find(const Packet& packet, const Ipv4Header& header) const
{
    const FlowTuple flow = GetFlowTuple(header, packet);
    const auto connection = m_direct.find({flow.srcAddress, flow.dstPort, flow.srcPort});
    if (connection != m_direct.end() && connection->second->IsAt(header.GetDestination()))
    {
        return connection->second;
    }
    const auto listener = m_listeners.find(flow.dstPort);
    if (listener != m_listeners.end() && listener->second->IsListeningAt(header.GetDestination()))
    {
        return listener->second;
    }
    return nullptr;
}

IpL4Protocol::RxStatus
HostTcp::Receive(Ptr<Packet> packet, const Ipv4Header& header, Ptr<Ipv4Interface> interface)
{
    if (m_direct.empty() && m_listeners.empty())
    {
        ++m_searches;
        return TcpL4Protocol::Receive(packet, header, interface);
    }
    // It may be closed and gone before this returns.
    const Ptr<DirectTcpSocket> socket(Find(*packet, header));
    if (!socket)
    {
        ++m_searches;
        return TcpL4Protocol::Receive(packet, header, interface);
    }
    socket->Receive(packet, header, GetFlowTuple(header, *packet).srcPort, interface);
    return IpL4Protocol::RX_OK;
}

void
HostTcp::Add(const ConnectionName& name, DirectTcpSocket* socket)
{
    if (m_direct.insert_or_assign(name, socket).second)
    {
        ++m_users[name.localPort];
    }
}

void
HostTcp::Remove(const ConnectionName& name, const DirectTcpSocket* socket)
{
    const auto found = m_direct.find(name);
    if (found != m_direct.end() && found->second == socket)
    {
        m_direct.erase(found);
        Release(name.localPort);
    }
}

void
HostTcp::Release(uint16_t port)
{
    const auto users = m_users.find(port);
    if (users != m_users.end() && --users->second == 0)
    {
        m_users.erase(users);
    }
}

uint16_t
HostTcp::ReservePort()
{
    const uint16_t port = TakePort();
    if (port != 0)
    {
        ++m_users[port];
    }
    return port;
}

bool
HostTcp::ReservePort(uint16_t port)
{
    return m_users.try_emplace(port, 1).second;
}

void
HostTcp::GivePortBack(uint16_t port)
{
    Release(port);
}

void
HostTcp::AddListener(uint16_t port, DirectTcpSocket* socket)
{
    m_listeners[port] = socket;
}

void
HostTcp::RemoveListener(uint16_t port, const DirectTcpSocket* socket)
{
    const auto found = m_listeners.find(port);
    if (found != m_listeners.end() && found->second == socket)
    {
        m_listeners.erase(found);
    }
}

Ptr<TcpL4Protocol>
HostTcp::GetShelf()
{
    if (!m_shelf || m_onShelf == SHELF_SOCKETS)
    {
        m_shelf = CreateObject<Shelf>(*this);
        m_shelf->SetNode(GetObject<Node>());
        m_shelf->SetDownTarget(GetDownTarget());
        m_onShelf = 0;
    }
    ++m_onShelf;
    return m_shelf;
}

uint16_t
HostTcp::TakePort()
{
    for (uint32_t tried = FIRST_PORT; tried <= UINT16_MAX; ++tried)
    {
        m_lastPort = m_lastPort == UINT16_MAX ? FIRST_PORT : m_lastPort + 1;
        if (!m_users.contains(m_lastPort))
        {
            return m_lastPort;
        }
    }
    return 0;
}

HostTcp*
HostTcp::Of(const Ptr<TcpL4Protocol>& tcp)
{
    const auto* shelf = dynamic_cast<const Shelf*>(PeekPointer(tcp));
    return shelf ? shelf->GetHost() : dynamic_cast<HostTcp*>(PeekPointer(tcp));
}

uint64_t
HostTcp::GetSearches() const
{
    return m_searches;
}

void
HostTcp::DoDispose()
{
    // What a shelf lets go of may be the last that holds another one.
    std::vector<Ptr<Shelf>> shelves;
    for (auto* shelf : m_shelves)
    {
        shelves.emplace_back(shelf);
    }
    m_shelves.clear();
    m_shelf = nullptr;
    for (const auto& shelf : shelves)
    {
        shelf->Leave();
    }
    m_direct.clear();
    m_users.clear();
    m_listeners.clear();
    TcpL4Protocol::DoDispose();
}

} // namespace ns3::coflow
