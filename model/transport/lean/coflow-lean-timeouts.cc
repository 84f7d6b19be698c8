/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a lean connection does when one of its timers runs out.

#include "ns3/coflow-lean-connection.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

LeanConnection::Seldom::Seldom(LeanConnection& connection)
    : probe(connection, connection.m_host->GetContext()),
      lastAck(connection, connection.m_host->GetContext()),
      timeWait(connection, connection.m_host->GetContext()),
      persist(connection.m_settings.persistTimeout)
{
}

LeanConnection::Pacing::Pacing(LeanConnection& connection)
    : timer(connection, connection.m_host->GetContext())
{
}

LeanConnection::Seldom&
LeanConnection::GetSeldom()
{
    if (!m_seldom)
    {
        m_seldom = std::make_unique<Seldom>(*this);
    }
    return *m_seldom;
}

void
LeanConnection::ScheduleTimeout(Time delay)
{
    m_emptyAgain = 0;
    m_retransmission.Schedule(delay);
}

void
LeanConnection::HandleRetransmission()
{
    if (m_emptyAgain != 0)
    {
        SendEmpty(m_emptyAgain);
    }
    else
    {
        HandleTimeout();
    }
}

void
LeanConnection::HandleTimeout()
{
    // The timer keeps running while there is data that was not sent, as it waits for leave.
    if (m_gate && m_life == TcpSocket::ESTABLISHED && IsAllAcknowledged())
    {
        return;
    }
    const Ptr<LeanConnection> self(this);
    m_rto = Min(m_rto, m_settings.maxRto / 2); // which is doubled below
    m_samplesAtTimeout = m_rtt.GetNSamples();
    ++m_timeoutsInRow;
    RememberTimeout();
    if (m_out.GetSize() == 0)
    {
        if (m_life == TcpSocket::FIN_WAIT_1 || m_life == TcpSocket::CLOSING)
        {
            SendEmpty(LeanSegment::FIN);
        }
        return;
    }
    if (m_retriesLeft == 0)
    {
        TellBroken();
        Leave();
        return;
    }
    --m_retriesLeft;
    const uint32_t inFlight = CountInFlight();
    m_duplicates = 0;
    if (!m_sack)
    {
        m_out.ForgetDuplicates();
    }
    m_out.LoseAll(!m_sack);
    m_recover = HighestSent();
    m_recovering = true;
    m_rto = 2 * m_rto;
    m_rtt.ForgetSent();
    if (CongestionState() != TcpSocketState::CA_LOSS || !m_out.IsHeadSentAgain())
    {
        m_state->m_ssThresh = Control()->GetSsThresh(m_state, inFlight);
    }
    TellControl(TcpSocketState::CA_EVENT_LOSS);
    Control()->CongestionStateSet(m_state, TcpSocketState::CA_LOSS);
    m_state->m_congState = TcpSocketState::CA_LOSS;
    m_state->m_cWnd = m_settings.segmentBytes;
    m_state->m_cWndInfl = m_state->m_cWnd;
    CancelPacing();
    SendPending(m_connected);
}

void
LeanConnection::RememberTimeout()
{
    const auto state = CongestionState();
    if (state == TcpSocketState::CA_LOSS)
    {
        return; // nothing was acknowledged since the first one, which counts
    }
    // Nothing may be known to be lost: what is known is forgotten with a timeout undone. Without
    // SACK, the acknowledgements of what is sent again would look like those of a loss.
    m_undoable = m_settings.undoTimeouts && m_timestamps && m_sack &&
                 m_life >= TcpSocket::ESTABLISHED && !IsAllAcknowledged() &&
                 state != TcpSocketState::CA_RECOVERY && m_out.GetLost() == 0 &&
                 m_out.GetSacked() == 0;
    if (m_undoable)
    {
        const uint32_t window = m_state->m_cWnd;
        const uint32_t slowStart = m_state->m_ssThresh;
        GetSeldom().beforeTimeout = {GetTimestampNow(),
                                     state == TcpSocketState::CA_CWR ? std::min(window, slowStart)
                                                                     : window,
                                     slowStart,
                                     m_recover,
                                     m_rto};
    }
}

void
LeanConnection::HandleLastAckTimeout()
{
    // A FIN that was sent with data has no timer once the data is acknowledged.
    if (m_life == TcpSocket::LAST_ACK && m_retransmission.IsExpired())
    {
        SendEmpty(LeanSegment::FIN | LeanSegment::ACK);
    }
}

bool
LeanConnection::IsProbing() const
{
    return m_seldom && m_seldom->probe.IsPending();
}

void
LeanConnection::SendProbe()
{
    Time& persist = GetSeldom().persist;
    persist = std::min(Seconds(60), Time(2 * persist));
    if (m_out.GetSizeFrom(NextSequence()) > 0)
    {
        // A byte beyond the closed window, which does not count as sent.
        m_out.Send(NextSequence(), 1);
        m_out.UnsendLast();
        LeanSegment segment = MakeSegment(0, NextSequence());
        segment.payload = 1;
        segment.window = GetWindowField(true);
        const bool capable = EcnState() != TcpSocketState::ECN_DISABLED && m_settings.marksAll;
        Transmit(segment, capable);
    }
    m_seldom->probe.Schedule(persist);
}

} // namespace ns3::coflow
