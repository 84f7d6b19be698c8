/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a connection does with segments that arrive: the states of its life, and payload.

#include "ns3/coflow-lean-connection.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/simulator.h"
#include "ns3/tcp-rx-buffer.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

void
LeanConnection::TellControl(TcpSocketState::TcpCAEvent_t event)
{
    if (!m_state)
    {
        return; // of a receiver, Dctcp needs to know nothing
    }
    if (!m_settings.needs.receiveBuffer)
    {
        Control()->CwndEvent(m_state, event);
        return;
    }
    const auto& buffer = m_state->m_rxBuffer;
    buffer->SetNextRxSequence(SequenceNumber32(m_in.GetNext()));
    Control()->CwndEvent(m_state, event);
}

bool
LeanConnection::IsEchoing() const
{
    return EcnState() == TcpSocketState::ECN_CE_RCVD ||
           EcnState() == TcpSocketState::ECN_SENDING_ECE;
}

bool
LeanConnection::IsOutOfRange(uint32_t first, uint32_t end) const
{
    switch (m_life)
    {
    case TcpSocket::SYN_SENT:
    case TcpSocket::SYN_RCVD:
        return false;
    case TcpSocket::LAST_ACK:
    case TcpSocket::CLOSING:
    case TcpSocket::CLOSE_WAIT:
        return m_in.GetNext() != first;
    default:
        return IsBefore(end, m_in.GetNext()) || !IsBefore(first, m_in.GetEnd());
    }
}

void
LeanConnection::Receive(const LeanSegment& segment, uint8_t ecn, const PacketClass& packetClass)
{
    // It may be closed and gone before this returns.
    const Ptr<LeanConnection> self(this);
    if (segment.payload > 0 && IsOutOfRange(segment.sequence, segment.sequence + segment.payload))
    {
        SendEmpty(LeanSegment::ACK);
        return;
    }
    TakeMark(ecn, segment);
    // Here, as CoflowTcpSocket does: both draw for the same segments in the same order.
    if (m_settings.LosesSegment())
    {
        return;
    }
    if (m_life == TcpSocket::SYN_SENT && segment.Has(LeanSegment::RST))
    {
        // Nobody listens.
        SetLife(TcpSocket::CLOSED);
        Leave();
        if (m_user)
        {
            m_user->HandleConnectFailed();
        }
        return;
    }
    // A signal may overtake the last packet of the handshake, which it then stands for: who is to
    // be told comes with the acceptance of the connection.
    const bool signalled = (m_user || m_life == TcpSocket::SYN_RCVD) &&
                           packetClass.priority.signal != RateSignal::NONE;
    Process(segment);
    if (signalled && m_user)
    {
        m_user->HandleSignal(packetClass);
    }
}

void
LeanConnection::TakeMark(uint8_t ecn, const LeanSegment& segment)
{
    const bool marked = ecn == TcpSocketState::CongExp;
    if (!m_settings.needs.exactMarks)
    {
        if (marked && IsBefore(m_seenMark, segment.sequence))
        {
            m_seenMark = segment.sequence;
            SetEcnState(TcpSocketState::ECN_CE_RCVD);
            TellControl(TcpSocketState::CA_EVENT_ECN_IS_CE);
        }
        else if (ecn != TcpSocketState::NotECT && EcnState() != TcpSocketState::ECN_DISABLED)
        {
            TellControl(TcpSocketState::CA_EVENT_ECN_NO_CE);
        }
        return;
    }
    // A mark on an acknowledgement says nothing about the path of the data.
    if (segment.payload == 0 || EcnState() == TcpSocketState::ECN_DISABLED)
    {
        return;
    }
    if (marked != m_marked)
    {
        SendDelayedAckNow();
        m_marked = marked;
        m_ackAtOnce = true;
    }
    if (!marked && IsEchoing())
    {
        SetEcnState(TcpSocketState::ECN_IDLE);
    }
}

void
LeanConnection::Process(const LeanSegment& segment)
{
    if (m_life == TcpSocket::ESTABLISHED && !segment.Has(LeanSegment::RST) &&
        segment.Has(LeanSegment::CWR) && EcnState() != TcpSocketState::ECN_CE_RCVD)
    {
        SetEcnState(TcpSocketState::ECN_IDLE);
    }
    if (segment.Has(LeanSegment::SYN))
    {
        ProcessSyn(segment);
        if (segment.Has(LeanSegment::ACK))
        {
            EstimateRtt(segment);
            m_highestAck = segment.acknowledgement;
        }
    }
    else if (segment.Has(LeanSegment::ACK))
    {
        if (m_timestamps)
        {
            if (!segment.hasTimestamp)
            {
                return;
            }
            ProcessTimestamp(segment);
        }
        EstimateRtt(segment);
        UpdateWindow(segment);
    }
    if (m_peerWindow == 0 && !IsProbing())
    {
        m_retransmission.Cancel();
        GetSeldom().probe.Schedule(GetSeldom().persist);
    }
    switch (m_life)
    {
    case TcpSocket::ESTABLISHED:
        ProcessEstablished(segment);
        break;
    case TcpSocket::SYN_SENT:
        ProcessSynSent(segment);
        break;
    case TcpSocket::SYN_RCVD:
        ProcessSynReceived(segment);
        break;
    case TcpSocket::FIN_WAIT_1:
    case TcpSocket::FIN_WAIT_2:
    case TcpSocket::CLOSE_WAIT:
        ProcessWait(segment);
        break;
    case TcpSocket::CLOSING:
        ProcessClosing(segment);
        break;
    case TcpSocket::LAST_ACK:
        ProcessLastAck(segment);
        break;
    default:
        break;
    }
    if (m_peerWindow != 0 && IsProbing())
    {
        m_seldom->probe.Cancel();
        SendPending(m_connected);
    }
}

void
LeanConnection::ProcessSyn(const LeanSegment& segment)
{
    m_peerWindow = segment.window;
    m_windowScaling = m_windowScaling && segment.hasWindowScale;
    if (m_windowScaling)
    {
        constexpr uint8_t MOST = 14;
        m_sendShift = std::min(segment.windowScale, MOST);
    }
    m_sack = m_sack && segment.permitsSack;
    m_out.SetSack(m_sack);
    m_timestamps = m_timestamps && segment.hasTimestamp;
    if (m_timestamps)
    {
        ProcessTimestamp(segment);
    }
    BeginWindow();
}

void
LeanConnection::ProcessTimestamp(const LeanSegment& segment)
{
    if (m_seenTimestamp > segment.timestamp)
    {
        return;
    }
    m_seenTimestamp = segment.timestamp;
    if (m_state)
    {
        m_state->m_rcvTimestampValue = segment.timestamp;
        m_state->m_rcvTimestampEchoReply = segment.echo;
    }
    if (segment.sequence == m_in.GetNext() && !IsBefore(m_highestAckSent, segment.sequence))
    {
        m_timestampToEcho = segment.timestamp;
    }
}

void
LeanConnection::EstimateRtt(const LeanSegment& segment)
{
    const int64_t now = GetNetworkTimeStep();
    const bool isNew = IsBefore(m_out.GetHead(), segment.acknowledgement);
    const auto samples = m_rtt.TakeAcknowledgement(segment,
                                                   isNew,
                                                   m_timestamps,
                                                   m_settings.maxRto.GetTimeStep(),
                                                   now);
    if (samples.last && m_state)
    {
        m_state->m_lastRtt = TimeStep(*samples.last);
    }
    if (samples.first)
    {
        m_rtt.Measure(*samples.first);
        m_rto = TimeStep(m_rtt.GetTimeout());
        TellRoundTrip();
    }
}

void
LeanConnection::UpdateWindow(const LeanSegment& segment)
{
    const uint32_t window = uint32_t{segment.window} << m_sendShift;
    if (m_life < TcpSocket::ESTABLISHED)
    {
        m_peerWindow = window;
        return;
    }
    bool update = segment.acknowledgement == m_highestAck && window > m_peerWindow;
    if (IsBefore(m_highestAck, segment.acknowledgement))
    {
        m_highestAck = segment.acknowledgement;
        update = true;
    }
    if (IsBefore(m_highestSequence, segment.sequence))
    {
        m_highestSequence = segment.sequence;
        update = true;
    }
    if (update)
    {
        m_peerWindow = window;
    }
}

void
LeanConnection::ProcessEstablished(const LeanSegment& segment)
{
    const uint8_t kind = GetKind(segment);
    switch (kind)
    {
    case LeanSegment::ACK:
        if (IsBefore(segment.acknowledgement, m_out.GetHead()))
        {
            break; // old, even if it has data
        }
        if (IsBefore(HighestSent(), segment.acknowledgement))
        {
            SendAcknowledgement();
        }
        else
        {
            ReceiveAck(segment);
        }
        break;
    case LeanSegment::SYN:
        break;
    case SYN_ACK:
        SendEmpty(LeanSegment::ACK); // the last packet of the handshake was lost
        break;
    case LeanSegment::FIN:
    case FIN_ACK:
        PeerClose(segment);
        break;
    case 0:
        ReceiveData(segment);
        if (m_in.IsFinished())
        {
            PeerClose(segment);
        }
        break;
    default:
        if (kind != LeanSegment::RST)
        {
            Reset();
        }
        CloseAndTell();
        break;
    }
}

void
LeanConnection::ProcessSynSent(const LeanSegment& segment)
{
    if (!segment.Has(LeanSegment::SYN) || !segment.Has(LeanSegment::ACK) ||
        NextSequence() + 1 != segment.acknowledgement)
    {
        return; // of an earlier connection
    }
    Control()->CongestionStateSet(m_state, TcpSocketState::CA_OPEN);
    m_state->m_congState = TcpSocketState::CA_OPEN;
    SetLife(TcpSocket::ESTABLISHED);
    m_connected = true;
    m_retransmission.Cancel();
    m_in.SetNext(segment.sequence + 1);
    CountSyn();
    UpdatePacingRate();
    SendEmpty(LeanSegment::ACK);
    constexpr uint8_t ASKS = LeanSegment::CWR | LeanSegment::ECE;
    const bool agrees =
        m_settings.ecn != TcpSocketState::Off && (segment.flags & ASKS) == LeanSegment::ECE;
    SetEcnState(agrees ? TcpSocketState::ECN_IDLE : TcpSocketState::ECN_DISABLED);
    SendPending(m_connected);
    Simulator::ScheduleNow(&LeanConnection::ConnectionSucceeded, Ptr<LeanConnection>(this));
    // The first segment with data is acknowledged at once.
    m_delayedAcks = m_settings.delayedAckCount;
}

void
LeanConnection::ProcessSynReceived(const LeanSegment& segment)
{
    const uint8_t kind = GetKind(segment);
    const bool completes =
        kind == 0 || (kind == LeanSegment::ACK && NextSequence() + 1 == segment.acknowledgement);
    if (completes)
    {
        if (m_state)
        {
            Control()->CongestionStateSet(m_state, TcpSocketState::CA_OPEN);
            m_state->m_congState = TcpSocketState::CA_OPEN;
        }
        SetLife(TcpSocket::ESTABLISHED);
        m_connected = true;
        m_retransmission.Cancel();
        CountSyn();
        m_delayedAcks = m_settings.delayedAckCount;
        m_host->TellAccepted(*this);
        ReceiveAck(segment);
        UpdatePacingRate();
        if (m_out.GetRoom() > 0)
        {
            TellRoom();
        }
    }
    else if (kind == LeanSegment::SYN)
    {
        AnswerSyn(segment);
    }
    else if (kind == FIN_ACK)
    {
        if (segment.sequence == m_in.GetNext())
        {
            m_connected = true;
            m_retransmission.Cancel();
            CountSyn();
            m_host->TellAccepted(*this);
            PeerClose(segment);
        }
    }
    else
    {
        if (kind != LeanSegment::RST)
        {
            Reset();
        }
        CloseAndTell();
    }
}

} // namespace ns3::coflow
