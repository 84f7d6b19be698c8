/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-receiver.h"

#include "ns3/coflow-lean-connection.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/tcp-rx-buffer.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

LeanReceiver::LeanReceiver(LeanTcb& tcb)
    : m_tcb(tcb),
      m_delayedAck(tcb, tcb.host->GetContext())
{
}

void
LeanReceiver::ShowBuffer()
{
    auto& state = m_tcb.congestion.GetState();
    state.m_rxBuffer = CreateObject<TcpRxBuffer>();
    state.m_sendEmptyPacketCallback = Callback<void, uint8_t>([this](uint8_t flags) {
        const auto& buffer = *m_tcb.congestion.GetState().m_rxBuffer;
        const uint32_t next = m_tcb.in.GetNext();
        m_tcb.in.SetNext(buffer.NextRxSequence().GetValue());
        m_tcb.sender.SendEmpty(flags);
        m_tcb.in.SetNext(next);
    });
}

void
LeanReceiver::NotifyControl(TcpSocketState::TcpCAEvent_t event)
{
    if (!m_tcb.congestion.IsCreated())
    {
        return; // Dctcp does not use events of a receiver
    }
    if (m_tcb.settings->needs.receiveBuffer)
    {
        const auto& buffer = m_tcb.congestion.GetState().m_rxBuffer;
        buffer->SetNextRxSequence(SequenceNumber32(m_tcb.in.GetNext()));
    }
    m_tcb.congestion.Tell(event);
}

bool
LeanReceiver::IsOutOfRange(const LeanSegment& segment) const
{
    const uint32_t first = segment.sequence;
    switch (m_tcb.life)
    {
    case TcpSocket::SYN_SENT:
    case TcpSocket::SYN_RCVD:
        return false;
    case TcpSocket::LAST_ACK:
    case TcpSocket::CLOSING:
    case TcpSocket::CLOSE_WAIT:
        return m_tcb.in.GetNext() != first;
    default:
        return IsBefore(first + segment.payload, m_tcb.in.GetNext()) ||
               !IsBefore(first, m_tcb.in.GetEnd());
    }
}

void
LeanReceiver::TakeMark(uint8_t ecn, const LeanSegment& segment)
{
    LeanCongestion& congestion = m_tcb.congestion;
    const bool marked = ecn == TcpSocketState::CongExp;
    if (!m_tcb.settings->needs.exactMarks)
    {
        if (marked && IsBefore(m_seenMark, segment.sequence))
        {
            m_seenMark = segment.sequence;
            congestion.SetEcn(TcpSocketState::ECN_CE_RCVD);
            NotifyControl(TcpSocketState::CA_EVENT_ECN_IS_CE);
        }
        else if (ecn != TcpSocketState::NotECT &&
                 congestion.GetEcn() != TcpSocketState::ECN_DISABLED)
        {
            NotifyControl(TcpSocketState::CA_EVENT_ECN_NO_CE);
        }
        return;
    }
    // A mark on an acknowledgement is not from the path of the data.
    if (segment.payload == 0 || congestion.GetEcn() == TcpSocketState::ECN_DISABLED)
    {
        return;
    }
    if (marked != m_marked)
    {
        if (m_delayedAck.IsPending())
        {
            m_delayedAck.Cancel();
            HandleDelayedAck(m_tcb);
        }
        m_marked = marked;
        m_ackAtOnce = true;
    }
    if (!marked && congestion.IsEchoing())
    {
        congestion.SetEcn(TcpSocketState::ECN_IDLE);
    }
}

void
LeanReceiver::TakeTimestamp(const LeanSegment& segment)
{
    if (m_seenTimestamp > segment.timestamp)
    {
        return;
    }
    m_seenTimestamp = segment.timestamp;
    if (m_tcb.congestion.IsCreated())
    {
        m_tcb.congestion.GetState().m_rcvTimestampValue = segment.timestamp;
        m_tcb.congestion.GetState().m_rcvTimestampEchoReply = segment.echo;
    }
    if (segment.sequence == m_tcb.in.GetNext() && !IsBefore(m_highestAckSent, segment.sequence))
    {
        m_timestampToEcho = segment.timestamp;
    }
}

void
LeanReceiver::AcknowledgeNextAtOnce()
{
    m_delayedAcks = m_tcb.settings->delayedAckCount;
}

void
LeanReceiver::ReceiveData(const LeanSegment& segment)
{
    LeanReassembly& in = m_tcb.in;
    if (m_marked && !m_tcb.congestion.IsEchoing())
    {
        // The state is set only here, because the acknowledgement of the same segment uses the same
        // variable.
        m_tcb.congestion.SetEcn(TcpSocketState::ECN_CE_RCVD);
    }
    const bool atOnce = std::exchange(m_ackAtOnce, false);
    const uint32_t expected = in.GetNext();
    if (!in.Add(segment.sequence, segment.payload))
    {
        m_tcb.sender.SendAcknowledgement();
        return;
    }
    if (IsBefore(expected, in.GetNext()))
    {
        m_tcb.user->HandleRxAvailable();
        if (in.IsFinished() && !segment.Has(LeanSegment::FIN))
        {
            m_tcb.GetConnection().DoPeerClose();
            return;
        }
    }
    const bool hasGap =
        in.GetSize() > in.GetRxAvailable() || IsBefore(expected + segment.payload, in.GetNext());
    if (hasGap || atOnce || ++m_delayedAcks >= m_tcb.settings->delayedAckCount)
    {
        NotifyControl(TcpSocketState::CA_EVENT_NON_DELAYED_ACK);
        m_tcb.sender.SendAcknowledgement();
    }
    else
    {
        NotifyControl(TcpSocketState::CA_EVENT_DELAYED_ACK);
        if (!m_delayedAck.IsPending())
        {
            m_delayedAck.Schedule(m_tcb.settings->delayedAckTimeout);
        }
    }
}

void
LeanReceiver::HandleDelayedAck(LeanTcb& tcb)
{
    tcb.receiver.m_delayedAcks = 0;
    tcb.receiver.NotifyControl(TcpSocketState::CA_EVENT_DELAYED_ACK);
    tcb.sender.SendAcknowledgement();
}

void
LeanReceiver::WriteHeader(LeanSegment& segment)
{
    const LeanReassembly& in = m_tcb.in;
    segment.acknowledgement = in.GetNext();
    if (segment.hasTimestamp)
    {
        segment.echo = m_timestampToEcho;
    }
    if (!in.HasFin())
    {
        m_toldWindow = in.GetEnd() - in.GetNext();
    }
    // The window of a SYN is not scaled (RFC 7323, 2.2).
    const uint32_t shift = segment.Has(LeanSegment::SYN) ? 0 : m_shift;
    const uint32_t window = std::min(m_toldWindow >> shift, m_tcb.settings->maxWindowField);
    segment.window = static_cast<uint16_t>(window);
}

void
LeanReceiver::NoteAcknowledged(const LeanSegment& segment)
{
    m_delayedAck.Cancel();
    m_delayedAcks = 0;
    if (IsBefore(m_highestAckSent, segment.acknowledgement))
    {
        m_highestAckSent = segment.acknowledgement;
    }
}

uint8_t
LeanReceiver::ChooseWindowScale()
{
    constexpr uint8_t MOST = 14;
    m_shift = 0;
    while (m_shift < MOST &&
           m_tcb.settings->receiveBuffer >> m_shift > m_tcb.settings->maxWindowField)
    {
        ++m_shift;
    }
    return m_shift;
}

} // namespace ns3::coflow
