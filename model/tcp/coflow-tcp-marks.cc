/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a CoflowTcpSocket does about marks that it receives.

#include "ns3/coflow-dctcp.h"
#include "ns3/coflow-tcp-socket.h"

#include <utility>

namespace ns3::coflow
{

bool
CoflowTcpSocket::IsDctcp()
{
    const TcpCongestionOps* ops = PeekPointer(m_congestionControl);
    if (ops != m_judged)
    {
        m_judged = ops;
        m_isDctcp = dynamic_cast<const Dctcp*>(ops) != nullptr;
    }
    return m_isDctcp;
}

bool
CoflowTcpSocket::IsEchoing() const
{
    return m_tcb->m_ecnState == TcpSocketState::ECN_CE_RCVD ||
           m_tcb->m_ecnState == TcpSocketState::ECN_SENDING_ECE;
}

void
CoflowTcpSocket::SendDelayedAck()
{
    if (m_delAckEvent.IsPending())
    {
        m_delAckEvent.Cancel();
        DelAckTimeout();
    }
}

void
CoflowTcpSocket::TakeMark(Ipv4Header::EcnType ecn, SequenceNumber32 sequence, uint32_t payload)
{
    if (!IsDctcp())
    {
        DirectTcpSocket::TakeMark(ecn, sequence, payload);
        return;
    }
    // A mark on an acknowledgement says nothing about the path of the data.
    if (payload == 0 || m_tcb->m_ecnState == TcpSocketState::ECN_DISABLED)
    {
        return;
    }
    const bool marked = ecn == Ipv4Header::ECN_CE;
    if (marked != m_marked)
    {
        SendDelayedAck();
        m_marked = marked;
        m_ackAtOnce = true;
    }
    if (!marked && IsEchoing())
    {
        m_tcb->m_ecnState = TcpSocketState::ECN_IDLE;
    }
}

void
CoflowTcpSocket::ReceivedData(Ptr<Packet> packet, const TcpHeader& header)
{
    if (m_marked && !IsEchoing())
    {
        // Not before: an acknowledgement that came with the data uses the same variable.
        m_tcb->m_ecnState = TcpSocketState::ECN_CE_RCVD;
    }
    DirectTcpSocket::ReceivedData(packet, header);
    if (std::exchange(m_ackAtOnce, false))
    {
        SendDelayedAck();
    }
}

} // namespace ns3::coflow
