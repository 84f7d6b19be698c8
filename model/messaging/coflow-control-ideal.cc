/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-ideal.h"

#include "ns3/abort.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/node-list.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

/// The listening transports of a node; aggregated to the node.
class ControlIdeal::Ports : public Object
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::coflow::ControlIdealPorts")
                                .SetParent<Object>()
                                .SetGroupName("Coflow")
                                .AddConstructor<Ports>();
        return tid;
    }

    std::map<uint16_t, ControlIdeal*> listeners; ///< listening transports by port
};

/// One end of a connection.
struct ControlIdeal::Link
{
    ControlIdeal* side{nullptr}; ///< owner of this end; null after this end was closed finally
    PeerId peer{0};              ///< id of the peer at the owner
    uint32_t node{0};            ///< id of the owner's node
    bool outgoing{false};        ///< this end opens the connection
    Ipv4Address address;         ///< outgoing: address of the peer
    uint16_t port{0};            ///< outgoing: port of the peer
    uint32_t failures{0};        ///< outgoing: number of failed attempts in a row
    EventId openEvent;           ///< outgoing: event of the next attempt
    Time allArrived;             ///< time at which all messages of this end have arrived
    std::shared_ptr<Link> other; ///< the other end; null: not connected

    /// Schedules a function of an end's owner. The function is not called if the end is closed by
    /// then.
    template <typename... Args>
    static void Schedule(Time delay,
                         const std::shared_ptr<Link>& to,
                         void (ControlIdeal::*function)(std::shared_ptr<Link>, Args...),
                         Args... args)
    {
        Simulator::ScheduleWithContext(to->node, delay, [=] {
            if (to->side)
            {
                (to->side->*function)(to, args...);
            }
        });
    }
};

ControlIdeal::ControlIdeal(ControlEndpoint& endpoint)
    : ControlTransport(endpoint),
      m_ports(GetNode()->GetObject<Ports>())
{
    if (!m_ports)
    {
        m_ports = CreateObject<Ports>();
        GetNode()->AggregateObject(m_ports);
    }
}

ControlIdeal::~ControlIdeal()
{
    for (auto& [peer, link] : m_links)
    {
        link->side = nullptr;
        link->other = nullptr;
        link->openEvent.Cancel();
    }
}

void
ControlIdeal::Listen(uint16_t port)
{
    NS_ABORT_MSG_UNLESS(m_ports->listeners.emplace(port, this).second,
                        "Node " << GetNode()->GetId() << ": control port " << port << " is taken");
}

void
ControlIdeal::Connect(PeerId peer, Ipv4Address address, uint16_t port)
{
    auto link = std::make_shared<Link>();
    link->side = this;
    link->peer = peer;
    link->node = GetNode()->GetId();
    link->outgoing = true;
    link->address = address;
    link->port = port;
    m_links[peer] = link;
    link->openEvent = Simulator::ScheduleNow(&ControlIdeal::Open, this, link);
}

Ptr<Node>
ControlIdeal::FindNode(Ipv4Address address)
{
    const auto has = [&](const Ptr<Node>& node) {
        const auto ipv4 = node->GetObject<Ipv4>();
        return ipv4 && ipv4->GetInterfaceForAddress(address) >= 0;
    };
    // A cache of the last results. An entry may come from another simulation, so it is checked.
    static std::map<Ipv4Address, uint32_t> lastFound;
    const auto last = lastFound.find(address);
    if (last != lastFound.end() && last->second < NodeList::GetNNodes() &&
        has(NodeList::GetNode(last->second)))
    {
        return NodeList::GetNode(last->second);
    }
    const auto node = std::find_if(NodeList::Begin(), NodeList::End(), has);
    if (node == NodeList::End())
    {
        return nullptr;
    }
    lastFound[address] = (*node)->GetId();
    return *node;
}

void
ControlIdeal::Open(std::shared_ptr<Link> link)
{
    const auto node = FindNode(link->address);
    const auto ports = node ? node->GetObject<Ports>() : nullptr;
    const auto listener =
        ports ? ports->listeners.find(link->port) : std::map<uint16_t, ControlIdeal*>::iterator();
    if (ports && listener != ports->listeners.end())
    {
        // The listener gets the source address of a packet from this node.
        Ipv4Header header;
        header.SetDestination(link->address);
        Socket::SocketErrno error;
        const auto route = GetNode()->GetObject<Ipv4>()->GetRoutingProtocol()->RouteOutput(nullptr,
                                                                                           header,
                                                                                           nullptr,
                                                                                           error);
        auto& side = *listener->second;
        auto other = std::make_shared<Link>();
        other->side = &side;
        other->peer = side.AddPeer(route ? route->GetSource() : link->address);
        other->node = node->GetId();
        other->other = link;
        side.m_links[other->peer] = other;
        link->other = other;
        Link::Schedule(GetMessageDelay(), other, &ControlIdeal::HandleConnected);
        Link::Schedule(GetMessageDelay(), link, &ControlIdeal::HandleConnected);
        return;
    }
    TryAgain(link, "no process listens there");
}

void
ControlIdeal::TryAgain(std::shared_ptr<Link> link, const char* reason)
{
    NotifyDown(link->peer, reason, false);
    if (link->side)
    {
        link->openEvent = Simulator::Schedule(GetReconnectDelay(++link->failures),
                                              &ControlIdeal::Open,
                                              this,
                                              link);
    }
}

void
ControlIdeal::HandleConnected(std::shared_ptr<Link> link)
{
    link->failures = 0;
    NotifyUp(link->peer);
}

void
ControlIdeal::HandleMessage(std::shared_ptr<Link> link, uint16_t messageType, Ptr<Packet> body)
{
    const bool valid = Receive(link->peer, messageType, body);
    NS_ABORT_MSG_UNLESS(valid,
                        "A control message of type " << messageType
                                                     << " does not survive its own serialization");
}

void
ControlIdeal::HandleClosed(std::shared_ptr<Link> link)
{
    link->other = nullptr;
    if (link->outgoing)
    {
        TryAgain(link, "the peer closed the connection");
        return;
    }
    m_links.erase(link->peer);
    link->side = nullptr;
    NotifyDown(link->peer, "the peer closed the connection", true);
}

void
ControlIdeal::Cut(Link& link) const
{
    link.side = nullptr;
    link.openEvent.Cancel();
    if (const auto other = std::exchange(link.other, nullptr))
    {
        Link::Schedule(GetMessageDelay(), other, &ControlIdeal::HandleClosed);
    }
}

void
ControlIdeal::Disconnect(PeerId peer)
{
    const auto found = m_links.extract(peer);
    if (!found.empty())
    {
        Cut(*found.mapped());
    }
}

uint32_t
ControlIdeal::Send(PeerId peer, const ControlMessage& message, Ptr<Packet> body)
{
    auto& link = *m_links.at(peer);
    if (link.other)
    {
        link.allArrived = Simulator::Now() + GetMessageDelay();
        Link::Schedule(GetMessageDelay(),
                       link.other,
                       &ControlIdeal::HandleMessage,
                       message.GetMessageType(),
                       body);
    }
    return 0; // every message leaves at once
}

bool
ControlIdeal::HasBacklog(PeerId, uint16_t) const
{
    return false; // every message leaves at once
}

bool
ControlIdeal::HasDeliveredAll(PeerId peer) const
{
    return Simulator::Now() >= m_links.at(peer)->allArrived;
}

void
ControlIdeal::Close()
{
    for (auto& [peer, link] : m_links)
    {
        Cut(*link);
    }
    m_links.clear();
    std::erase_if(m_ports->listeners, [this](const auto& it) { return it.second == this; });
}

} // namespace ns3::coflow
