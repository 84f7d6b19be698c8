/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-udp-connection.h"

#include "ns3/coflow-transport-profile.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <vector>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowControlUdp");

namespace
{

constexpr uint32_t IP_AND_UDP_BYTES = 28;
constexpr uint32_t MOST_DOUBLINGS = 5;

} // namespace

ControlUdp::Connection::Connection(ControlUdp& udp, PeerId peer, const Address& remote)
    : m_udp(udp),
      m_peer(peer),
      m_remote(remote)
{
}

ControlUdp::Connection::~Connection()
{
    m_event.Cancel();
    if (m_socket && m_outgoing)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    }
}

void
ControlUdp::Connection::Open()
{
    m_outgoing = true;
    m_socket = m_udp.CreateSocket(0);
    m_udp.m_byPorts[{m_socket, m_remote}] = weak_from_this();
    m_unacknowledged.emplace_back(0U, nullptr);
    SendFirst();
}

void
ControlUdp::Connection::Adopt(const Ptr<Socket>& socket)
{
    m_socket = socket;
    m_up = true;
    m_udp.m_byPorts[{m_socket, m_remote}] = weak_from_this();
}

uint32_t
ControlUdp::Connection::Send(uint16_t messageType, const Ptr<Packet>& body, bool renews)
{
    const uint32_t most = m_udp.GetProfile().GetRequiredMtu() - IP_AND_UDP_BYTES -
                          DatagramHeader::SIZE - ControlHeader::SIZE;
    std::vector<Ptr<Packet>> frames;
    uint32_t offset = 0;
    do
    {
        const uint32_t part = std::min(most, body->GetSize() - offset);
        auto frame = body->CreateFragment(offset, part);
        offset += part;
        frame->AddHeader(ControlHeader(messageType, part, offset == body->GetSize()));
        frames.push_back(frame);
    } while (offset < body->GetSize());
    const auto lost = m_unsent.Add(frames, messageType, renews);
    Fill();
    return lost;
}

void
ControlUdp::Connection::Close(bool tell)
{
    m_closed = true;
    m_event.Cancel();
    if (tell && m_socket)
    {
        // What was sent before may arrive later, or never: a connection that is closed
        // does not wait.
        m_udp.SendDatagram(m_socket, m_remote, DatagramHeader(DatagramHeader::Kind::GOODBYE));
    }
    Detach();
}

void
ControlUdp::Connection::Handle(const DatagramHeader& header, const Ptr<Packet>& frame)
{
    const auto self = shared_from_this();
    switch (header.GetKind())
    {
    case DatagramHeader::Kind::HELLO:
        m_udp.SendDatagram(m_socket, m_remote, DatagramHeader(DatagramHeader::Kind::WELCOME));
        break;
    case DatagramHeader::Kind::WELCOME:
        HandleWelcome();
        break;
    case DatagramHeader::Kind::DATA:
        HandleData(header.GetNumber(), frame);
        break;
    case DatagramHeader::Kind::ACK:
        HandleAck(header.GetNumber());
        break;
    case DatagramHeader::Kind::GOODBYE:
        Fail("the peer closed the connection, or no process listens there");
        break;
    }
}

void
ControlUdp::Connection::Detach()
{
    if (!m_socket)
    {
        return;
    }
    m_udp.m_byPorts.erase({m_socket, m_remote});
    if (m_outgoing)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket->Close();
    }
    m_socket = nullptr;
}

void
ControlUdp::Connection::HandleWelcome()
{
    if (m_up || !m_outgoing)
    {
        return;
    }
    m_unacknowledged.clear();
    m_event.Cancel();
    m_up = true;
    m_failures = 0;
    m_udp.NotifyUp(m_peer);
}

void
ControlUdp::Connection::HandleAck(uint32_t number)
{
    const auto acknowledged = std::find_if(m_unacknowledged.begin(),
                                           m_unacknowledged.end(),
                                           [=](const Datagram& it) { return it.number == number; });
    if (!m_up || acknowledged == m_unacknowledged.end())
    {
        return;
    }
    m_unacknowledged.erase(acknowledged);
    m_lastHeard = Simulator::Now();
    Fill();
    SetTimer();
}

void
ControlUdp::Connection::HandleData(uint32_t number, const Ptr<Packet>& frame)
{
    if (!m_up)
    {
        // The WELCOME is late; this will come again.
        return;
    }
    if (number - m_expected >= WINDOW && m_expected - number > WINDOW)
    {
        Fail("the peer sent what is not a datagram");
        return;
    }
    m_udp.SendDatagram(m_socket, m_remote, DatagramHeader(DatagramHeader::Kind::ACK, number));
    if (number - m_expected >= WINDOW)
    {
        return; // seen before
    }
    m_early.emplace(number, frame);
    const auto socket = m_socket;
    while (m_socket == socket && !m_early.empty())
    {
        const auto next = m_early.find(m_expected);
        if (next == m_early.end())
        {
            return;
        }
        auto packet = next->second;
        m_early.erase(next);
        ++m_expected;
        if (!TakeFrame(packet) && m_socket == socket)
        {
            Fail("the peer sent what is not a message");
        }
    }
}

bool
ControlUdp::Connection::TakeFrame(const Ptr<Packet>& packet)
{
    ControlHeader header;
    packet->RemoveHeader(header);
    const bool valid = header.IsValid() && header.GetLength() == packet->GetSize();
    if (!valid || (m_begun && (m_begun->GetMessageType() != header.GetMessageType())))
    {
        return false;
    }
    if (!m_begun)
    {
        m_begun = header;
        m_body = packet;
    }
    else
    {
        m_body->AddAtEnd(packet);
    }
    if (!header.IsLast())
    {
        return m_body->GetSize() <= ControlHeader::MAX_LENGTH;
    }
    m_begun.reset();
    auto body = m_body;
    m_body = nullptr;
    return m_udp.Receive(m_peer, header.GetMessageType(), body);
}

void
ControlUdp::Connection::Fill()
{
    if (!m_up)
    {
        return;
    }
    const bool idle = m_unacknowledged.empty();
    while (!m_unsent.IsEmpty() &&
           (m_unacknowledged.empty() || m_nextNumber - m_unacknowledged.front().number < WINDOW))
    {
        m_unacknowledged.emplace_back(m_nextNumber++, m_unsent.Front());
        m_unsent.PopFront();
        SendFirst();
    }
    if (idle)
    {
        m_lastHeard = Simulator::Now();
    }
}

void
ControlUdp::Connection::SendFirst()
{
    auto& datagram = m_unacknowledged.back();
    datagram.first = Simulator::Now();
    SendOut(datagram);
    SetTimer();
}

void
ControlUdp::Connection::SendOut(Datagram& datagram)
{
    datagram.next =
        Simulator::Now() + m_udp.GetRetransmitTimeout() *
                               (int64_t{1} << std::min(datagram.repetitions, MOST_DOUBLINGS));
    const auto kind = datagram.frame ? DatagramHeader::Kind::DATA : DatagramHeader::Kind::HELLO;
    m_udp.SendDatagram(m_socket, m_remote, DatagramHeader(kind, datagram.number), datagram.frame);
}

Time
ControlUdp::Connection::GetDeadline() const
{
    return Max(m_lastHeard, m_unacknowledged.front().first) + m_udp.GetPeerTimeout();
}

void
ControlUdp::Connection::SetTimer()
{
    m_event.Cancel();
    if (m_unacknowledged.empty())
    {
        return;
    }
    auto next = GetDeadline();
    for (const auto& datagram : m_unacknowledged)
    {
        next = Min(next, datagram.next);
    }
    m_event = Simulator::Schedule(next - Simulator::Now(), &Connection::HandleTimer, this);
}

void
ControlUdp::Connection::HandleTimer()
{
    const auto now = Simulator::Now();
    if (now >= GetDeadline())
    {
        Fail("the peer does not answer");
        return;
    }
    for (auto& datagram : m_unacknowledged)
    {
        if (datagram.next <= now)
        {
            ++datagram.repetitions;
            NS_LOG_INFO("datagram " << datagram.number << " is sent again, " << datagram.repetitions
                                    << ". time");
            SendOut(datagram);
        }
    }
    SetTimer();
}

void
ControlUdp::Connection::Fail(const char* reason)
{
    const auto self = shared_from_this();
    m_event.Cancel();
    Detach();
    m_up = false;
    m_unsent.Clear();
    m_unacknowledged.clear();
    m_early.clear();
    m_begun.reset();
    m_body = nullptr;
    m_nextNumber = 1;
    m_expected = 1;
    if (!m_outgoing)
    {
        m_closed = true;
        m_udp.m_connections.erase(m_peer);
    }
    m_udp.NotifyDown(m_peer, reason, !m_outgoing);
    if (!m_closed)
    {
        m_event =
            Simulator::Schedule(m_udp.GetReconnectDelay(++m_failures), &Connection::Open, this);
    }
}

} // namespace ns3::coflow
