/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-tcp-socket.h"

#include "ns3/boolean.h"
#include "ns3/coflow-connection.h"
#include "ns3/coflow-packet-class-tag.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-end-point.h"
#include "ns3/ipv4-interface.h"
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
#include <vector>

namespace ns3::coflow
{

NS_OBJECT_ENSURE_REGISTERED(CoflowTcpSocket);

TypeId
CoflowTcpSocket::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::CoflowTcpSocket")
            .SetParent<RepairedTcpSocket>()
            .SetGroupName("Coflow")
            .AddConstructor<CoflowTcpSocket>()
            .AddAttribute("ProbeAfter",
                          "Number of timeouts in a row after which segments of one byte are "
                          "repeated until one is acknowledged; 0: never",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CoflowTcpSocket::m_probeAfter),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("UndoTimeouts",
                          "Whether a timeout is undone if the next acknowledgement shows that the "
                          "original segment was late and not lost; needs timestamps and SACK",
                          BooleanValue(true),
                          MakeBooleanAccessor(&CoflowTcpSocket::m_undoTimeouts),
                          MakeBooleanChecker());
    return tid;
}

int
CoflowTcpSocket::Bind()
{
    const auto ports = HostPorts::Of(m_node);
    // Sockets of other classes may have ports that HostPorts does not know.
    std::vector<HostPorts::Lease> strange;
    while (const uint16_t port = ports->Take())
    {
        const auto lease = ports->MakeLease(port);
        if (BindLeased(InetSocketAddress(Ipv4Address::GetAny(), port), lease) == 0)
        {
            return 0;
        }
        strange.push_back(lease); // keeps the port, so that it is not tried again
    }
    m_errno = ERROR_ADDRNOTAVAIL;
    return -1;
}

int
CoflowTcpSocket::Bind(const Address& address)
{
    const auto port = InetSocketAddress::ConvertFrom(address).GetPort();
    const auto ports = HostPorts::Of(m_node);
    if (port == 0 || !ports->Take(port))
    {
        m_errno = port == 0 ? ERROR_INVAL : ERROR_ADDRINUSE;
        return -1;
    }
    return BindLeased(address, ports->MakeLease(port));
}

int
CoflowTcpSocket::BindLeased(const Address& address, HostPorts::Lease lease)
{
    const int result = RepairedTcpSocket::Bind(address);
    if (result == 0)
    {
        // The callback and the lease exist as long as the endpoint.
        m_endPoint->SetRxCallback(
            [self = Ptr<CoflowTcpSocket>(this),
             lease](Ptr<Packet> packet, Ipv4Header header, uint16_t port, Ptr<Ipv4Interface> from) {
                self->Receive(packet, header, port, from);
            });
    }
    return result;
}

void
CoflowTcpSocket::SetLoss(Ptr<RandomVariableStream> variable, double probability)
{
    m_lossVariable = variable;
    m_lossProbability = probability;
}

namespace
{

void
CountSent(std::shared_ptr<WireCount> wire,
          const Ptr<const Packet> payload,
          const TcpHeader& header,
          const Ptr<const TcpSocketBase>)
{
    wire->Add(header.GetSerializedSize() + payload->GetSize());
}

} // namespace

void
CoflowTcpSocket::CountWire(const std::shared_ptr<WireCount>& wire)
{
    TraceConnectWithoutContext("Tx", MakeBoundCallback(&CountSent, wire));
}

bool
CoflowTcpSocket::EndBackoff()
{
    // ns-3 decrements m_dataRetrCount from m_dataRetries at each timeout. At its full value TCP has
    // not backed off. Without a back-off, without a running timer or without data, there is no
    // effect.
    if (m_dataRetrCount >= m_dataRetries || m_retxEvent.IsExpired() || m_txBuffer->Size() == 0)
    {
        return false;
    }
    // The next timeout happens now, with the retransmission timeout of the measured round-trip
    // times (RFC 6298, 2.3) instead of the doubled one.
    m_retxEvent.Cancel();
    const Time rto =
        Max(m_rtt->GetEstimate() + Max(m_clockGranularity, m_rtt->GetVariation() * 4), m_minRto);
    // ReTxTimeout() doubles m_rto and decrements m_dataRetrCount.
    m_rto = rto / 2;
    m_dataRetrCount = m_dataRetries;
    ReTxTimeout();
    // An acknowledgement of an original segment must not undo this timeout (UndoTimeouts): other
    // packets of the flow may be delayed in the network with an old priority of the flow, and must
    // be retransmitted with the present priority.
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
    // This also works while the connection is being closed, because its data may not have arrived.
    if (m_state < ESTABLISHED || m_state == TIME_WAIT || !m_endPoint)
    {
        return false;
    }
    SendEmptyPacket(TcpHeader::ACK);
    return true;
}

void
CoflowTcpSocket::SetGate(SendGate* gate)
{
    if (m_gate && !gate && m_state == ESTABLISHED && !m_sendPendingDataEvent.IsPending())
    {
        // The gate may have held back data. Without the gate, nothing else would send this data.
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
        // ns-3 keeps the timer running although nothing is in flight. The timer must start again
        // with the segment that is sent now.
        m_retxEvent.Cancel();
    }
    // AvailableWindow() permits one segment while m_leave is set.
    m_leave = m_tcb->m_segmentSize;
    SendPendingData(m_connected);
    m_leave = 0;
}

uint32_t
CoflowTcpSocket::AvailableWindow() const
{
    // ns-3 calls this function before each segment that it sends. With a gate, a segment may be
    // sent only in SendSegment(). At all other times the window is 0, and the gate is notified that
    // there is something to send.
    const uint32_t window = RepairedTcpSocket::AvailableWindow();
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
    // ns-3 keeps the timer running while there is unsent data. With a gate, this data only waits
    // for the gate. Without this test, the data would count as lost.
    if (m_gate && m_state == ESTABLISHED && IsAllAcknowledged())
    {
        return;
    }
    ++m_timeoutsInRow;
    RememberTimeout();
    RepairedTcpSocket::ReTxTimeout();
}

void
CoflowTcpSocket::NewAck(const SequenceNumber32& ack, bool resetRto)
{
    m_timeoutsInRow = 0;
    RepairedTcpSocket::NewAck(ack, resetRto);
}

uint32_t
CoflowTcpSocket::SendDataPacket(SequenceNumber32 seq, uint32_t maxSize, bool withAck)
{
    // After ProbeAfter consecutive timeouts, only one byte of the first segment is retransmitted,
    // which wastes less of a blocked path than a full segment.
    const SequenceNumber32 before = m_tcb->m_highTxMark;
    const bool probes =
        m_probeAfter > 0 && m_timeoutsInRow >= m_probeAfter && seq == m_txBuffer->HeadSequence();
    const uint32_t bytes = RepairedTcpSocket::SendDataPacket(seq, probes ? 1 : maxSize, withAck);
    if (m_gate)
    {
        // The permission was for one segment. The gate gets the size of the segment, and the number
        // of bytes that are sent for the first time.
        m_leave = 0;
        m_gate->NotifySent(bytes, m_tcb->m_highTxMark.Get() - before);
    }
    return bytes;
}

void
CoflowTcpSocket::Abort()
{
    // All callbacks are removed first: the caller of Abort() needs none, and other callbacks must
    // not run inside this call.
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
    // Events of the present time may still point to the socket. This empty event, which runs after
    // them, holds a reference, so that the socket lives until then.
    Simulator::ScheduleNow([socket = Ptr<CoflowTcpSocket>(this)] {});
}

Ptr<TcpSocketBase>
CoflowTcpSocket::Fork()
{
    return RepairFork(CopyObject<CoflowTcpSocket>(this));
}

void
CoflowTcpSocket::DoForwardUp(Ptr<Packet> packet, const Address& from, const Address& to)
{
    if (m_lossVariable && m_lossVariable->GetValue() < m_lossProbability)
    {
        return;
    }
    PacketClassTag tag;
    // A signal may overtake the last packet of the handshake, and then completes the handshake. The
    // callback for the signal is set when the connection is accepted.
    const bool signalled = (m_signal || m_state == SYN_RCVD) && packet->PeekPacketTag(tag) &&
                           tag.Get().priority.signal != RateSignal::NONE;
    // DoForwardUp() may close the connection and release the last reference to the socket.
    const Ptr<CoflowTcpSocket> self(this);
    RepairedTcpSocket::DoForwardUp(packet, from, to);
    if (signalled && m_signal)
    {
        m_signal(tag.Get());
    }
}

void
CoflowTcpSocket::ReceivedAck(Ptr<Packet> packet, const TcpHeader& header)
{
    // JudgeTimeout() undoes the last timeout if the timeout was spurious. This call must be before
    // the processing of the acknowledgement. The timer is set after the processing, which also sets
    // the timer.
    const auto wait = JudgeTimeout(header);
    RepairedTcpSocket::ReceivedAck(packet, header);
    if (wait && m_retxEvent.IsPending())
    {
        m_retxEvent.Cancel();
        m_retxEvent = Simulator::Schedule(*wait, &CoflowTcpSocket::ReTxTimeout, this);
    }
}

void
CoflowTcpSocket::RememberTimeout()
{
    const auto state = m_tcb->m_congState.Get();
    if (state == TcpSocketState::CA_LOSS)
    {
        return; // nothing was acknowledged since the first timeout, whose values stay
    }
    m_beforeTimeout.reset();
    // No byte may be marked as lost, because an undone timeout loses such marks. Without SACK, the
    // acknowledgements of retransmissions would look like duplicate acknowledgements of a loss.
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
                           Min(m_rto, GetMaxRto() / 2)};
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
    // Marks all bytes as unsent, and then marks the sent bytes as sent again.
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

} // namespace ns3::coflow
