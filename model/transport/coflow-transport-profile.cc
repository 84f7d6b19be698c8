/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-transport-profile.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/coflow-congestion-control-needs.h"
#include "ns3/coflow-dctcp.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/coflow-segment-carrier.h"
#include "ns3/coflow-socket-connection.h"
#include "ns3/coflow-tcp-socket.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/ipv4.h"
#include "ns3/node.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rtt-estimator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <utility>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(TransportProfile);

namespace
{

/// @return a new object of a class
template <class T>
Ptr<T>
CreateOf(TypeId type)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<T>();
}

/// @return a new object of the class by which a node's TCP recovers from losses
Ptr<TcpRecoveryOps>
CreateRecovery(const TcpL4Protocol& tcp)
{
    TypeIdValue type;
    tcp.GetAttribute("RecoveryType", type);
    return CreateOf<TcpRecoveryOps>(type.Get());
}

} // namespace

TypeId
TransportProfile::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::TransportProfile")
            .SetParent<Object>()
            .SetGroupName("Coflow")
            .AddConstructor<TransportProfile>()
            .AddAttribute("CongestionOps",
                          "Congestion control: a subclass of ns3::TcpCongestionOps",
                          TypeIdValue(Dctcp::GetTypeId()),
                          MakeTypeIdAccessor(&TransportProfile::m_congestionOps),
                          MakeTypeIdChecker())
            .AddAttribute("HostStack",
                          "Implementation of the connections of coflow sources and sinks: ns3, "
                          "ns-3's sockets with packets; lean, the same segments without packets, "
                          "only on the fabric express; auto, lean if possible: on express, with a "
                          "congestion control that takes no samples of the delivery rate, and "
                          "without TcpSocketState::EnablePacing",
                          EnumValue(HostStack::AUTO),
                          MakeEnumAccessor<HostStack>(&TransportProfile::m_hostStack),
                          MakeEnumChecker(HostStack::AUTO,
                                          "auto",
                                          HostStack::NS3,
                                          "ns3",
                                          HostStack::LEAN,
                                          "lean"))
            .AddAttribute("SegmentSize",
                          "TCP payload bytes of a full segment; 1448 makes a 1500-byte IP packet, "
                          "8948 a 9000-byte one",
                          UintegerValue(1448),
                          MakeUintegerAccessor(&TransportProfile::m_segmentSize),
                          MakeUintegerChecker<uint32_t>(64, 65483))
            .AddAttribute("InitialWindow",
                          "Initial congestion window in segments (RFC 6928)",
                          UintegerValue(10),
                          MakeUintegerAccessor(&TransportProfile::m_initialWindow),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MinRto",
                          "Smallest retransmission timeout; the default is raised on slow networks",
                          TimeValue(MilliSeconds(5)),
                          MakeTimeAccessor(&TransportProfile::m_minRto),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("MaxRto",
                          "Largest retransmission timeout. The timeout of a starved flow doubles "
                          "each time, so the flow may stay silent for this time after its path is "
                          "free. The default is raised on slow networks",
                          TimeValue(Seconds(1)),
                          MakeTimeAccessor(&TransportProfile::m_maxRto),
                          MakeTimeChecker(NanoSeconds(2)))
            .AddAttribute(
                "ClockGranularity",
                "Smallest variation term of the retransmission timeout (RFC 6298); it also counts "
                "in the time after which the end that closes last repeats its FIN",
                TimeValue(MilliSeconds(1)),
                MakeTimeAccessor(&TransportProfile::m_clockGranularity),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("InitialRtt",
                          "RTT estimate of the end of a connection that has no RTT sample, because "
                          "its SYN was lost. The default is raised on slow networks",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&TransportProfile::m_initialRtt),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ConnTimeout",
                          "Timeout of the first SYN. It doubles with every further SYN, without a "
                          "limit. The default is raised on slow networks",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&TransportProfile::m_connTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ConnCount",
                          "Number of SYNs in one attempt to connect. If none is answered, a coflow "
                          "source begins another attempt",
                          UintegerValue(8),
                          MakeUintegerAccessor(&TransportProfile::m_connCount),
                          MakeUintegerChecker<uint32_t>(1, 20))
            .AddAttribute("DataRetries",
                          "Retransmission timeouts in a row before a connection is aborted",
                          UintegerValue(1000000),
                          MakeUintegerAccessor(&TransportProfile::m_dataRetries),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DelAckCount",
                          "Number of full segments that one ACK acknowledges",
                          UintegerValue(2),
                          MakeUintegerAccessor(&TransportProfile::m_delAckCount),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DelAckTimeout",
                          "Longest time that an ACK is held back; must stay well below MinRto",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&TransportProfile::m_delAckTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("PersistTimeout",
                          "First interval between probes of a zero receive window",
                          TimeValue(MilliSeconds(5)),
                          MakeTimeAccessor(&TransportProfile::m_persistTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("SendBuffer",
                          "TCP's send buffer in bytes, which limits the bytes in flight; the "
                          "default is raised to four times rate x round trip of the network",
                          UintegerValue(1 << 20),
                          MakeUintegerAccessor(&TransportProfile::m_sendBuffer),
                          MakeUintegerChecker<uint32_t>(1 << 14))
            .AddAttribute("ReceiveBuffer",
                          "TCP's receive buffer in bytes, which limits the advertised window; the "
                          "default is raised to four times rate x round trip of the network",
                          UintegerValue(1 << 20),
                          MakeUintegerAccessor(&TransportProfile::m_receiveBuffer),
                          MakeUintegerChecker<uint32_t>(1 << 14))
            .AddAttribute("MaxSegmentLifetime",
                          "Half of the time for which the closing end of a connection keeps its "
                          "port (TIME_WAIT)",
                          TimeValue(MilliSeconds(5)),
                          MakeTimeAccessor(&TransportProfile::m_maxSegmentLifetime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Sack",
                          "Whether to use selective acknowledgements (RFC 2018)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TransportProfile::m_sack),
                          MakeBooleanChecker())
            .AddAttribute("Timestamps",
                          "Whether to use the timestamp option (RFC 7323)",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TransportProfile::m_timestamps),
                          MakeBooleanChecker())
            .AddAttribute("UndoTimeouts",
                          "Whether a connection undoes a retransmission timeout if the next "
                          "acknowledgement shows that the original segment was late and not lost "
                          "(Eifel, RFC 3522 and 4015); needs Timestamps and Sack",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TransportProfile::m_undoTimeouts),
                          MakeBooleanChecker())
            .AddAttribute(
                "SlowStartThreshold",
                "First slow-start threshold of a connection, in bytes; the default is no threshold",
                UintegerValue(UINT32_MAX),
                MakeUintegerAccessor(&TransportProfile::m_slowStart),
                MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("FastRetransmit",
                          "Whether TCP detects losses by duplicate acknowledgements and SACK "
                          "blocks; otherwise only by timeouts",
                          BooleanValue(true),
                          MakeBooleanAccessor(&TransportProfile::m_fastRetransmit),
                          MakeBooleanChecker())
            .AddAttribute("ProbeAfter",
                          "Number of retransmission timeouts in a row after which TCP repeats "
                          "segments of one byte until one is acknowledged; 0: never",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TransportProfile::m_probeAfter),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Ecn",
                          "Whether to use classic ECN (RFC 3168) with a congestion control that "
                          "does not ask for ECN itself; DCTCP always uses its own",
                          BooleanValue(false),
                          MakeBooleanAccessor(&TransportProfile::m_ecn),
                          MakeBooleanChecker());
    return tid;
}

TransportProfile::TransportProfile() = default;

TransportProfile::~TransportProfile() = default;

void
TransportProfile::Install(const NodeContainer& nodes) const
{
    if (!m_congestionOps.IsChildOf(TcpCongestionOps::GetTypeId()) ||
        !m_congestionOps.HasConstructor())
    {
        throw ::coflow::InputError(GetTypeId().GetName() + "::CongestionOps is '" +
                                   m_congestionOps.GetName() +
                                   "'; allowed: a congestion control, such as ns3::TcpDctcp");
    }
    CheckBuffers();
    const bool isLean = UsesLeanConnections();
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        auto tcp = (*node)->GetObject<TcpL4Protocol>();
        NS_ABORT_MSG_UNLESS(tcp, "Node " << (*node)->GetId() << " has no Internet stack");
        tcp->SetAttribute("SocketType", TypeIdValue(m_congestionOps));
        if (isLean && !(*node)->GetObject<LeanHost>() && !InstallLeanHost(*node) &&
            m_hostStack == HostStack::LEAN)
        {
            throw ::coflow::InputError(GetTypeId().GetName() + "::HostStack is 'lean', but node " +
                                       std::to_string((*node)->GetId()) +
                                       " is not a host of the fabric express; allowed: ns3 there");
        }
    }
}

void
TransportProfile::Configure(Ptr<Socket> socket) const
{
    auto tcp = DynamicCast<TcpSocketBase>(socket);
    NS_ABORT_MSG_UNLESS(tcp, "A TransportProfile configures TCP sockets only");
    // A socket with DCTCP cannot get another congestion control, because no function resets the
    // ECN mode of DCTCP.
    PointerValue congestionOps;
    tcp->GetAttribute("CongestionOps", congestionOps);
    const auto present = congestionOps.GetObject()->GetInstanceTypeId();
    NS_ABORT_MSG_UNLESS(present == m_congestionOps,
                        "The socket has the congestion control "
                            << present.GetName() << " instead of " << m_congestionOps.GetName()
                            << "; install the profile on its node, or use CreateSocket");
    tcp->SetAttribute("UseEcn", EnumValue(UsesEcn() ? TcpSocketState::On : TcpSocketState::Off));
    auto rtt = CreateObject<RttMeanDeviation>();
    rtt->SetAttribute("InitialEstimation", TimeValue(m_initialRtt));
    rtt->Reset();
    tcp->SetRtt(rtt);
    tcp->SetAttribute("SegmentSize", UintegerValue(m_segmentSize));
    tcp->SetAttribute("InitialCwnd", UintegerValue(m_initialWindow));
    tcp->SetAttribute("MinRto", TimeValue(m_minRto));
    // Only RepairedTcpSocket and CoflowTcpSocket have these attributes.
    tcp->SetAttributeFailSafe("MaxRto", TimeValue(m_maxRto));
    tcp->SetAttributeFailSafe("UndoTimeouts", BooleanValue(m_undoTimeouts));
    tcp->SetAttributeFailSafe("ProbeAfter", UintegerValue(m_probeAfter));
    tcp->SetAttribute("InitialSlowStartThreshold", UintegerValue(m_slowStart));
    if (!m_fastRetransmit)
    {
        tcp->SetAttribute("ReTxThreshold", UintegerValue(UINT32_MAX));
    }
    tcp->SetAttribute("ClockGranularity", TimeValue(m_clockGranularity));
    tcp->SetAttribute("ConnTimeout", TimeValue(m_connTimeout));
    tcp->SetAttribute("ConnCount", UintegerValue(m_connCount));
    tcp->SetAttribute("DataRetries", UintegerValue(m_dataRetries));
    tcp->SetAttribute("DelAckCount", UintegerValue(m_delAckCount));
    tcp->SetAttribute("DelAckTimeout", TimeValue(m_delAckTimeout));
    tcp->SetAttribute("PersistTimeout", TimeValue(m_persistTimeout));
    tcp->SetAttribute("SndBufSize", UintegerValue(m_sendBuffer));
    tcp->SetAttribute("RcvBufSize", UintegerValue(m_receiveBuffer));
    tcp->SetAttribute("MaxSegLifetime", DoubleValue(m_maxSegmentLifetime.GetSeconds()));
    tcp->SetAttribute("Sack", BooleanValue(m_sack));
    tcp->SetAttribute("Timestamp", BooleanValue(m_timestamps));
}

Ptr<CoflowTcpSocket>
TransportProfile::CreateSocket(Ptr<Node> node) const
{
    auto tcp = node->GetObject<TcpL4Protocol>();
    NS_ABORT_MSG_UNLESS(tcp, "Node " << node->GetId() << " has no Internet stack");
    // Like TcpL4Protocol::CreateSocket(), with the class CoflowTcpSocket.
    auto socket = CreateObject<CoflowTcpSocket>();
    socket->SetNode(node);
    socket->SetTcp(tcp);
    socket->SetCongestionControlAlgorithm(CreateOf<TcpCongestionOps>(m_congestionOps));
    socket->SetRecoveryAlgorithm(CreateRecovery(*tcp));
    Configure(socket);
    tcp->AddSocket(socket);
    return socket;
}

bool
TransportProfile::InstallLeanHost(Ptr<Node> node)
{
    const auto ipv4 = node->GetObject<Ipv4>();
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        const auto device = node->GetDevice(i);
        auto* carrier = dynamic_cast<SegmentCarrier*>(PeekPointer(device->GetChannel()));
        if (carrier)
        {
            const auto address =
                ipv4->GetAddress(static_cast<uint32_t>(ipv4->GetInterfaceForDevice(device)), 0)
                    .GetLocal();
            const auto host = CreateObject<LeanHost>();
            host->Attach(device->GetChannel(), carrier->GetHost(address), address, node);
            node->AggregateObject(host);
            return true;
        }
    }
    return false;
}

bool
TransportProfile::UsesLeanConnections() const
{
    if (m_hostStack != HostStack::AUTO)
    {
        return m_hostStack == HostStack::LEAN;
    }
    return LeanSettings::GetMissing(CreateOf<TcpCongestionOps>(m_congestionOps)).empty();
}

std::shared_ptr<const LeanSettings>
TransportProfile::GetLeanSettings(Ptr<Node> node) const
{
    if (!m_leanSettings)
    {
        const auto socket = CreateObject<CoflowTcpSocket>();
        socket->SetCongestionControlAlgorithm(CreateOf<TcpCongestionOps>(m_congestionOps));
        Configure(socket);
        m_leanSettings = std::make_shared<const LeanSettings>(
            LeanSettings::Of(*socket,
                             CreateRecovery(*node->GetObject<TcpL4Protocol>()),
                             m_initialRtt));
    }
    return m_leanSettings;
}

std::shared_ptr<const LeanSettings>
TransportProfile::GetLeanSettingsOfSinks(Ptr<Node> node) const
{
    if (!m_leanSinkSettings)
    {
        const auto settings = std::make_shared<LeanSettings>(*GetLeanSettings(node));
        settings->synRetries = MOST_SYNS_OF_SINKS;
        m_leanSinkSettings = settings;
    }
    return m_leanSinkSettings;
}

Ptr<LeanHost>
TransportProfile::GetLeanHost(Ptr<Node> node, Ipv4Address peer) const
{
    const auto lean = node->GetObject<LeanHost>();
    const bool may = lean && lean->GetAddress() != peer &&
                     (m_hostStack == HostStack::LEAN || !lean->IsSniffed(peer));
    return may ? lean : nullptr;
}

Ptr<Connection>
TransportProfile::CreateConnection(Ptr<Node> node, Ipv4Address peer) const
{
    if (const auto lean = GetLeanHost(node, peer))
    {
        return lean->Create(GetLeanSettings(node));
    }
    return Create<SocketConnection>(CreateSocket(node));
}

bool
TransportProfile::IsDefault(const std::string& attribute) const
{
    TypeId::AttributeInformation information;
    TimeValue value;
    GetTypeId().LookupAttributeByName(attribute, &information);
    GetAttribute(attribute, value);
    const auto original = DynamicCast<const TimeValue>(information.originalInitialValue);
    return original && value.Get() == original->Get();
}

void
TransportProfile::FollowNetwork(Time segment, Time queues, Time handshake)
{
    if (IsDefault("MaxRto"))
    {
        m_maxRto = Max(m_maxRto, 2 * (segment + queues + handshake));
    }
    else if (m_maxRto < Max(segment, handshake))
    {
        std::ostringstream text;
        text << GetTypeId().GetName() << "::MaxRto is '" << m_maxRto.As(Time::S)
             << "', but a segment and its acknowledgement take "
             << Max(segment, handshake).As(Time::S)
             << " on the longest path, so that segments would be repeated for ever; allowed: at "
                "least that, or no such option: then it follows the network";
        throw ::coflow::InputError(text.str());
    }
    if (IsDefault("MinRto"))
    {
        m_minRto = Max(m_minRto, 2 * segment);
    }
    if (IsDefault("InitialRtt"))
    {
        m_initialRtt = Max(m_initialRtt, Max(segment, handshake));
    }
    if (IsDefault("ConnTimeout"))
    {
        m_connTimeout = Max(m_connTimeout, 2 * Max(segment, handshake));
    }
    CheckHandshake(handshake);
}

void
TransportProfile::CheckHandshake(Time handshake) const
{
    // The timeout doubles with every SYN.
    const double patience =
        m_connTimeout.GetSeconds() * static_cast<double>((uint64_t{1} << m_connCount) - 1);
    if (patience > handshake.GetSeconds())
    {
        return;
    }
    std::ostringstream text;
    text << GetTypeId().GetName() << "::ConnTimeout is '" << m_connTimeout.As(Time::S)
         << "' with ConnCount " << m_connCount << ", so that a connection is given up after "
         << patience << " s, but a SYN and its answer take " << handshake.As(Time::S)
         << " on the longest path, so that no connection would ever open; allowed: a longer "
            "connTimeout, or no such option: then it follows the network";
    throw ::coflow::InputError(text.str());
}

void
TransportProfile::CheckBuffers() const
{
    for (const auto& [name, bytes] :
         {std::pair("ReceiveBuffer", m_receiveBuffer), std::pair("SendBuffer", m_sendBuffer)})
    {
        if (m_segmentSize > bytes)
        {
            throw ::coflow::InputError(
                GetTypeId().GetName() + "::SegmentSize is '" + std::to_string(m_segmentSize) +
                "', but " + name + " is '" + std::to_string(bytes) +
                "', into which no full segment fits; allowed: a segment of at most " +
                std::to_string(bytes) + " bytes, or a larger " + name);
        }
    }
}

bool
TransportProfile::UsesEcn() const
{
    return m_ecn || CongestionControlNeeds::Of(m_congestionOps).ecn;
}

uint32_t
TransportProfile::GetRequiredMtu() const
{
    return m_segmentSize + HEADER_BYTES;
}

uint32_t
TransportProfile::GetSegmentSize() const
{
    return m_segmentSize;
}

} // namespace ns3::coflow
