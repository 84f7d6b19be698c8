/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-sender.h"

#include "ns3/coflow-lean-connection.h"
#include "ns3/coflow-lean-host.h"

#include <algorithm>

namespace ns3::coflow
{

LeanSender::LeanSender(LeanTcb& tcb)
    : m_tcb(tcb),
      m_sendPending(tcb, tcb.host->GetContext())
{
}

LeanSegment
LeanSender::MakeSegment(uint8_t flags, uint32_t sequence)
{
    LeanSegment segment;
    segment.flags = flags;
    segment.sequence = sequence;
    segment.sourcePort = m_tcb.name.localPort;
    segment.destinationPort = m_tcb.name.remotePort;
    if (m_tcb.timestamps)
    {
        segment.hasTimestamp = true;
        segment.timestamp = LeanTcb::GetTimestampNow();
    }
    m_tcb.receiver.WriteHeader(segment);
    return segment;
}

void
LeanSender::Transmit(const LeanSegment& segment, bool capable)
{
    const LeanSettings& settings = *m_tcb.settings;
    if (settings.wire)
    {
        settings.wire->Add(segment.GetHeaderBytes() + segment.payload);
    }
    const auto ecn = capable ? settings.ectCodePoint : TcpSocketState::NotECT;
    m_tcb.host->Send(segment, m_tcb.name, static_cast<uint8_t>(settings.tos | ecn), m_tcb.route);
}

bool
LeanSender::IsAllAcknowledged() const
{
    return !IsBefore(m_tcb.out.GetHead(), m_tcb.congestion.GetHighest());
}

bool
LeanSender::IsHeldBack() const
{
    return m_gate && m_tcb.life == TcpSocket::ESTABLISHED && IsAllAcknowledged();
}

uint32_t
LeanSender::GetAvailableWindow()
{
    const uint32_t window = std::min(m_peerWindow, m_tcb.congestion.GetState().m_cWnd.Get());
    const uint32_t inFlight = m_tcb.congestion.CountInFlight(m_tcb.out);
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

void
LeanSender::TakeSyn(const LeanSegment& syn)
{
    m_peerWindow = syn.window;
    m_tcb.windowScaling = m_tcb.windowScaling && syn.hasWindowScale;
    if (m_tcb.windowScaling)
    {
        constexpr uint8_t MOST = 14;
        m_shift = std::min(syn.windowScale, MOST);
    }
    if (syn.Has(LeanSegment::ACK))
    {
        m_highestAck = syn.acknowledgement;
    }
}

void
LeanSender::UpdateWindow(const LeanSegment& segment)
{
    const uint32_t window = uint32_t{segment.window} << m_shift;
    if (m_tcb.life < TcpSocket::ESTABLISHED)
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
LeanSender::SendEmpty(uint8_t flags)
{
    if (!m_tcb.open)
    {
        return;
    }
    uint32_t sequence = m_tcb.congestion.GetNext();
    const bool syn = flags & LeanSegment::SYN;
    const bool fin = flags & LeanSegment::FIN;
    // A FIN without data starts the retransmission timer, unless the timer runs already.
    const bool timed = (syn || fin) && m_tcb.timers.IsExpired();
    if (timed && fin && !m_tcb.timers.SpendFin())
    {
        const Ptr<LeanConnection> self(&m_tcb.GetConnection());
        m_tcb.SetLife(TcpSocket::CLOSED);
        m_tcb.user->HandleBroken();
        m_tcb.GetConnection().Leave();
        return;
    }
    if (fin)
    {
        flags |= LeanSegment::ACK;
    }
    else if (m_tcb.life == TcpSocket::FIN_WAIT_1 || m_tcb.life == TcpSocket::LAST_ACK ||
             m_tcb.life == TcpSocket::CLOSING)
    {
        ++sequence; // the number after the FIN of this end
    }
    LeanSegment segment = MakeSegment(flags, sequence);
    m_tcb.timers.UpdateRto();
    if (syn)
    {
        if (m_tcb.windowScaling)
        {
            segment.hasWindowScale = true;
            segment.windowScale = m_tcb.receiver.ChooseWindowScale();
        }
        segment.permitsSack = m_tcb.sack;
        if (!m_tcb.timers.SpendSyn(sequence))
        {
            const Ptr<LeanConnection> self(&m_tcb.GetConnection());
            m_tcb.user->HandleConnectFailed();
            m_tcb.SetLife(TcpSocket::CLOSED);
            m_tcb.GetConnection().Leave();
            return;
        }
    }
    if (flags & LeanSegment::ACK)
    {
        m_tcb.receiver.NoteAcknowledged(segment);
        if (m_tcb.sack && m_tcb.in.GetNSackBlocks() > 0)
        {
            m_tcb.in.WriteSack(segment);
        }
    }
    Transmit(segment, m_tcb.settings->marksAll);
    if (timed)
    {
        m_tcb.timers.ScheduleEmpty(flags);
    }
}

void
LeanSender::SendAcknowledgement()
{
    if (m_tcb.congestion.IsEchoing())
    {
        SendEmpty(LeanSegment::ACK | LeanSegment::ECE);
        m_tcb.congestion.SetEcn(TcpSocketState::ECN_SENDING_ECE);
    }
    else
    {
        SendEmpty(LeanSegment::ACK);
    }
}

void
LeanSender::SendProbe()
{
    const uint32_t next = m_tcb.congestion.GetNext();
    if (m_tcb.out.GetSizeFrom(next) > 0)
    {
        m_tcb.out.Send(next, 1);
        m_tcb.out.UnsendLast();
        LeanSegment segment = MakeSegment(0, next);
        segment.payload = 1;
        Transmit(segment,
                 m_tcb.congestion.GetEcn() != TcpSocketState::ECN_DISABLED &&
                     m_tcb.settings->marksAll);
    }
}

void
LeanSender::SetGate(SendGate* gate)
{
    if (m_gate && !gate && m_tcb.life == TcpSocket::ESTABLISHED)
    {
        // Data may have waited for the gate.
        SendPendingLater();
    }
    m_gate = gate;
}

void
LeanSender::SendSegment()
{
    if (m_tcb.life == TcpSocket::ESTABLISHED && IsAllAcknowledged())
    {
        // The timer has run while nothing was in flight, and must start again.
        m_tcb.timers.Cancel();
    }
    m_leave = m_tcb.settings->segmentBytes;
    SendPending();
    m_leave = 0;
}

uint32_t
LeanSender::SendData(uint32_t sequence, uint32_t most)
{
    LeanCongestion& congestion = m_tcb.congestion;
    const LeanSettings& settings = *m_tcb.settings;
    congestion.CountInFlight(m_tcb.out);
    // After several timeouts, one byte probes the path with less waste than a full segment.
    const bool probes = settings.probeAfter > 0 &&
                        m_tcb.timers.GetTimeoutsInRow() >= settings.probeAfter &&
                        sequence == m_tcb.out.GetHead();
    const auto sent = m_tcb.out.Send(sequence, probes ? 1 : most);
    uint8_t flags = m_tcb.connected ? LeanSegment::ACK : 0;
    if (!sent.again && m_tcb.recovery.ConfirmReduction(sequence))
    {
        flags |= LeanSegment::CWR;
    }
    const bool capable =
        settings.marksAll || (congestion.GetEcn() != TcpSocketState::ECN_DISABLED && !sent.again);
    if (m_tcb.closeWhenSent && m_tcb.out.GetSizeFrom(sequence + sent.bytes) == 0)
    {
        flags |= LeanSegment::FIN;
        if (m_tcb.life == TcpSocket::ESTABLISHED)
        {
            m_tcb.SetLife(TcpSocket::FIN_WAIT_1);
        }
        else if (m_tcb.life == TcpSocket::CLOSE_WAIT)
        {
            m_tcb.SetLife(TcpSocket::LAST_ACK);
        }
    }
    LeanSegment segment = MakeSegment(flags, sequence);
    segment.payload = static_cast<uint16_t>(sent.bytes);
    if (m_tcb.connected)
    {
        m_tcb.receiver.NoteAcknowledged(segment);
    }
    if (m_tcb.timers.IsExpired())
    {
        m_tcb.timers.Schedule();
    }
    if (sent.again)
    {
        m_tcb.user->HandleSentAgain(sequence - m_tcb.out.GetHead());
    }
    Transmit(segment, capable);
    auto& state = congestion.GetState();
    state.m_isCwndLimited =
        state.m_cWnd < congestion.CountInFlight(m_tcb.out) + settings.segmentBytes;
    m_tcb.timers.NoteSent(sequence, sent.bytes, sent.again);
    congestion.NoteSent(sent.bytes);
    const uint32_t end = sequence + sent.bytes;
    const uint32_t highest = congestion.GetHighest();
    const uint32_t newBytes = IsBefore(highest, end) ? end - highest : 0;
    if (newBytes > 0)
    {
        state.m_highTxMark = SequenceNumber32(end);
    }
    if (m_gate)
    {
        m_leave = 0;
        m_gate->NotifySent(sent.bytes, newBytes);
    }
    return sent.bytes;
}

void
LeanSender::RetransmitNext()
{
    const auto next = m_tcb.out.GetNext(false, m_peerWindow);
    const uint32_t first = next ? next->first : m_tcb.out.GetHead();
    const uint32_t most = next ? next->bytes : UINT32_MAX;
    m_tcb.congestion.SetNext(first);
    SendData(first, std::min(most, m_tcb.settings->segmentBytes));
}

void
LeanSender::SendPendingLater()
{
    if (!m_sendPending.IsPending())
    {
        m_sendPending.Schedule(TimeStep(1));
    }
}

void
LeanSender::SendPending()
{
    if (m_tcb.out.GetSize() == 0 || !m_tcb.open)
    {
        return;
    }
    const Ptr<LeanConnection> self(&m_tcb.GetConnection());
    LeanCongestion& congestion = m_tcb.congestion;
    const uint32_t segment = m_tcb.settings->segmentBytes;
    for (uint32_t window = GetAvailableWindow(); window > 0; window = GetAvailableWindow())
    {
        if (congestion.Get() == TcpSocketState::CA_OPEN && m_tcb.life == TcpSocket::FIN_WAIT_1)
        {
            break; // all data and the FIN were sent
        }
        const bool recovering = m_tcb.sack && congestion.Get() == TcpSocketState::CA_RECOVERY;
        const auto next = m_tcb.out.GetNext(recovering, m_peerWindow);
        if (!next)
        {
            break;
        }
        const uint32_t available = m_tcb.out.GetSizeFrom(next->first);
        if (available < window)
        {
            // The application may write more data, which is sent a time step later.
            m_tcb.user->HandleTxAvailable();
        }
        if (window < segment && available > window)
        {
            break; // a full segment waits for a larger window
        }
        const uint32_t unacknowledged = congestion.GetHighest() - m_tcb.out.GetHead();
        if (!m_tcb.settings->noDelay && unacknowledged > 0 && available < segment)
        {
            break;
        }
        const uint32_t most = std::min({window, segment, next->bytes});
        if (congestion.GetNext() != next->first)
        {
            congestion.SetNext(next->first);
        }
        if (congestion.GetState().m_bytesInFlight.Get() == 0)
        {
            m_tcb.receiver.NotifyControl(TcpSocketState::CA_EVENT_TX_START);
        }
        congestion.GetState().m_nextTxSequence += SendData(congestion.GetNext(), most);
    }
}

void
LeanSender::HandlePending(LeanTcb& tcb)
{
    tcb.sender.SendPending();
}

void
LeanSender::CancelTimers()
{
    m_sendPending.Cancel();
}

} // namespace ns3::coflow
