/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The life of a connection, and what applications call.

#include "ns3/coflow-lean-connection.h"

#include "ns3/coflow-lean-ends.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/coflow-prefetch.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::coflow
{

LeanConnection::LeanConnection(LeanHost& host, std::shared_ptr<const LeanSettings> settings)
    : m_end(LeanEnds::Add(*this)),
      m_host(&host),
      m_sharedSettings(std::move(settings)),
      m_settings(*m_sharedSettings),
      m_sack(m_settings.sack),
      m_timestamps(m_settings.timestamps),
      m_windowScaling(m_settings.windowScaling),
      m_rtt(m_settings),
      m_retriesLeft(m_settings.dataRetries),
      m_retransmission(*this, host.GetContext()),
      m_delayedAck(*this, host.GetContext()),
      m_sendPending(*this, host.GetContext())
{
    if (!m_settings.needs.exactMarks)
    {
        // It may want to know of what is received.
        BecomeSender();
    }
    m_out.Configure(m_settings.segmentBytes, m_settings.sendBuffer, m_settings.duplicates);
    m_out.SetSack(m_sack);
    m_in.SetCapacity(m_settings.receiveBuffer);
    if (m_settings.awaited)
    {
        // The world also waits for the other end to see that an end is gone that wrote nothing.
        GetStreamOut().SetAwaited();
    }
}

LeanConnection::~LeanConnection()
{
    LeanEnds::Remove(m_end);
    CancelTimers();
    GivePortBack();
}

void
LeanConnection::GivePortBack()
{
    if (m_bound)
    {
        m_bound = false;
        m_host->GivePortBack(m_name.localPort);
    }
}

void
LeanConnection::PrefetchEnd(uint32_t end, std::size_t stage)
{
    if (const auto* connection = LeanEnds::Get(end))
    {
        connection->Prefetch(stage);
    }
}

void
LeanConnection::Prefetch(std::size_t stage) const
{
    constexpr std::size_t CONTROL_BYTES = 128; // as ns-3's DCTCP has
    constexpr std::size_t USER_BYTES = 320;    // as a source's or sink's connection has
    switch (stage)
    {
    case 0:
        ::coflow::Prefetch(this, HOT_BYTES);
        break;
    case 1:
        if (m_state)
        {
            ::coflow::Prefetch(PeekPointer(m_state), sizeof(TcpSocketState));
            ::coflow::Prefetch(PeekPointer(m_control), CONTROL_BYTES);
            ::coflow::Prefetch(PeekPointer(m_recovery));
            ::coflow::Prefetch(m_pacing.get());
        }
        ::coflow::Prefetch(m_user, USER_BYTES);
        ::coflow::Prefetch(PeekPointer(m_streamIn));
        // It may lie across two lines.
        ::coflow::Prefetch(m_route.packetClass);
        ::coflow::Prefetch(reinterpret_cast<const char*>(m_route.packetClass + 1) - 1);
        m_in.Prefetch();
        m_out.Prefetch();
        m_rtt.Prefetch();
        break;
    default:
        if (m_user)
        {
            m_user->Prefetch(stage);
        }
    }
}

uint16_t
LeanConnection::Bind(uint16_t port)
{
    if (port == 0)
    {
        port = m_host->TakePort();
    }
    else if (!m_host->TakePort(port))
    {
        port = 0;
    }
    m_name.localPort = port;
    m_bound = port != 0;
    return port;
}

bool
LeanConnection::Connect(Ipv4Address address, uint16_t port)
{
    if (!m_host->IsReachable(address))
    {
        return false;
    }
    BecomeSender();
    m_name.remoteAddress = address.Get();
    m_name.remotePort = port;
    m_open = true;
    m_rtt.Reset();
    m_synsLeft = m_settings.synRetries;
    m_retriesLeft = m_settings.dataRetries;
    SendEmpty(m_settings.ecn == TcpSocketState::On
                  ? LeanSegment::SYN | LeanSegment::ECE | LeanSegment::CWR
                  : LeanSegment::SYN);
    SetLife(TcpSocket::SYN_SENT);
    SetEcnState(TcpSocketState::ECN_DISABLED);
    m_host->Enter(*this);
    return true;
}

void
LeanConnection::Accept(const LeanSegment& syn, Ipv4Address from)
{
    m_name.localPort = syn.destinationPort;
    m_name.remoteAddress = from.Get();
    m_name.remotePort = syn.sourcePort;
    m_open = true;
    SetLife(TcpSocket::SYN_RCVD);
    m_synsLeft = m_settings.synRetries;
    m_retriesLeft = m_settings.dataRetries;
    ProcessSyn(syn);
    AnswerSyn(syn);
    m_host->Enter(*this);
}

void
LeanConnection::AnswerSyn(const LeanSegment& syn)
{
    m_in.SetNext(syn.sequence + 1);
    constexpr uint8_t ASKS = LeanSegment::CWR | LeanSegment::ECE;
    if (m_settings.ecn != TcpSocketState::Off && (syn.flags & ASKS) == ASKS)
    {
        SendEmpty(LeanSegment::SYN | LeanSegment::ACK | LeanSegment::ECE);
        SetEcnState(TcpSocketState::ECN_IDLE);
        return;
    }
    SendEmpty(LeanSegment::SYN | LeanSegment::ACK);
    SetEcnState(TcpSocketState::ECN_DISABLED);
}

void
LeanConnection::Write(const uint8_t* bytes, uint32_t n, uint32_t zeros)
{
    BecomeSender();
    auto& stream = GetStreamOut();
    stream.Write(bytes, n);
    stream.WriteZeros(zeros);
    m_out.Add(n + zeros);
    const bool established = m_life == TcpSocket::ESTABLISHED || m_life == TcpSocket::CLOSE_WAIT;
    if (established && GetAvailableWindow() > 0)
    {
        SendPendingLater();
    }
}

void
LeanConnection::SendPendingLater()
{
    if (!m_sendPending.IsPending())
    {
        // A step later, as upstream does, so that several writes make one burst.
        m_pendingAcknowledges = m_connected;
        m_sendPending.Schedule(TimeStep(1));
    }
}

void
LeanConnection::SendPendingNow()
{
    SendPending(m_pendingAcknowledges);
}

void
LeanConnection::Close()
{
    const Ptr<LeanConnection> self(this);
    if (m_in.GetSize() != 0)
    {
        // Unread bytes are lost, which the peer is to know.
        Reset();
        return;
    }
    if (m_out.GetSizeFrom(NextSequence()) > 0)
    {
        m_closeWhenSent = true;
        return;
    }
    CloseNow();
}

void
LeanConnection::CloseNow()
{
    switch (m_life)
    {
    case TcpSocket::SYN_RCVD:
    case TcpSocket::ESTABLISHED:
        SendEmpty(LeanSegment::FIN);
        SetLife(TcpSocket::FIN_WAIT_1);
        break;
    case TcpSocket::CLOSE_WAIT:
        SendEmpty(LeanSegment::FIN | LeanSegment::ACK);
        SetLife(TcpSocket::LAST_ACK);
        break;
    case TcpSocket::SYN_SENT:
    case TcpSocket::CLOSING:
        Reset();
        CloseAndTell();
        break;
    default:
        break;
    }
}

void
LeanConnection::UpdateHold()
{
    const bool shaking = m_life == TcpSocket::SYN_SENT || m_life == TcpSocket::SYN_RCVD ||
                         m_life == TcpSocket::FIN_WAIT_1 || m_life == TcpSocket::CLOSING ||
                         m_life == TcpSocket::LAST_ACK;
    // Where windows of one segment are more than a port holds, a FIN is lost again and again, and
    // is repeated after seconds. Nothing is on its way meanwhile, and a FIN is no message.
    constexpr uint32_t REPEATS_AWAITED = 2;
    const bool isLost = m_seldom && m_seldom->finRepeats > REPEATS_AWAITED;
    m_hold.Set(m_open && shaking && !isLost);
}

void
LeanConnection::Abort()
{
    const Ptr<LeanConnection> self(this);
    m_user = nullptr;
    if (m_life == TcpSocket::SYN_SENT)
    {
        Leave();
    }
    else if (m_open)
    {
        Reset();
    }
    SetLife(TcpSocket::CLOSED);
}

void
LeanConnection::Reset()
{
    SendEmpty(LeanSegment::RST);
    if (m_streamOut)
    {
        m_streamOut->AwaitEnd();
    }
    TellBroken();
    Leave();
}

void
LeanConnection::CloseAndTell()
{
    TellClosed();
    if (m_seldom)
    {
        m_seldom->lastAck.Cancel();
    }
    SetLife(TcpSocket::CLOSED);
    Leave();
}

void
LeanConnection::TellClosed()
{
    if (!m_toldClosed)
    {
        if (m_user)
        {
            m_user->HandleClosed();
        }
        m_toldClosed = true;
    }
}

void
LeanConnection::TellBroken()
{
    if (m_user)
    {
        m_user->HandleBroken();
    }
}

void
LeanConnection::TellRoom()
{
    if (m_user)
    {
        m_user->HandleRoom();
    }
}

void
LeanConnection::Leave()
{
    if (m_open)
    {
        CancelTimers();
        m_open = false;
        m_hold.Set(false);
        GivePortBack();
        m_host->Leave(*this);
    }
}

void
LeanConnection::CancelTimers()
{
    m_retransmission.Cancel();
    m_delayedAck.Cancel();
    m_sendPending.Cancel();
    if (m_seldom)
    {
        m_seldom->probe.Cancel();
        m_seldom->lastAck.Cancel();
        m_seldom->timeWait.Cancel();
    }
    CancelPacing();
}

void
LeanConnection::EnterTimeWait()
{
    SetLife(TcpSocket::TIME_WAIT);
    CancelTimers();
    TellClosed();
    GetSeldom().timeWait.Schedule(m_settings.timeWait);
}

void
LeanConnection::ConnectionSucceeded()
{
    const Ptr<LeanConnection> self(this);
    if (m_user)
    {
        m_user->HandleConnected();
    }
    if (m_out.GetRoom() > 0)
    {
        TellRoom();
    }
}

void
LeanConnection::Read(uint32_t n, uint8_t* to)
{
    const uint32_t read = m_in.Read(n);
    if (m_streamIn)
    {
        m_streamIn->Read(read, to);
    }
}

void
LeanConnection::SetPacing(std::optional<DataRate> rate)
{
    BecomeSender();
    const DataRate old = m_state->m_maxPacingRate;
    const bool wasPaced = m_state->m_pacing;
    if (wasPaced == rate.has_value() && (!rate || *rate == old))
    {
        return;
    }
    m_state->m_pacing = rate.has_value();
    m_state->m_paceInitialWindow = true;
    if (rate)
    {
        m_state->m_maxPacingRate = *rate;
        m_state->m_pacingRate = *rate;
        // Nothing but the rate given is to limit; the window limits by itself.
        m_state->m_pacingSsRatio = UINT16_MAX;
        m_state->m_pacingCaRatio = UINT16_MAX;
    }
    if (wasPaced && IsWaitingToPace() && (!rate || *rate > old))
    {
        auto& pacing = m_pacing->timer;
        const auto left = static_cast<double>(pacing.GetDelayLeft().GetNanoSeconds());
        const double ratio =
            rate ? static_cast<double>(old.GetBitRate()) / static_cast<double>(rate->GetBitRate())
                 : 0;
        pacing.Schedule(NanoSeconds(static_cast<int64_t>(left * ratio)));
    }
}

bool
LeanConnection::IsRecovering() const
{
    const bool open =
        CongestionState() == TcpSocketState::CA_OPEN || CongestionState() == TcpSocketState::CA_CWR;
    return m_life != TcpSocket::ESTABLISHED || !open || m_timeoutsInRow > 0 ||
           m_out.GetLost() > 0 || m_out.GetSacked() > 0;
}

bool
LeanConnection::Kick()
{
    if (m_retriesLeft >= m_settings.dataRetries || m_retransmission.IsExpired() ||
        m_out.GetSize() == 0)
    {
        return false;
    }
    const Ptr<LeanConnection> self(this);
    m_retransmission.Cancel();
    // The timeout doubles the one and counts down the other.
    m_rto = TimeStep(m_rtt.GetTimeout()) / 2;
    m_retriesLeft = m_settings.dataRetries;
    HandleTimeout();
    // What is parked may be so with a priority that it has no more.
    m_undoable = false;
    return true;
}

bool
LeanConnection::SendSignal()
{
    if (m_life < TcpSocket::ESTABLISHED || m_life == TcpSocket::TIME_WAIT || !m_open)
    {
        return false;
    }
    SendEmpty(LeanSegment::ACK);
    return true;
}

void
LeanConnection::SetGate(SendGate* gate)
{
    if (m_gate && !gate && m_life == TcpSocket::ESTABLISHED)
    {
        // It may have been waiting for leave.
        SendPendingLater();
    }
    m_gate = gate;
}

void
LeanConnection::SendSegment()
{
    const Ptr<LeanConnection> self(this);
    if (m_life == TcpSocket::ESTABLISHED && IsAllAcknowledged())
    {
        // It has run while nothing was sent, and is to begin anew.
        m_retransmission.Cancel();
    }
    m_leave = m_settings.segmentBytes;
    SendPending(m_connected);
    m_leave = 0;
}

void
LeanConnection::TakeBack(uint32_t zeros)
{
    m_streamOut->TakeBack(zeros);
    m_out.TakeBack(zeros);
}

LeanConnection*
LeanConnection::GetPeer() const
{
    // Where the other end is gone, its number may be somebody else's.
    auto* peer = LeanEnds::Get(m_route.end);
    return peer && peer->m_route.end == m_end ? peer : nullptr;
}

} // namespace ns3::coflow
