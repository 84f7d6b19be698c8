/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How a connection sends segments, and sends them again after a timeout.

#include "ns3/coflow-lean-connection.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

void
LeanConnection::Transmit(const LeanSegment& segment, bool capable)
{
    if (m_settings.wire)
    {
        m_settings.wire->Add(segment.GetHeaderBytes() + segment.payload);
    }
    m_host->Send(segment, m_name, GetDsField(capable), m_route);
}

uint32_t
LeanConnection::CountInFlight()
{
    const uint32_t bytes = m_out.GetInFlight();
    if (m_state)
    {
        m_state->m_bytesInFlight = bytes;
    }
    return bytes;
}

bool
LeanConnection::IsAllAcknowledged() const
{
    return !IsBefore(m_out.GetHead(), HighestSent());
}

uint32_t
LeanConnection::GetAvailableWindow()
{
    const uint32_t window = std::min(m_peerWindow, m_state->m_cWnd.Get());
    const uint32_t inFlight = CountInFlight();
    const uint32_t available = inFlight > window ? 0 : window - inFlight;
    if (!m_gate)
    {
        return available;
    }
    if (available > 0 && m_leave == 0)
    {
        m_gate->NotifyBlocked();
    }
    return std::min(available, m_leave);
}

uint16_t
LeanConnection::GetWindowField(bool scaled)
{
    if (!m_in.HasFin())
    {
        m_toldWindow = m_in.GetEnd() - m_in.GetNext();
    }
    const uint32_t window = scaled ? m_toldWindow >> m_receiveShift : m_toldWindow;
    return static_cast<uint16_t>(std::min(window, m_settings.maxWindowField));
}

LeanSegment
LeanConnection::MakeSegment(uint8_t flags, uint32_t sequence)
{
    LeanSegment segment;
    segment.flags = flags;
    segment.sequence = sequence;
    segment.acknowledgement = m_in.GetNext();
    segment.sourcePort = m_name.localPort;
    segment.destinationPort = m_name.remotePort;
    if (m_timestamps)
    {
        segment.hasTimestamp = true;
        segment.timestamp = GetTimestampNow();
        segment.echo = m_timestampToEcho;
    }
    return segment;
}

void
LeanConnection::SendEmpty(uint8_t flags)
{
    if (!m_open)
    {
        return;
    }
    uint32_t sequence = NextSequence();
    const bool syn = flags & LeanSegment::SYN;
    const bool fin = flags & LeanSegment::FIN;
    // A FIN without data runs the timer for itself, unless the timer runs already.
    const bool timed = (syn || fin) && m_retransmission.IsExpired();
    if (timed && fin && !SpendFinRetry())
    {
        return;
    }
    if (fin)
    {
        flags |= LeanSegment::ACK;
    }
    else if (m_life == TcpSocket::FIN_WAIT_1 || m_life == TcpSocket::LAST_ACK ||
             m_life == TcpSocket::CLOSING)
    {
        ++sequence; // its own FIN
    }
    LeanSegment segment = MakeSegment(flags, sequence);
    m_rto = TimeStep(m_rtt.GetTimeout());
    segment.window = GetWindowField(!syn);
    if (syn)
    {
        if (m_windowScaling)
        {
            m_receiveShift = 0;
            while (m_receiveShift < 14 &&
                   m_in.GetCapacity() >> m_receiveShift > m_settings.maxWindowField)
            {
                ++m_receiveShift;
            }
            segment.hasWindowScale = true;
            segment.windowScale = m_receiveShift;
        }
        segment.permitsSack = m_sack;
        if (m_synsLeft == 0)
        {
            const Ptr<LeanConnection> self(this);
            m_rtt.Reset();
            if (m_user)
            {
                m_user->HandleConnectFailed();
            }
            SetLife(TcpSocket::CLOSED);
            Leave();
            return;
        }
        m_rto = m_settings.connectTimeout * (1 << (m_settings.synRetries - m_synsLeft));
        --m_synsLeft;
        m_rtt.NoteSent(sequence, 0, m_settings.synRetries - 1 != m_synsLeft, GetNetworkTimeStep());
    }
    if (flags & LeanSegment::ACK)
    {
        NoteAcknowledged(segment);
        if (m_sack && m_in.GetNSackBlocks() > 0)
        {
            m_in.WriteSack(segment);
        }
    }
    Transmit(segment, m_settings.marksAll);
    if (timed)
    {
        m_emptyAgain = flags;
        m_retransmission.Schedule(fin ? BackOffFin() : m_rto);
    }
}

bool
LeanConnection::SpendFinRetry()
{
    if (!m_seldom || m_seldom->finTimeout.IsZero())
    {
        return true; // it is the first one
    }
    if (m_retriesLeft == 0)
    {
        const Ptr<LeanConnection> self(this);
        SetLife(TcpSocket::CLOSED);
        TellBroken();
        Leave();
        return false;
    }
    --m_retriesLeft;
    ++m_seldom->finRepeats;
    if (m_settings.awaited)
    {
        UpdateHold();
    }
    return true;
}

Time
LeanConnection::BackOffFin()
{
    Time& timeout = GetSeldom().finTimeout;
    timeout = timeout.IsZero() ? m_rto : Min(2 * timeout, m_settings.maxRto);
    return timeout;
}

void
LeanConnection::NoteAcknowledged(const LeanSegment& segment)
{
    m_delayedAck.Cancel();
    m_delayedAcks = 0;
    if (IsBefore(m_highestAckSent, segment.acknowledgement))
    {
        m_highestAckSent = segment.acknowledgement;
    }
}

void
LeanConnection::SendAcknowledgement()
{
    if (IsEchoing())
    {
        SendEmpty(LeanSegment::ACK | LeanSegment::ECE);
        SetEcnState(TcpSocketState::ECN_SENDING_ECE);
    }
    else
    {
        SendEmpty(LeanSegment::ACK);
    }
}

bool
LeanConnection::IsPaced() const
{
    return m_state->m_pacing &&
           (m_state->m_paceInitialWindow ||
            HighestSent() > m_settings.initialWindow * m_settings.segmentBytes);
}

void
LeanConnection::UpdatePacingRate()
{
    if (!m_state || !m_state->m_pacing)
    {
        return;
    }
    const bool slowStart = m_state->m_cWnd < m_state->m_ssThresh / 2;
    const double factor =
        static_cast<double>(slowStart ? m_state->m_pacingSsRatio : m_state->m_pacingCaRatio) / 100;
    const double srtt = m_state->m_srtt.Get().GetSeconds();
    const uint32_t bytes = std::max(m_state->m_cWnd.Get(), m_state->m_bytesInFlight.Get());
    const auto rate = static_cast<uint64_t>(srtt > 0 ? bytes * 8 * factor / srtt : 0);
    // A connection whose SYN was sent twice has no round trip yet.
    const bool isLimited = rate > 0 && DataRate(rate) < m_state->m_maxPacingRate;
    m_state->m_pacingRate = isLimited ? DataRate(rate) : m_state->m_maxPacingRate;
}

bool
LeanConnection::IsWaitingToPace() const
{
    return m_pacing && m_pacing->timer.IsPending();
}

void
LeanConnection::StartPacing(uint32_t bytes)
{
    if (!m_pacing)
    {
        m_pacing = std::make_unique<Pacing>(*this);
    }
    m_pacing->timer.Schedule(m_state->m_pacingRate.Get().CalculateBytesTxTime(bytes));
}

void
LeanConnection::CancelPacing()
{
    if (m_pacing)
    {
        m_pacing->timer.Cancel();
    }
}

void
LeanConnection::HandlePaced()
{
    SendPending(m_connected);
}

uint32_t
LeanConnection::SendData(uint32_t sequence, uint32_t most, bool acknowledging)
{
    CountInFlight();
    // Where the path is blocked, a byte wastes less of it than a full segment.
    const bool probes = m_settings.probeAfter > 0 && m_timeoutsInRow >= m_settings.probeAfter &&
                        sequence == m_out.GetHead();
    const auto sent = m_out.Send(sequence, probes ? 1 : most);
    uint8_t flags = acknowledging ? LeanSegment::ACK : 0;
    if (IsPaced() && !IsWaitingToPace())
    {
        StartPacing(sent.bytes);
    }
    if (EcnState() == TcpSocketState::ECN_ECE_RCVD && IsBefore(m_reduced, m_echoedMark) &&
        !sent.again)
    {
        SetEcnState(TcpSocketState::ECN_CWR_SENT);
        m_reduced = sequence;
        flags |= LeanSegment::CWR;
    }
    const bool capable =
        m_settings.marksAll || (EcnState() != TcpSocketState::ECN_DISABLED && !sent.again);
    if (m_closeWhenSent && m_out.GetSizeFrom(sequence + sent.bytes) == 0)
    {
        flags |= LeanSegment::FIN;
        if (m_life == TcpSocket::ESTABLISHED)
        {
            SetLife(TcpSocket::FIN_WAIT_1);
        }
        else if (m_life == TcpSocket::CLOSE_WAIT)
        {
            SetLife(TcpSocket::LAST_ACK);
        }
    }
    LeanSegment segment = MakeSegment(flags, sequence);
    segment.payload = static_cast<uint16_t>(sent.bytes);
    segment.window = GetWindowField(true);
    if (acknowledging)
    {
        NoteAcknowledged(segment);
    }
    if (m_retransmission.IsExpired())
    {
        ScheduleTimeout(m_rto);
    }
    if (sent.again && m_user)
    {
        m_user->HandleSentAgain(sequence - m_out.GetHead());
    }
    Transmit(segment, capable);
    m_state->m_isCwndLimited = m_state->m_cWnd < CountInFlight() + m_settings.segmentBytes;
    m_rtt.NoteSent(sequence, sent.bytes, sent.again, GetNetworkTimeStep());
    if (CongestionState() == TcpSocketState::CA_RECOVERY ||
        CongestionState() == TcpSocketState::CA_CWR)
    {
        m_recovery->UpdateBytesSent(sent.bytes);
    }
    const uint32_t end = sequence + sent.bytes;
    const uint32_t newBytes = IsBefore(HighestSent(), end) ? end - HighestSent() : 0;
    if (newBytes > 0)
    {
        m_state->m_highTxMark = SequenceNumber32(end);
    }
    if (m_gate)
    {
        m_leave = 0;
        m_gate->NotifySent(sent.bytes, newBytes);
    }
    return sent.bytes;
}

void
LeanConnection::SendPending(bool acknowledging)
{
    if (m_out.GetSize() == 0 || !m_open)
    {
        return;
    }
    const Ptr<LeanConnection> self(this);
    for (uint32_t window = GetAvailableWindow(); window > 0; window = GetAvailableWindow())
    {
        if (IsPaced() && IsWaitingToPace())
        {
            break;
        }
        if (CongestionState() == TcpSocketState::CA_OPEN && m_life == TcpSocket::FIN_WAIT_1)
        {
            break; // all was sent, with the FIN
        }
        const bool recovering = m_sack && CongestionState() == TcpSocketState::CA_RECOVERY;
        const auto next = m_out.GetNext(recovering, m_peerWindow);
        if (!next)
        {
            break;
        }
        const uint32_t available = m_out.GetSizeFrom(next->first);
        if (available < window)
        {
            TellRoom(); // the application may write more, which leaves a step later
        }
        if (window < m_settings.segmentBytes && available > window)
        {
            break; // a full segment will go when the window is wider
        }
        const uint32_t unacknowledged = HighestSent() - m_out.GetHead();
        if (!m_settings.noDelay && unacknowledged > 0 && available < m_settings.segmentBytes)
        {
            break;
        }
        const uint32_t most = std::min({window, m_settings.segmentBytes, next->end - next->first});
        if (NextSequence() != next->first)
        {
            m_state->m_nextTxSequence = SequenceNumber32(next->first);
        }
        if (m_state->m_bytesInFlight.Get() == 0)
        {
            TellControl(TcpSocketState::CA_EVENT_TX_START);
        }
        const uint32_t sent = SendData(NextSequence(), most, acknowledging);
        m_state->m_nextTxSequence += sent;
        if (IsPaced() && !IsWaitingToPace())
        {
            StartPacing(sent);
            break;
        }
    }
}

} // namespace ns3::coflow
