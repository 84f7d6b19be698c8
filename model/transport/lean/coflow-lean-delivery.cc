/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a lean connection does with data that arrives, and when the peer closes.

#include "ns3/coflow-lean-connection.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/simulator.h"
#include "ns3/tcp-rx-buffer.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

void
LeanConnection::ProcessWait(const LeanSegment& segment)
{
    const uint8_t kind = GetKind(segment);
    const bool acknowledgesFin = segment.acknowledgement == HighestSent() + 1;
    if (segment.payload > 0 && !segment.Has(LeanSegment::ACK))
    {
        ReceiveData(segment);
    }
    else if (kind == LeanSegment::ACK)
    {
        ReceiveAck(segment);
        if (m_life == TcpSocket::FIN_WAIT_1 && m_out.GetSize() == 0 &&
            segment.acknowledgement == HighestSent() + 1)
        {
            SetLife(TcpSocket::FIN_WAIT_2);
        }
    }
    else if (kind == LeanSegment::FIN || kind == FIN_ACK)
    {
        if (segment.Has(LeanSegment::ACK))
        {
            ReceiveAck(segment);
        }
        m_in.SetFin(segment.sequence);
    }
    else if (kind == LeanSegment::SYN || kind == SYN_ACK)
    {
        return;
    }
    else
    {
        if (kind != LeanSegment::RST)
        {
            Reset();
        }
        CloseAndTell();
        return;
    }
    if ((m_life == TcpSocket::FIN_WAIT_1 || m_life == TcpSocket::FIN_WAIT_2) && m_in.IsFinished())
    {
        if (m_life == TcpSocket::FIN_WAIT_1)
        {
            SetLife(TcpSocket::CLOSING);
            if (m_out.GetSize() == 0 && acknowledgesFin)
            {
                EnterTimeWait();
            }
        }
        else
        {
            EnterTimeWait();
        }
        SendEmpty(LeanSegment::ACK);
        if (m_user)
        {
            m_user->HandleReadable();
        }
    }
}

void
LeanConnection::ProcessClosing(const LeanSegment& segment)
{
    if (segment.flags == LeanSegment::ACK)
    {
        if (segment.sequence == m_in.GetNext())
        {
            EnterTimeWait();
        }
        return;
    }
    if (segment.flags == LeanSegment::FIN || segment.flags == FIN_ACK)
    {
        SendEmpty(LeanSegment::ACK);
    }
    else if (segment.flags != LeanSegment::RST)
    {
        Reset();
    }
    CloseAndTell();
}

void
LeanConnection::ProcessLastAck(const LeanSegment& segment)
{
    switch (segment.flags)
    {
    case 0:
        ReceiveData(segment);
        break;
    case LeanSegment::ACK:
        if (segment.sequence == m_in.GetNext())
        {
            CloseAndTell();
        }
        break;
    case LeanSegment::FIN:
        SendEmpty(FIN_ACK);
        break;
    case FIN_ACK:
    case LeanSegment::RST:
        CloseAndTell();
        break;
    default:
        Reset();
        CloseAndTell();
        break;
    }
}

void
LeanConnection::PeerClose(const LeanSegment& segment)
{
    if (IsBefore(segment.sequence, m_in.GetNext()) || IsBefore(m_in.GetEnd(), segment.sequence))
    {
        return;
    }
    m_in.SetFin(segment.sequence + segment.payload);
    if (segment.payload > 0)
    {
        ReceiveData(segment);
    }
    if (!m_in.IsFinished())
    {
        return;
    }
    if (m_life == TcpSocket::FIN_WAIT_1)
    {
        SetLife(TcpSocket::CLOSING);
        return;
    }
    DoPeerClose();
}

void
LeanConnection::DoPeerClose()
{
    SetLife(TcpSocket::CLOSE_WAIT);
    TellClosed();
    SendEmpty(LeanSegment::ACK);
    if (m_life == TcpSocket::LAST_ACK)
    {
        m_retriesLeft = m_settings.dataRetries;
        GetSeldom().lastAck.Schedule(TimeStep(m_rtt.GetBareTimeout()));
    }
}

void
LeanConnection::ReceiveData(const LeanSegment& segment)
{
    if (m_marked && !IsEchoing())
    {
        // Not before: an acknowledgement that came with the data uses the same variable.
        SetEcnState(TcpSocketState::ECN_CE_RCVD);
    }
    const bool atOnce = std::exchange(m_ackAtOnce, false);
    const uint32_t expected = m_in.GetNext();
    if (!m_in.Add(segment.sequence, segment.payload))
    {
        SendAcknowledgement();
        return;
    }
    if (IsBefore(expected, m_in.GetNext()))
    {
        if (m_user)
        {
            m_user->HandleReadable();
        }
        if (m_in.IsFinished() && !segment.Has(LeanSegment::FIN))
        {
            DoPeerClose();
            return;
        }
    }
    const bool hasGap =
        m_in.GetSize() > m_in.GetReadable() || IsBefore(expected + segment.payload, m_in.GetNext());
    if (hasGap || atOnce || ++m_delayedAcks >= m_settings.delayedAckCount)
    {
        TellControl(TcpSocketState::CA_EVENT_NON_DELAYED_ACK);
        SendAcknowledgement();
    }
    else
    {
        TellControl(TcpSocketState::CA_EVENT_DELAYED_ACK);
        if (m_delayedAck.IsExpired())
        {
            m_delayedAck.Schedule(m_settings.delayedAckTimeout);
        }
    }
}

void
LeanConnection::HandleDelayedAck()
{
    m_delayedAcks = 0;
    TellControl(TcpSocketState::CA_EVENT_DELAYED_ACK);
    SendAcknowledgement();
}

void
LeanConnection::SendDelayedAckNow()
{
    if (m_delayedAck.IsPending())
    {
        m_delayedAck.Cancel();
        HandleDelayedAck();
    }
}

} // namespace ns3::coflow
