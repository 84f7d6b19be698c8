/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-connection.h"

#include "ns3/coflow-lean-ends.h"
#include "ns3/coflow-lean-host.h"
#include "ns3/coflow-prefetch.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::coflow
{

namespace
{

constexpr uint8_t SYN_ACK = LeanSegment::SYN | LeanSegment::ACK;
constexpr uint8_t FIN_ACK = LeanSegment::FIN | LeanSegment::ACK;
constexpr uint8_t ASKS_FOR_ECN = LeanSegment::CWR | LeanSegment::ECE;

/// @return the flags of a segment without the ECN flags
uint8_t
GetKind(const LeanSegment& segment)
{
    return segment.flags & ~(LeanSegment::CWR | LeanSegment::ECE);
}

} // namespace

LeanConnection::LeanConnection(LeanHost& ofHost, std::shared_ptr<const LeanSettings> ofSettings)
    : LeanTcb(ofHost, std::move(ofSettings)),
      m_end(LeanEnds::Add(*this))
{
    if (settings->inhibitsJumps)
    {
        // Applications also wait until the other end notices the end of a connection that wrote
        // nothing.
        GetStreamOut().InhibitJumps();
    }
}

LeanConnection::~LeanConnection()
{
    LeanEnds::Remove(m_end);
    host->GivePortBack(m_ownPort);
}

void
LeanConnection::Prefetch(std::size_t stage) const
{
    constexpr std::size_t USER_BYTES = 320; // size of a source's or sink's connection object
    switch (stage)
    {
    case 0:
        ::coflow::Prefetch(this, HOT_BYTES);
        break;
    case 1:
        congestion.Prefetch();
        ::coflow::Prefetch(user, USER_BYTES);
        ::coflow::Prefetch(PeekPointer(m_streamIn));
        // The packet class may cross a cache line.
        ::coflow::Prefetch(route.packetClass);
        ::coflow::Prefetch(reinterpret_cast<const char*>(route.packetClass + 1) - 1);
        in.Prefetch();
        out.Prefetch();
        timers.GetRtt().Prefetch();
        break;
    default:
        user->Prefetch(stage);
    }
}

uint16_t
LeanConnection::Bind(uint16_t port)
{
    if (port == 0)
    {
        port = host->TakePort();
    }
    else if (!host->TakePort(port))
    {
        port = 0;
    }
    name.localPort = port;
    m_ownPort = port;
    return port;
}

bool
LeanConnection::Connect(Ipv4Address address, uint16_t port)
{
    if (!host->IsReachable(address))
    {
        return false;
    }
    BecomeSender();
    name.remoteAddress = address.Get();
    name.remotePort = port;
    open = true;
    timers.Begin();
    const bool asks = settings->ecn == TcpSocketState::On;
    sender.SendEmpty(asks ? LeanSegment::SYN | ASKS_FOR_ECN : LeanSegment::SYN);
    SetLife(TcpSocket::SYN_SENT);
    congestion.SetEcn(TcpSocketState::ECN_DISABLED);
    host->Enter(*this);
    return true;
}

void
LeanConnection::Accept(const LeanSegment& syn, Ipv4Address from, uint32_t listener)
{
    m_listener = listener;
    name.localPort = syn.destinationPort;
    name.remoteAddress = from.Get();
    name.remotePort = syn.sourcePort;
    open = true;
    SetLife(TcpSocket::SYN_RCVD);
    timers.Begin();
    TakeOptions(syn);
    AnswerSyn(syn);
    host->Enter(*this);
}

void
LeanConnection::AnswerSyn(const LeanSegment& syn)
{
    in.SetNext(syn.sequence + 1);
    const bool agrees =
        settings->ecn != TcpSocketState::Off && (syn.flags & ASKS_FOR_ECN) == ASKS_FOR_ECN;
    sender.SendEmpty(agrees ? SYN_ACK | LeanSegment::ECE : SYN_ACK);
    congestion.SetEcn(agrees ? TcpSocketState::ECN_IDLE : TcpSocketState::ECN_DISABLED);
}

LeanStream&
LeanConnection::GetStreamOut()
{
    if (!m_streamOut)
    {
        m_streamOut = Create<LeanStream>();
        if (auto* peer = GetPeer())
        {
            peer->m_streamIn = m_streamOut;
        }
    }
    return *m_streamOut;
}

void
LeanConnection::Write(const uint8_t* bytes, uint32_t n, uint32_t zeros)
{
    BecomeSender();
    auto& stream = GetStreamOut();
    stream.Write(bytes, n);
    stream.WriteZeros(zeros);
    out.Add(n + zeros);
    const bool established = life == TcpSocket::ESTABLISHED || life == TcpSocket::CLOSE_WAIT;
    if (established && sender.GetAvailableWindow() > 0)
    {
        sender.SendPendingLater();
    }
}

void
LeanConnection::Read(uint32_t n, uint8_t* to)
{
    const uint32_t read = in.Read(n);
    if (m_streamIn)
    {
        m_streamIn->Read(read, to);
    }
}

void
LeanConnection::Close()
{
    const Ptr<LeanConnection> self(this);
    if (in.GetSize() != 0)
    {
        // Unread bytes are lost, and the peer must be notified.
        Reset();
        return;
    }
    if (out.GetSizeFrom(congestion.GetNext()) > 0)
    {
        closeWhenSent = true;
        return;
    }
    switch (life)
    {
    case TcpSocket::SYN_RCVD:
    case TcpSocket::ESTABLISHED:
        sender.SendEmpty(LeanSegment::FIN);
        SetLife(TcpSocket::FIN_WAIT_1);
        break;
    case TcpSocket::CLOSE_WAIT:
        sender.SendEmpty(FIN_ACK);
        SetLife(TcpSocket::LAST_ACK);
        break;
    case TcpSocket::SYN_SENT:
    case TcpSocket::CLOSING:
        Break(0);
        break;
    default:
        break;
    }
}

void
LeanConnection::Abort()
{
    const Ptr<LeanConnection> self(this);
    SetUser(nullptr);
    if (life == TcpSocket::SYN_SENT)
    {
        Leave();
    }
    else if (open)
    {
        Reset();
    }
    SetLife(TcpSocket::CLOSED);
}

void
LeanConnection::Reset()
{
    sender.SendEmpty(LeanSegment::RST);
    if (m_streamOut)
    {
        m_streamOut->AwaitEnd();
    }
    user->HandleBroken();
    Leave();
}

void
LeanConnection::Break(uint8_t flags)
{
    if (flags != LeanSegment::RST)
    {
        Reset();
    }
    CloseAndNotify();
}

void
LeanConnection::CloseAndNotify()
{
    NotifyClosed();
    SetLife(TcpSocket::CLOSED);
    Leave();
}

void
LeanConnection::NotifyClosed()
{
    if (!m_toldClosed)
    {
        user->HandleClosed();
        m_toldClosed = true;
    }
}

void
LeanConnection::Leave()
{
    if (open)
    {
        CancelTimers();
        open = false;
        inhibitor.Set(false);
        host->GivePortBack(std::exchange(m_ownPort, 0));
        host->Leave(*this);
    }
}

void
LeanConnection::EnterTimeWait()
{
    SetLife(TcpSocket::TIME_WAIT);
    CancelTimers();
    NotifyClosed();
    timers.StartTimeWait();
}

bool
LeanConnection::IsRecovering() const
{
    const bool undisturbed =
        congestion.Get() == TcpSocketState::CA_OPEN || congestion.Get() == TcpSocketState::CA_CWR;
    return life != TcpSocket::ESTABLISHED || !undisturbed || timers.GetTimeoutsInRow() > 0 ||
           out.GetLost() > 0 || out.GetSacked() > 0;
}

bool
LeanConnection::SendSignal()
{
    if (life < TcpSocket::ESTABLISHED || life == TcpSocket::TIME_WAIT || !open)
    {
        return false;
    }
    sender.SendEmpty(LeanSegment::ACK);
    return true;
}

void
LeanConnection::Receive(const LeanSegment& segment, uint8_t ecn, const PacketClass& packetClass)
{
    // The connection may be closed and released during this call.
    const Ptr<LeanConnection> self(this);
    if (segment.payload > 0 && receiver.IsOutOfRange(segment))
    {
        sender.SendEmpty(LeanSegment::ACK);
        return;
    }
    receiver.TakeMark(ecn, segment);
    // The draw is at the same place as in CoflowTcpSocket, so that both draw for the same segments
    // in the same order.
    if (settings->LosesSegment())
    {
        return;
    }
    if (life == TcpSocket::SYN_SENT && segment.Has(LeanSegment::RST))
    {
        // No listener is at the port.
        SetLife(TcpSocket::CLOSED);
        Leave();
        user->HandleConnectFailed();
        return;
    }
    // A signal may overtake the last packet of the handshake, and then completes the handshake. The
    // user of the signal is set when the connection is accepted, so HandleSignal() comes after
    // Process().
    const bool signalled = packetClass.priority.signal != RateSignal::NONE;
    Process(segment);
    if (signalled)
    {
        user->HandleSignal(packetClass);
    }
}

void
LeanConnection::Process(const LeanSegment& segment)
{
    if (life == TcpSocket::ESTABLISHED && !segment.Has(LeanSegment::RST) &&
        segment.Has(LeanSegment::CWR) && congestion.GetEcn() != TcpSocketState::ECN_CE_RCVD)
    {
        congestion.SetEcn(TcpSocketState::ECN_IDLE);
    }
    if (segment.Has(LeanSegment::SYN))
    {
        TakeOptions(segment);
        if (segment.Has(LeanSegment::ACK))
        {
            timers.EstimateRtt(segment);
        }
    }
    else if (segment.Has(LeanSegment::ACK))
    {
        if (timestamps)
        {
            if (!segment.hasTimestamp)
            {
                return;
            }
            receiver.TakeTimestamp(segment);
        }
        timers.EstimateRtt(segment);
        sender.UpdateWindow(segment);
    }
    if (sender.GetPeerWindow() == 0)
    {
        timers.StartPersist();
    }
    switch (life)
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
    if (sender.GetPeerWindow() != 0 && timers.StopPersist())
    {
        sender.SendPending();
    }
}

void
LeanConnection::ProcessEstablished(const LeanSegment& segment)
{
    const uint8_t kind = GetKind(segment);
    switch (kind)
    {
    case LeanSegment::ACK:
        if (IsBefore(segment.acknowledgement, out.GetHead()))
        {
            break; // an old segment, even if it has data
        }
        if (IsBefore(congestion.GetHighest(), segment.acknowledgement))
        {
            sender.SendAcknowledgement();
        }
        else
        {
            recovery.ReceiveAck(segment);
        }
        break;
    case LeanSegment::SYN:
        break;
    case SYN_ACK:
        sender.SendEmpty(LeanSegment::ACK); // the last packet of the handshake may be lost
        break;
    case LeanSegment::FIN:
    case FIN_ACK:
        PeerClose(segment);
        break;
    case 0:
        receiver.ReceiveData(segment);
        if (in.IsFinished())
        {
            PeerClose(segment);
        }
        break;
    default:
        Break(kind);
        break;
    }
}

void
LeanConnection::ProcessSynSent(const LeanSegment& segment)
{
    if (!segment.Has(LeanSegment::SYN) || !segment.Has(LeanSegment::ACK) ||
        congestion.GetNext() + 1 != segment.acknowledgement)
    {
        return; // the segment is from an earlier connection
    }
    congestion.Enter(TcpSocketState::CA_OPEN);
    SetLife(TcpSocket::ESTABLISHED);
    in.SetNext(segment.sequence + 1);
    Establish();
    sender.SendEmpty(LeanSegment::ACK);
    const bool agrees =
        settings->ecn != TcpSocketState::Off && (segment.flags & ASKS_FOR_ECN) == LeanSegment::ECE;
    congestion.SetEcn(agrees ? TcpSocketState::ECN_IDLE : TcpSocketState::ECN_DISABLED);
    sender.SendPending();
    Simulator::ScheduleNow([self = Ptr<LeanConnection>(this)] {
        LeanTcb& tcb = *self;
        tcb.user->HandleConnected();
        if (tcb.GetTxAvailable() > 0)
        {
            tcb.user->HandleTxAvailable();
        }
    });
    receiver.AcknowledgeNextAtOnce();
}

void
LeanConnection::ProcessSynReceived(const LeanSegment& segment)
{
    const uint8_t kind = GetKind(segment);
    const bool completes = kind == 0 || (kind == LeanSegment::ACK &&
                                         congestion.GetNext() + 1 == segment.acknowledgement);
    if (completes)
    {
        if (congestion.IsCreated())
        {
            congestion.Enter(TcpSocketState::CA_OPEN);
        }
        SetLife(TcpSocket::ESTABLISHED);
        Establish();
        receiver.AcknowledgeNextAtOnce();
        host->NotifyAccepted(*this, m_listener);
        recovery.ReceiveAck(segment);
        if (GetTxAvailable() > 0)
        {
            user->HandleTxAvailable();
        }
    }
    else if (kind == LeanSegment::SYN)
    {
        AnswerSyn(segment);
    }
    else if (kind == FIN_ACK)
    {
        if (segment.sequence == in.GetNext())
        {
            Establish();
            host->NotifyAccepted(*this, m_listener);
            PeerClose(segment);
        }
    }
    else
    {
        Break(kind);
    }
}

void
LeanConnection::ProcessWait(const LeanSegment& segment)
{
    const uint8_t kind = GetKind(segment);
    const bool acknowledgesFin = segment.acknowledgement == congestion.GetHighest() + 1;
    if (segment.payload > 0 && !segment.Has(LeanSegment::ACK))
    {
        receiver.ReceiveData(segment);
    }
    else if (kind == LeanSegment::ACK)
    {
        recovery.ReceiveAck(segment);
        if (life == TcpSocket::FIN_WAIT_1 && out.GetSize() == 0 &&
            segment.acknowledgement == congestion.GetHighest() + 1)
        {
            SetLife(TcpSocket::FIN_WAIT_2);
        }
    }
    else if (kind == LeanSegment::FIN || kind == FIN_ACK)
    {
        if (segment.Has(LeanSegment::ACK))
        {
            recovery.ReceiveAck(segment);
        }
        in.SetFin(segment.sequence);
    }
    else if (kind == LeanSegment::SYN || kind == SYN_ACK)
    {
        return;
    }
    else
    {
        Break(kind);
        return;
    }
    if ((life == TcpSocket::FIN_WAIT_1 || life == TcpSocket::FIN_WAIT_2) && in.IsFinished())
    {
        if (life == TcpSocket::FIN_WAIT_1)
        {
            SetLife(TcpSocket::CLOSING);
            if (out.GetSize() == 0 && acknowledgesFin)
            {
                EnterTimeWait();
            }
        }
        else
        {
            EnterTimeWait();
        }
        sender.SendEmpty(LeanSegment::ACK);
        user->HandleRxAvailable();
    }
}

void
LeanConnection::ProcessClosing(const LeanSegment& segment)
{
    if (segment.flags == LeanSegment::ACK)
    {
        if (segment.sequence == in.GetNext())
        {
            EnterTimeWait();
        }
        return;
    }
    if (segment.flags == LeanSegment::FIN || segment.flags == FIN_ACK)
    {
        sender.SendEmpty(LeanSegment::ACK);
        CloseAndNotify();
        return;
    }
    Break(segment.flags);
}

void
LeanConnection::ProcessLastAck(const LeanSegment& segment)
{
    switch (segment.flags)
    {
    case 0:
        receiver.ReceiveData(segment);
        break;
    case LeanSegment::ACK:
        if (segment.sequence == in.GetNext())
        {
            CloseAndNotify();
        }
        break;
    case LeanSegment::FIN:
        sender.SendEmpty(FIN_ACK);
        break;
    case FIN_ACK:
        CloseAndNotify();
        break;
    default:
        Break(segment.flags);
        break;
    }
}

void
LeanConnection::PeerClose(const LeanSegment& segment)
{
    if (IsBefore(segment.sequence, in.GetNext()) || IsBefore(in.GetEnd(), segment.sequence))
    {
        return;
    }
    in.SetFin(segment.sequence + segment.payload);
    if (segment.payload > 0)
    {
        receiver.ReceiveData(segment);
    }
    if (!in.IsFinished())
    {
        return;
    }
    if (life == TcpSocket::FIN_WAIT_1)
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
    NotifyClosed();
    sender.SendEmpty(LeanSegment::ACK);
    if (life == TcpSocket::LAST_ACK)
    {
        timers.StartLastAck();
    }
}

LeanConnection*
LeanConnection::GetPeer() const
{
    // If the other end no longer exists, another connection may have its number.
    auto* peer = LeanEnds::Get(route.end);
    return peer && peer->route.end == m_end ? peer : nullptr;
}

} // namespace ns3::coflow
