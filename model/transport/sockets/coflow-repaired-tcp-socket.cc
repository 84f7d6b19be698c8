/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-repaired-tcp-socket.h"

#include "ns3/coflow-congestion-control-factory.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-interface.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-tx-buffer.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(RepairedTcpSocket);

TypeId
RepairedTcpSocket::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::RepairedTcpSocket")
                            .SetParent<TcpSocketBase>()
                            .SetGroupName("Coflow")
                            .AddConstructor<RepairedTcpSocket>()
                            .AddAttribute("MaxRto",
                                          "Longest retransmission timeout",
                                          TimeValue(Seconds(60)),
                                          MakeTimeAccessor(&RepairedTcpSocket::m_maxRto),
                                          MakeTimeChecker(NanoSeconds(2)));
    return tid;
}

Ptr<TcpSocketBase>
RepairedTcpSocket::Fork()
{
    return RepairFork(CopyObject<RepairedTcpSocket>(this));
}

Ptr<TcpSocketBase>
RepairedTcpSocket::RepairFork(const Ptr<TcpSocketBase>& fork) const
{
    fork->SetCongestionControlAlgorithm(CongestionControlFactory(m_congestionControl).Create());
    return fork;
}

void
RepairedTcpSocket::ForgetTimestamps()
{
    m_tcb->m_rcvTimestampValue = 0;
    m_tcb->m_rcvTimestampEchoReply = 0;
    m_timestampToEcho = 0;
}

Time
RepairedTcpSocket::GetMaxRto() const
{
    return m_maxRto;
}

// Arriving segments.

void
RepairedTcpSocket::DoForwardUp(Ptr<Packet> packet, const Address& from, const Address& to)
{
    if (m_state == SYN_SENT || m_state == LISTEN)
    {
        TcpHeader header;
        packet->PeekHeader(header);
        if (m_state == LISTEN ? LeavesAlone(header) : TakeReset(header))
        {
            return;
        }
    }
    if (m_state == LISTEN)
    {
        ForgetTimestamps();
    }
    // A callback may release the socket.
    const Ptr<RepairedTcpSocket> self(this);
    const bool isRepeated = m_state == ESTABLISHED && IsSynAck(*packet);
    TcpSocketBase::DoForwardUp(packet, from, to);
    if (isRepeated && m_state == ESTABLISHED)
    {
        SendEmptyPacket(TcpHeader::ACK);
    }
    KeepWindowOfASegment();
}

bool
RepairedTcpSocket::IsSynAck(const Packet& packet)
{
    TcpHeader header;
    packet.PeekHeader(header);
    constexpr uint8_t KIND = TcpHeader::SYN | TcpHeader::ACK | TcpHeader::FIN | TcpHeader::RST;
    return (header.GetFlags() & KIND) == (TcpHeader::SYN | TcpHeader::ACK);
}

bool
RepairedTcpSocket::TakeReset(const TcpHeader& header)
{
    if (!(header.GetFlags() & TcpHeader::RST))
    {
        return false;
    }
    m_state = CLOSED;
    DeallocateEndPoint();
    NotifyConnectionFailed();
    return true;
}

bool
RepairedTcpSocket::LeavesAlone(const TcpHeader& header) const
{
    // The same flags as in ProcessListen().
    constexpr uint8_t DISREGARDED =
        TcpHeader::PSH | TcpHeader::URG | TcpHeader::CWR | TcpHeader::ECE;
    return (header.GetFlags() & ~DISREGARDED) != TcpHeader::SYN;
}

void
RepairedTcpSocket::KeepWindowOfASegment()
{
    if ((m_state == ESTABLISHED || m_state == CLOSE_WAIT) && m_tcb->m_cWnd < m_tcb->m_segmentSize)
    {
        m_tcb->m_cWnd = m_tcb->m_segmentSize;
        SendPendingData(m_connected);
    }
}

void
RepairedTcpSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& header)
{
    if (!TakeOldAck(packet, header))
    {
        TcpSocketBase::ReceivedAck(packet, header);
    }
}

bool
RepairedTcpSocket::TakeOldAck(Ptr<Packet> packet, const TcpHeader& header)
{
    const bool nothingOutstanding = m_txBuffer->Size() == 0 || UnAckDataCount() == 0;
    if (!nothingOutstanding || header.GetAckNumber() >= m_txBuffer->HeadSequence())
    {
        return false;
    }
    if (packet->GetSize() > 0)
    {
        ReceivedData(packet, header);
    }
    return true;
}

void
RepairedTcpSocket::ProcessAck(const SequenceNumber32& ackNumber,
                              bool scoreboardUpdated,
                              uint32_t currentDelivered,
                              const SequenceNumber32& oldHeadSequence,
                              bool receivedData)
{
    ForgetOldDuplicates();
    TcpSocketBase::ProcessAck(ackNumber,
                              scoreboardUpdated,
                              currentDelivered,
                              oldHeadSequence,
                              receivedData);
}

void
RepairedTcpSocket::ForgetOldDuplicates()
{
    if (m_tcb->m_congState == TcpSocketState::CA_OPEN)
    {
        m_dupAckCount = 0;
    }
    else if (m_tcb->m_congState == TcpSocketState::CA_DISORDER && !m_recoverActive)
    {
        // The next duplicate acknowledgement then begins a recovery.
        m_dupAckCount = std::min(m_dupAckCount, m_retxThresh - 1);
    }
}

// Timeouts and round trips.

void
RepairedTcpSocket::ReTxTimeout()
{
    // The base class doubles m_rto.
    m_rto = Min(m_rto, m_maxRto / 2);
    const Time doubled = 2 * m_rto.Get();
    m_samplesAtTimeout = m_rtt->GetNSamples();
    TcpSocketBase::ReTxTimeout();
    PassAMinute(doubled);
}

void
RepairedTcpSocket::PassAMinute(Time doubled)
{
    const Time most = Seconds(60);
    if (m_rto == most && doubled > most)
    {
        m_rto = doubled;
        if (m_retxEvent.IsPending())
        {
            m_retxEvent.Cancel();
            m_retxEvent = Simulator::Schedule(doubled, &RepairedTcpSocket::ReTxTimeout, this);
        }
    }
}

void
RepairedTcpSocket::EstimateRtt(const TcpHeader& header)
{
    RememberFirstUnacknowledged(header);
    TcpSocketBase::EstimateRtt(header);
}

void
RepairedTcpSocket::RememberFirstUnacknowledged(const TcpHeader& header)
{
    const SequenceNumber32 head = m_txBuffer->HeadSequence();
    if (m_history.empty() && m_timestampEnabled && header.GetAckNumber() > head)
    {
        m_history.emplace_back(head, 1, Simulator::Now());
        m_history.back().retx = true; // the sample comes from the echoed timestamp
    }
}

Time
RepairedTcpSocket::CalculateRttSample(const TcpHeader& header, const RttHistory& history)
{
    // A packet that was delayed in the network while the connection starved gives a round-trip time
    // of minutes, which would affect the mean for a long time.
    return Min(TcpSocketBase::CalculateRttSample(header, history), m_maxRto);
}

void
RepairedTcpSocket::NewAck(const SequenceNumber32& ack, bool resetRto)
{
    const Time backedOff = m_rto;
    TcpSocketBase::NewAck(ack, resetRto);
    KeepBackedOff(backedOff, resetRto);
}

void
RepairedTcpSocket::KeepBackedOff(Time backedOff, bool restarted)
{
    const bool unmeasured = m_samplesAtTimeout == m_rtt->GetNSamples();
    const Time rto = unmeasured ? backedOff : Min(m_rto, m_maxRto);
    if (rto != m_rto)
    {
        m_rto = rto;
        if (restarted && m_retxEvent.IsPending())
        {
            m_retxEvent.Cancel();
            m_retxEvent = Simulator::Schedule(rto, &RepairedTcpSocket::ReTxTimeout, this);
        }
    }
}

// The end of a connection.

void
RepairedTcpSocket::SendEmptyPacket(uint8_t flags)
{
    // The base class starts the timer for the FIN, unless the timer runs already.
    const bool isTimed = (flags & TcpHeader::FIN) && m_retxEvent.IsExpired();
    const bool isAgain = isTimed && m_finTimeout.IsStrictlyPositive();
    if (isAgain && !SpendFinRetry())
    {
        return;
    }
    TcpSocketBase::SendEmptyPacket(flags);
    if (isTimed && m_retxEvent.IsPending())
    {
        RestartFinTimer(flags, isAgain);
    }
}

bool
RepairedTcpSocket::SpendFinRetry()
{
    if (m_dataRetrCount == 0)
    {
        const Ptr<RepairedTcpSocket> self(this);
        m_state = CLOSED;
        NotifyErrorClose();
        DeallocateEndPoint();
        return false;
    }
    --m_dataRetrCount;
    return true;
}

void
RepairedTcpSocket::RestartFinTimer(uint8_t flags, bool isAgain)
{
    m_finTimeout = isAgain ? Min(2 * m_finTimeout, m_maxRto) : m_rto.Get();
    m_retxEvent.Cancel();
    m_retxEvent =
        Simulator::Schedule(m_finTimeout, &RepairedTcpSocket::SendEmptyPacket, this, flags);
}

void
RepairedTcpSocket::LastAckTimeout()
{
    // A FIN that was sent with data has no timer once the data is acknowledged.
    if (m_state == LAST_ACK && m_retxEvent.IsExpired())
    {
        SendEmptyPacket(TcpHeader::FIN | TcpHeader::ACK);
    }
}

// Sent segments.

uint32_t
RepairedTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    KeepPacingRate();
    const uint32_t bytes = TcpSocketBase::SendDataPacket(seq, maxSize, withAck);
    NoteAcknowledged(withAck);
    return bytes;
}

void
RepairedTcpSocket::NoteAcknowledged(bool withAck)
{
    if (withAck)
    {
        m_highTxAck = std::max(m_highTxAck, m_tcb->m_rxBuffer->NextRxSequence());
    }
}

void
RepairedTcpSocket::KeepPacingRate()
{
    if (m_tcb->m_pacing && m_tcb->m_pacingRate.Get().GetBitRate() == 0)
    {
        m_tcb->m_pacingRate = m_tcb->m_maxPacingRate;
    }
}

// Received marks.

const CongestionControlNeeds&
RepairedTcpSocket::GetNeeds()
{
    const TcpCongestionOps* ops = PeekPointer(m_congestionControl);
    if (ops != m_judged)
    {
        m_judged = ops;
        m_needs = CongestionControlNeeds::Of(ops->GetInstanceTypeId());
    }
    return m_needs;
}

bool
RepairedTcpSocket::IsEchoing() const
{
    return m_tcb->m_ecnState == TcpSocketState::ECN_CE_RCVD ||
           m_tcb->m_ecnState == TcpSocketState::ECN_SENDING_ECE;
}

void
RepairedTcpSocket::SendDelayedAck()
{
    if (m_delAckEvent.IsPending())
    {
        m_delAckEvent.Cancel();
        DelAckTimeout();
    }
}

int
RepairedTcpSocket::Bind()
{
    const int result = TcpSocketBase::Bind();
    TakeOver();
    return result;
}

int
RepairedTcpSocket::Bind(const Address& address)
{
    const int result = TcpSocketBase::Bind(address);
    TakeOver();
    return result;
}

void
RepairedTcpSocket::CompleteFork(Ptr<Packet> packet,
                                const TcpHeader& header,
                                const Address& from,
                                const Address& to)
{
    TcpSocketBase::CompleteFork(packet, header, from, to);
    TakeOver();
}

void
RepairedTcpSocket::TakeOver()
{
    if (m_endPoint)
    {
        m_endPoint->SetRxCallback(
            MakeCallback(&RepairedTcpSocket::Receive, Ptr<RepairedTcpSocket>(this)));
    }
}

void
RepairedTcpSocket::Receive(Ptr<Packet> packet,
                           Ipv4Header header,
                           uint16_t port,
                           Ptr<Ipv4Interface> interface)
{
    // The socket may be closed and released during this call.
    const Ptr<RepairedTcpSocket> self(this);
    // A listening socket ignores marks, too: see LeavesAlone().
    const bool listens = m_state == LISTEN;
    if (!listens && !GetNeeds().exactMarks)
    {
        ForwardUp(packet, header, port, interface);
        return;
    }
    // The same as ForwardUp(), except for the mark.
    TcpHeader tcpHeader;
    const uint32_t headerBytes = packet->PeekHeader(tcpHeader);
    const uint32_t payload = packet->GetSize() - headerBytes;
    if (!IsValidTcpSegment(tcpHeader.GetSequenceNumber(), headerBytes, payload))
    {
        return;
    }
    if (!listens)
    {
        TakeMark(header.GetEcn(), payload);
    }
    DoForwardUp(packet,
                InetSocketAddress(header.GetSource(), port),
                InetSocketAddress(header.GetDestination(), m_endPoint->GetLocalPort()));
}

void
RepairedTcpSocket::TakeMark(Ipv4Header::EcnType ecn, uint32_t payload)
{
    // A mark on an acknowledgement is not from the path of the data.
    if (payload == 0 || m_tcb->m_ecnState == TcpSocketState::ECN_DISABLED)
    {
        return;
    }
    const bool marked = ecn == Ipv4Header::ECN_CE;
    if (marked != m_marked)
    {
        SendDelayedAck();
        m_marked = marked;
        m_ackAtOnce = true;
    }
    if (!marked && IsEchoing())
    {
        m_tcb->m_ecnState = TcpSocketState::ECN_IDLE;
    }
}

void
RepairedTcpSocket::ReceivedData(Ptr<Packet> packet, const TcpHeader& header)
{
    if (m_marked && !IsEchoing())
    {
        // The state is set only here, because the acknowledgement of the same segment uses the same
        // variable.
        m_tcb->m_ecnState = TcpSocketState::ECN_CE_RCVD;
    }
    TcpSocketBase::ReceivedData(packet, header);
    if (std::exchange(m_ackAtOnce, false))
    {
        SendDelayedAck();
    }
}

} // namespace ns3::coflow
