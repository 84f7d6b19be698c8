/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-tcp-socket.h"

#include "ns3/boolean.h"
#include "ns3/coflow-packet-class-tag.h"
#include "ns3/rtt-estimator.h"
#include "ns3/simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-option-ts.h"
#include "ns3/tcp-tx-buffer.h"
#include "ns3/tcp-tx-item.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(CoflowTcpSocket);

TypeId
CoflowTcpSocket::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::CoflowTcpSocket")
                            .SetParent<DirectTcpSocket>()
                            .SetGroupName("Coflow")
                            .AddConstructor<CoflowTcpSocket>()
                            .AddAttribute("MaxRto",
                                          "Longest retransmission timeout",
                                          TimeValue(Seconds(60)),
                                          MakeTimeAccessor(&CoflowTcpSocket::m_maxRto),
                                          MakeTimeChecker(NanoSeconds(2)))
                            .AddAttribute("ProbeAfter",
                                          "Timeouts in a row after which segments of one byte are "
                                          "repeated until one is acknowledged; 0: never",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&CoflowTcpSocket::m_probeAfter),
                                          MakeUintegerChecker<uint32_t>())
                            .AddAttribute("UndoTimeouts",
                                          "Whether a timeout after which the acknowledgement of an "
                                          "original comes is undone; needs timestamps and SACK",
                                          BooleanValue(true),
                                          MakeBooleanAccessor(&CoflowTcpSocket::m_undoTimeouts),
                                          MakeBooleanChecker());
    return tid;
}

void
CoflowTcpSocket::SetLoss(Ptr<RandomVariableStream> variable, double probability)
{
    m_lossVariable = variable;
    m_lossProbability = probability;
}

void
CoflowTcpSocket::SetPacing(std::optional<DataRate> rate)
{
    const DataRate old = m_tcb->m_maxPacingRate;
    const bool wasPaced = m_tcb->m_pacing;
    if (wasPaced == rate.has_value() && (!rate || *rate == old))
    {
        return;
    }
    m_tcb->m_pacing = rate.has_value();
    m_tcb->m_paceInitialWindow = true;
    if (rate)
    {
        m_tcb->m_maxPacingRate = *rate;
        m_tcb->m_pacingRate = *rate;
        // Nothing but the rate given is to limit; the window limits by itself.
        m_tcb->m_pacingSsRatio = UINT16_MAX;
        m_tcb->m_pacingCaRatio = UINT16_MAX;
    }
    if (wasPaced && m_pacingTimer.IsRunning() && (!rate || *rate > old))
    {
        const auto left = static_cast<double>(m_pacingTimer.GetDelayLeft().GetNanoSeconds());
        const double ratio =
            rate ? static_cast<double>(old.GetBitRate()) / static_cast<double>(rate->GetBitRate())
                 : 0;
        m_pacingTimer.Cancel();
        m_pacingTimer.Schedule(NanoSeconds(static_cast<int64_t>(left * ratio)));
    }
}

bool
CoflowTcpSocket::Kick()
{
    if (m_dataRetrCount >= m_dataRetries || m_retxEvent.IsExpired() || m_txBuffer->Size() == 0)
    {
        return false;
    }
    m_retxEvent.Cancel();
    const Time rto =
        Max(m_rtt->GetEstimate() + Max(m_clockGranularity, m_rtt->GetVariation() * 4), m_minRto);
    // The function doubles the one and counts down the other.
    m_rto = rto / 2;
    m_dataRetrCount = m_dataRetries;
    ReTxTimeout();
    // What is parked may be so with a priority that it has no more.
    m_beforeTimeout.reset();
    return true;
}

void
CoflowTcpSocket::SetSignalCallback(SignalCallback signal)
{
    m_signal = std::move(signal);
}

bool
CoflowTcpSocket::SendSignal()
{
    // Also while the connection is being closed: what it was given may not have arrived.
    if (m_state < ESTABLISHED || m_state == TIME_WAIT || !m_endPoint)
    {
        return false;
    }
    SendEmptyPacket(TcpHeader::ACK);
    return true;
}

Ptr<Packet>
CoflowTcpSocket::ReadAtMost(uint32_t bytes)
{
    auto packet = Recv(bytes, 0);
    m_readUntold += packet ? packet->GetSize() : 0;
    if (m_readUntold >= 2 * m_tcb->m_segmentSize && m_state == ESTABLISHED)
    {
        m_readUntold = 0;
        // An acknowledgement is what tells the window, and it must not take back what the last one
        // said of congestion.
        const bool marked = m_tcb->m_ecnState == TcpSocketState::ECN_CE_RCVD ||
                            m_tcb->m_ecnState == TcpSocketState::ECN_SENDING_ECE;
        SendEmptyPacket(marked ? TcpHeader::ACK | TcpHeader::ECE : TcpHeader::ACK);
    }
    return packet;
}

void
CoflowTcpSocket::SetGate(SendGate* gate)
{
    if (m_gate && !gate && m_state == ESTABLISHED && !m_sendPendingDataEvent.IsPending())
    {
        // It may have been waiting for leave.
        m_sendPendingDataEvent =
            Simulator::Schedule(TimeStep(1), &CoflowTcpSocket::SendPendingData, this, m_connected);
    }
    m_gate = gate;
}

void
CoflowTcpSocket::SendSegment()
{
    if (m_state == ESTABLISHED && IsAllAcknowledged())
    {
        // It has run while nothing was sent, and is to begin anew.
        m_retxEvent.Cancel();
    }
    m_leave = m_tcb->m_segmentSize;
    SendPendingData(m_connected);
    m_leave = 0;
}

uint32_t
CoflowTcpSocket::AvailableWindow() const
{
    const uint32_t window = DirectTcpSocket::AvailableWindow();
    if (!m_gate)
    {
        return window;
    }
    if (window > 0 && m_leave == 0)
    {
        m_gate->NotifyBlocked();
    }
    return std::min(window, m_leave);
}

bool
CoflowTcpSocket::IsAllAcknowledged() const
{
    return m_txBuffer->HeadSequence() >= m_tcb->m_highTxMark;
}

void
CoflowTcpSocket::ReTxTimeout()
{
    // The base class keeps the timer running while there is data that was not sent, which it
    // takes for lost when it waits for leave.
    if (m_gate && m_state == ESTABLISHED && IsAllAcknowledged())
    {
        return;
    }
    // The base class doubles it.
    m_rto = Min(m_rto, m_maxRto / 2);
    const Time doubled = 2 * m_rto.Get();
    m_samplesAtTimeout = m_rtt->GetNSamples();
    ++m_timeoutsInRow;
    RememberTimeout();
    DirectTcpSocket::ReTxTimeout();
    // It stops at a minute, which a segment may take on a slow link.
    const Time most = Seconds(60);
    if (m_rto == most && doubled > most)
    {
        m_rto = doubled;
        if (m_retxEvent.IsPending())
        {
            m_retxEvent.Cancel();
            m_retxEvent = Simulator::Schedule(doubled, &CoflowTcpSocket::ReTxTimeout, this);
        }
    }
}

void
CoflowTcpSocket::RememberTimeout()
{
    const auto state = m_tcb->m_congState.Get();
    if (state == TcpSocketState::CA_LOSS)
    {
        return; // nothing was acknowledged since the first, which counts
    }
    m_beforeTimeout.reset();
    // Nothing may be known to be lost: what is known is forgotten with a timeout undone. Without
    // SACK, the acknowledgements of what is sent again would look like those of a loss.
    if (m_undoTimeouts && m_timestampEnabled && m_sackEnabled && m_state >= ESTABLISHED &&
        !IsAllAcknowledged() && state != TcpSocketState::CA_RECOVERY &&
        m_txBuffer->GetLost() == 0 && m_txBuffer->GetSacked() == 0)
    {
        const uint32_t window = m_tcb->m_cWnd;
        const uint32_t threshold = m_tcb->m_ssThresh;
        m_beforeTimeout = {TcpOptionTS::NowToTsValue(),
                           state == TcpSocketState::CA_CWR ? std::min(window, threshold) : window,
                           threshold,
                           m_recover,
                           m_rto};
    }
}

std::optional<Time>
CoflowTcpSocket::JudgeTimeout(const TcpHeader& header)
{
    const SequenceNumber32 head = m_txBuffer->HeadSequence();
    if (!m_beforeTimeout || header.GetAckNumber() <= head)
    {
        return std::nullopt;
    }
    const BeforeTimeout before = *std::exchange(m_beforeTimeout, std::nullopt);
    const auto stamp = DynamicCast<const TcpOptionTS>(header.GetOption(TcpOption::TS));
    const bool isOfOriginal = stamp && static_cast<int32_t>(stamp->GetEcho() - before.at) < 0;
    if (!isOfOriginal || m_tcb->m_congState != TcpSocketState::CA_LOSS ||
        m_txBuffer->GetSacked() > 0)
    {
        return std::nullopt;
    }
    // Puts everything back to what was not sent, and then takes it for sent.
    const uint32_t sent = std::min(m_tcb->m_highTxMark.Get(), m_txBuffer->TailSequence()) - head;
    m_txBuffer->ResetSentList();
    for (uint32_t bytes = 0; bytes < sent;)
    {
        const uint32_t segment = std::min(m_tcb->m_segmentSize, sent - bytes);
        bytes += m_txBuffer->CopyFromSequence(segment, head + bytes)->GetSeqSize();
    }
    m_tcb->m_nextTxSequence = m_tcb->m_highTxMark;
    m_congestionControl->CongestionStateSet(m_tcb, TcpSocketState::CA_OPEN);
    m_tcb->m_congState = TcpSocketState::CA_OPEN;
    m_tcb->m_cWnd = before.congestion;
    m_tcb->m_cWndInfl = before.congestion;
    m_tcb->m_ssThresh = before.slowStart;
    m_recover = before.recover;
    m_recoverActive = false;
    m_dupAckCount = 0;
    return before.rto;
}

void
CoflowTcpSocket::SendEmptyPacket(uint8_t flags)
{
    // It runs the timer for what it sends, unless it runs already.
    const bool isTimed = (flags & TcpHeader::FIN) && m_retxEvent.IsExpired();
    const bool isAgain = isTimed && m_finTimeout.IsStrictlyPositive();
    if (isAgain)
    {
        if (m_dataRetrCount == 0)
        {
            const Ptr<CoflowTcpSocket> self(this);
            m_state = CLOSED;
            NotifyErrorClose();
            DeallocateEndPoint();
            return;
        }
        --m_dataRetrCount;
    }
    DirectTcpSocket::SendEmptyPacket(flags);
    if (isTimed && m_retxEvent.IsPending())
    {
        m_finTimeout = isAgain ? Min(2 * m_finTimeout, m_maxRto) : m_rto.Get();
        m_retxEvent.Cancel();
        m_retxEvent =
            Simulator::Schedule(m_finTimeout, &CoflowTcpSocket::SendEmptyPacket, this, flags);
    }
}

void
CoflowTcpSocket::LastAckTimeout()
{
    // A FIN that was sent with data has no timer once the data is acknowledged.
    if (m_state == LAST_ACK && m_retxEvent.IsExpired())
    {
        SendEmptyPacket(TcpHeader::FIN | TcpHeader::ACK);
    }
}

void
CoflowTcpSocket::EstimateRtt(const TcpHeader& header)
{
    const SequenceNumber32 head = m_txBuffer->HeadSequence();
    if (m_history.empty() && m_timestampEnabled && header.GetAckNumber() > head)
    {
        m_history.emplace_back(head, 1, Simulator::Now());
        m_history.back().retx = true; // what counts is the timestamp that comes back
    }
    DirectTcpSocket::EstimateRtt(header);
}

Time
CoflowTcpSocket::CalculateRttSample(const TcpHeader& header, const RttHistory& history)
{
    // What was parked in the network while the connection starved makes a round trip of minutes,
    // which the mean would not forget for long.
    return Min(DirectTcpSocket::CalculateRttSample(header, history), m_maxRto);
}

void
CoflowTcpSocket::NewAck(const SequenceNumber32& ack, bool resetRto)
{
    m_timeoutsInRow = 0;
    const Time backedOff = m_rto;
    DirectTcpSocket::NewAck(ack, resetRto);
    const bool unmeasured = m_samplesAtTimeout == m_rtt->GetNSamples();
    const Time rto = unmeasured ? backedOff : Min(m_rto, m_maxRto);
    if (rto != m_rto)
    {
        m_rto = rto;
        if (resetRto && m_retxEvent.IsPending())
        {
            m_retxEvent.Cancel();
            m_retxEvent = Simulator::Schedule(rto, &CoflowTcpSocket::ReTxTimeout, this);
        }
    }
}

uint32_t
CoflowTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    if (m_tcb->m_pacing && m_tcb->m_pacingRate.Get().GetBitRate() == 0)
    {
        // A connection whose SYN was sent twice has no round trip, by which ns-3 divides.
        m_tcb->m_pacingRate = m_tcb->m_maxPacingRate;
    }
    const SequenceNumber32 before = m_tcb->m_highTxMark;
    const bool probes =
        m_probeAfter > 0 && m_timeoutsInRow >= m_probeAfter && seq == m_txBuffer->HeadSequence();
    const uint32_t bytes = DirectTcpSocket::SendDataPacket(seq, probes ? 1 : maxSize, withAck);
    if (m_gate)
    {
        m_leave = 0;
        m_gate->NotifySent(bytes, m_tcb->m_highTxMark.Get() - before);
    }
    return bytes;
}

void
CoflowTcpSocket::Abort()
{
    SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                       MakeNullCallback<void, Ptr<Socket>>());
    SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(), MakeNullCallback<void, Ptr<Socket>>());
    SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
    SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
    SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    if (m_state == LISTEN || m_state == SYN_SENT)
    {
        DeallocateEndPoint();
    }
    else if (m_endPoint)
    {
        SendRST();
    }
    m_state = CLOSED;
    // Events of the present time may still point to the socket.
    Simulator::ScheduleNow([socket = Ptr<CoflowTcpSocket>(this)] {});
}

Ptr<TcpSocketBase>
CoflowTcpSocket::Fork()
{
    return CopyObject<CoflowTcpSocket>(this);
}

void
CoflowTcpSocket::DoForwardUp(Ptr<Packet> packet, const Address& from, const Address& to)
{
    if (m_lossVariable && m_lossVariable->GetValue() < m_lossProbability)
    {
        return;
    }
    if (m_state == SYN_SENT || m_state == LISTEN)
    {
        TcpHeader header;
        packet->PeekHeader(header);
        const bool reset = header.GetFlags() & TcpHeader::RST;
        if (reset && m_state == SYN_SENT)
        {
            // Nobody listens. The base class ignores it, as it has the flag ACK too.
            m_state = CLOSED;
            DeallocateEndPoint();
            NotifyConnectionFailed();
            return;
        }
        if (reset)
        {
            // Ignored (RFC 9293, 3.10.7.2); the base class takes it for a closed window and
            // will probe that.
            return;
        }
    }
    PacketClassTag tag;
    // A signal may overtake the last packet of the handshake, which it then stands for: who is to
    // be told comes with the acceptance of the connection.
    const bool signalled = (m_signal || m_state == SYN_RCVD) && packet->PeekPacketTag(tag) &&
                           tag.Get().priority.signal != RateSignal::NONE;
    const Ptr<CoflowTcpSocket> self(this);
    TcpSocketBase::DoForwardUp(packet, from, to);
    // When it reduces the window of a connection with little in flight, the base class may leave
    // less than a segment. Whatever is longer than that then waits for a larger window, and with
    // nothing in flight neither an ACK nor a timeout ever comes.
    if ((m_state == ESTABLISHED || m_state == CLOSE_WAIT) && m_tcb->m_cWnd < m_tcb->m_segmentSize)
    {
        m_tcb->m_cWnd = m_tcb->m_segmentSize;
        SendPendingData(m_connected);
    }
    if (signalled && m_signal)
    {
        m_signal(tag.Get());
    }
}

void
CoflowTcpSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& header)
{
    const bool nothingOutstanding = m_txBuffer->Size() == 0 || UnAckDataCount() == 0;
    if (nothingOutstanding && header.GetAckNumber() < m_txBuffer->HeadSequence())
    {
        if (packet->GetSize() > 0)
        {
            ReceivedData(packet, header);
        }
        return;
    }
    const auto wait = JudgeTimeout(header);
    DirectTcpSocket::ReceivedAck(packet, header);
    if (wait && m_retxEvent.IsPending())
    {
        m_retxEvent.Cancel();
        m_retxEvent = Simulator::Schedule(*wait, &CoflowTcpSocket::ReTxTimeout, this);
    }
}

void
CoflowTcpSocket::ProcessAck(const SequenceNumber32& ackNumber,
                            bool scoreboardUpdated,
                            uint32_t currentDelivered,
                            const SequenceNumber32& oldHeadSequence,
                            bool receivedData)
{
    if (m_tcb->m_congState == TcpSocketState::CA_OPEN)
    {
        m_dupAckCount = 0;
    }
    else if (m_tcb->m_congState == TcpSocketState::CA_DISORDER && !m_recoverActive)
    {
        // So that the next duplicate begins a recovery.
        m_dupAckCount = std::min(m_dupAckCount, m_retxThresh - 1);
    }
    DirectTcpSocket::ProcessAck(ackNumber,
                                scoreboardUpdated,
                                currentDelivered,
                                oldHeadSequence,
                                receivedData);
}

} // namespace ns3::coflow
