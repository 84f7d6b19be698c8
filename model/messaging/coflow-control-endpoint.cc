/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-endpoint.h"

#include "ns3/abort.h"
#include "ns3/coflow-control-transport.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-packet-class.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowControlEndpoint");

NS_OBJECT_ENSURE_REGISTERED(ControlEndpoint);

ControlCount&
ControlCount::operator+=(const ControlCount& other)
{
    messages += other.messages;
    bytes += other.bytes;
    return *this;
}

TypeId
ControlEndpoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::ControlEndpoint")
            .SetParent<Object>()
            .SetGroupName("Coflow")
            .AddConstructor<ControlEndpoint>()
            .AddAttribute("Transport",
                          "How messages travel: tcp, over connections in the network; ideal, "
                          "without the network",
                          EnumValue(Transport::TCP),
                          MakeEnumAccessor<Transport>(&ControlEndpoint::m_transportKind),
                          MakeTransportChecker())
            .AddAttribute("Profile",
                          "Parameters of TCP; none: a TransportProfile with its defaults",
                          PointerValue(),
                          MakePointerAccessor(&ControlEndpoint::m_profile),
                          MakePointerChecker<TransportProfile>())
            .AddAttribute("Dscp",
                          "DSCP of control packets, 0 to 63; 0 is best effort, 56 (CS7) the first "
                          "band of the strict priority queue disc",
                          UintegerValue(0),
                          MakeUintegerAccessor(&ControlEndpoint::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute(
                "Band",
                "Band of control packets at the ports of a fabric, 0 (first) to 7; 255: the band "
                "of the DSCP. All endpoints of a host with the same port share the band",
                UintegerValue(PacketPriority::NO_BAND),
                MakeUintegerAccessor(&ControlEndpoint::m_band),
                MakeUintegerChecker<uint8_t>())
            .AddAttribute("Key",
                          "Key of control packets, for ports with a queue discipline that has "
                          "keys; smaller is more urgent, the default is the least urgent",
                          UintegerValue(PacketPriority::LEAST_URGENT),
                          MakeUintegerAccessor(&ControlEndpoint::m_key),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("LossRate",
                          "Probability that a control packet (a TCP segment, with or without data) "
                          "is lost on arrival, in addition to drops by queues",
                          DoubleValue(0),
                          MakeDoubleAccessor(&ControlEndpoint::m_lossRate),
                          MakeDoubleChecker<double>(0, 0.99))
            .AddAttribute("MessageDelay",
                          "With Transport=ideal: time from sending a message to its arrival",
                          TimeValue(Time()),
                          MakeTimeAccessor(&ControlEndpoint::m_messageDelay),
                          MakeTimeChecker(Time()))
            .AddAttribute("ReconnectDelay",
                          "Time before the first attempt to open a broken connection again; it "
                          "doubles with every attempt that fails, up to one second",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&ControlEndpoint::m_reconnectDelay),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "FirstLocalPort",
                "With Transport=tcp: local port of the first connection that this endpoint opens; "
                "each further connection has the next port. So the data of the host has the same "
                "ports, and paths, as without this endpoint. 0: TCP chooses",
                UintegerValue(0),
                MakeUintegerAccessor(&ControlEndpoint::m_firstLocalPort),
                MakeUintegerChecker<uint16_t>(0, LAST_LOCAL_PORT))
            .AddTraceSource("Sent",
                            "A message was given to the transport",
                            MakeTraceSourceAccessor(&ControlEndpoint::m_sentTrace),
                            "ns3::coflow::ControlEndpoint::MessageCallback")
            .AddTraceSource("Received",
                            "A message has arrived, and is about to be handled",
                            MakeTraceSourceAccessor(&ControlEndpoint::m_receivedTrace),
                            "ns3::coflow::ControlEndpoint::MessageCallback")
            .AddTraceSource("PeerDown",
                            "A connection could not be opened, or broke",
                            MakeTraceSourceAccessor(&ControlEndpoint::m_peerDownTrace),
                            "ns3::coflow::ControlEndpoint::PeerDownCallback");
    return tid;
}

Ptr<const AttributeChecker>
ControlEndpoint::MakeTransportChecker()
{
    return MakeEnumChecker(Transport::TCP, "tcp", Transport::IDEAL, "ideal");
}

ControlEndpoint::ControlEndpoint()
    : m_lossVariable(CreateObject<UniformRandomVariable>()),
      m_wire(std::make_shared<WireCount>())
{
}

ControlEndpoint::~ControlEndpoint() = default;

void
ControlEndpoint::SetNode(Ptr<Node> node)
{
    NS_ABORT_MSG_IF(IsRunning(), "A control endpoint moves while it runs");
    m_node = node;
}

void
ControlEndpoint::Start()
{
    NS_ABORT_MSG_UNLESS(m_node, "A control endpoint is started without a node");
    NS_ABORT_MSG_IF(IsRunning(), "A control endpoint is started twice");
    if (m_transportKind == Transport::IDEAL && m_lossRate > 0)
    {
        throw ::coflow::InputError(
            "ControlLossRate is above 0 with ControlTransport=ideal, which loses nothing; allowed: "
            "0, or ControlTransport=tcp");
    }
    if (m_transportKind != Transport::IDEAL && !m_messageDelay.IsZero())
    {
        throw ::coflow::InputError(
            "ControlMessageDelay is above 0 with ControlTransport=tcp, whose messages take the "
            "time that the network takes; allowed: 0, or ControlTransport=ideal");
    }
    if (m_band >= PacketPriority::BANDS && m_band != PacketPriority::NO_BAND)
    {
        throw ::coflow::InputError("ControlEndpoint::Band is " + std::to_string(m_band) +
                                   "; allowed: 0 to 7, or 255 for none");
    }
    if (!m_profile)
    {
        m_profile = CreateObject<TransportProfile>();
    }
    m_transport = ControlTransport::Create(*this);
}

void
ControlEndpoint::Stop()
{
    if (!m_transport)
    {
        return;
    }
    m_peers.clear();
    auto transport = std::shared_ptr<ControlTransport>(std::move(m_transport));
    transport->Close();
    // A function of the transport may be on the call stack.
    Simulator::ScheduleNow([transport] {});
}

bool
ControlEndpoint::IsRunning() const
{
    return m_transport != nullptr;
}

void
ControlEndpoint::Listen(uint16_t port)
{
    NS_ABORT_MSG_UNLESS(IsRunning(), "A control endpoint listens although it does not run");
    m_transport->Listen(port);
}

ControlEndpoint::PeerId
ControlEndpoint::Connect(Ipv4Address address, uint16_t port)
{
    NS_ABORT_MSG_UNLESS(IsRunning(), "A control endpoint connects although it does not run");
    const auto peer = AddPeer(address);
    m_transport->Connect(peer, address, port);
    return peer;
}

void
ControlEndpoint::Disconnect(PeerId peer)
{
    if (m_peers.erase(peer) > 0)
    {
        m_transport->Disconnect(peer);
    }
}

bool
ControlEndpoint::Send(PeerId peer, const ControlMessage& message)
{
    if (!IsUp(peer))
    {
        return false;
    }
    auto body = Create<Packet>();
    body->AddHeader(message);
    const auto type = message.GetMessageType();
    const uint32_t bytes = ControlHeader::SIZE + body->GetSize();
    m_sent[type] += {1, bytes};
    m_sentTrace(peer, type, bytes);
    if (const auto lost = m_transport->Send(peer, message, body))
    {
        --m_sent[type].messages;
        m_sent[type].bytes -= lost;
    }
    return true;
}

void
ControlEndpoint::SetPeerUpCallback(std::function<void(PeerId)> callback)
{
    m_peerUp = std::move(callback);
}

void
ControlEndpoint::SetPeerDownCallback(std::function<void(PeerId)> callback)
{
    m_peerDown = std::move(callback);
}

bool
ControlEndpoint::IsUp(PeerId peer) const
{
    const auto found = m_peers.find(peer);
    return found != m_peers.end() && found->second.up;
}

bool
ControlEndpoint::HasDeliveredAll(PeerId peer) const
{
    return IsUp(peer) && m_transport->HasDeliveredAll(peer);
}

bool
ControlEndpoint::HasBacklog(PeerId peer, uint16_t messageType) const
{
    return IsUp(peer) && m_transport->HasBacklog(peer, messageType);
}

Ipv4Address
ControlEndpoint::GetAddress(PeerId peer) const
{
    const auto found = m_peers.find(peer);
    NS_ABORT_MSG_IF(found == m_peers.end(), "Control peer " << peer << " is not known");
    return found->second.address;
}

int64_t
ControlEndpoint::AssignStreams(int64_t stream)
{
    m_lossVariable->SetStream(stream);
    return 1;
}

void
ControlEndpoint::DoDispose()
{
    m_peerUp = nullptr;
    m_peerDown = nullptr;
    m_handlers.clear();
    m_peers.clear();
    // There is no callback, because the network may be disposed already.
    m_transport.reset();
    m_node = nullptr;
    m_profile = nullptr;
    m_lossVariable = nullptr;
    Object::DoDispose();
}

void
ControlEndpoint::SetHandler(uint16_t messageType, Handler handler)
{
    m_handlers[messageType] = std::move(handler);
}

ControlEndpoint::PeerId
ControlEndpoint::AddPeer(Ipv4Address address)
{
    const auto peer = m_nextPeer++;
    m_peers[peer].address = address;
    return peer;
}

void
ControlEndpoint::NotifyUp(PeerId peer)
{
    m_peers.at(peer).up = true;
    if (m_peerUp)
    {
        // The callback is copied, because it may replace itself.
        const auto callback = m_peerUp;
        callback(peer);
    }
}

void
ControlEndpoint::NotifyDown(PeerId peer, const std::string& reason, bool forget)
{
    const auto found = m_peers.find(peer);
    const auto address = found->second.address;
    const bool wasUp = std::exchange(found->second.up, false);
    NS_LOG_INFO("Control endpoint on node " << m_node->GetId() << ": peer " << address << ": "
                                            << reason);
    m_peerDownTrace(address, reason);
    if (wasUp && m_peerDown)
    {
        const auto callback = m_peerDown;
        callback(peer);
    }
    if (forget)
    {
        m_peers.erase(peer);
    }
}

bool
ControlEndpoint::Receive(PeerId peer, uint16_t messageType, Ptr<Packet> body)
{
    const uint32_t bytes = ControlHeader::SIZE + body->GetSize();
    m_received[messageType] += {1, bytes};
    m_receivedTrace(peer, messageType, bytes);
    const auto found = m_handlers.find(messageType);
    if (found == m_handlers.end())
    {
        return true;
    }
    const auto handler = found->second;
    return handler(peer, body);
}

} // namespace ns3::coflow
