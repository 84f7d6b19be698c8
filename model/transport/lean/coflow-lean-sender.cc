/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What an end of a connection has only once it sends data, and what stands for that before.

#include "ns3/coflow-lean-connection.h"
#include "ns3/tcp-rx-buffer.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

void
LeanConnection::BecomeSender()
{
    if (m_state)
    {
        return;
    }
    Ptr<TcpSocketState> state = CopyObject(m_settings.state);
    m_control = m_settings.congestionControls->Create();
    if (m_settings.needs.receiveBuffer)
    {
        // Its receiver answers for what came before a mark: it sets the next byte back for that.
        state->m_rxBuffer = CreateObject<TcpRxBuffer>();
        state->m_sendEmptyPacketCallback = Callback<void, uint8_t>([this](uint8_t flags) {
            const uint32_t next = m_in.GetNext();
            m_in.SetNext(m_state->m_rxBuffer->NextRxSequence().GetValue());
            SendEmpty(flags);
            m_in.SetNext(next);
        });
    }
    Control()->Init(state);
    // All that it would be by now, had it been there from the beginning: no data was sent, so that
    // a SYN, or none, was acknowledged.
    state->m_ecnState = static_cast<TcpSocketState::EcnState_t>(m_ecnOfReceiver);
    state->m_nextTxSequence = SequenceNumber32(m_nextOfReceiver);
    state->m_highTxMark = state->m_nextTxSequence;
    state->m_lastAckedSeq = state->m_nextTxSequence;
    state->m_rcvTimestampValue = m_seenTimestamp;
    m_state = std::move(state);
    if (m_life != TcpSocket::CLOSED)
    {
        BeginWindow();
    }
    if (m_rtt.GetNSamples() > 0)
    {
        m_state->m_lastRtt = TimeStep(m_rtt.GetEstimate());
        TellRoundTrip();
    }
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
LeanConnection::BeginWindow()
{
    if (m_state)
    {
        m_state->m_cWnd = m_settings.initialWindow * m_settings.segmentBytes;
        m_state->m_cWndInfl = m_state->m_cWnd;
        m_state->m_ssThresh = m_settings.slowStart;
    }
}

void
LeanConnection::TellRoundTrip()
{
    if (m_state)
    {
        m_state->m_srtt = TimeStep(m_rtt.GetEstimate());
        m_state->m_minRtt = std::min(m_state->m_srtt.Get(), m_state->m_minRtt);
    }
}

void
LeanConnection::CountSyn()
{
    if (m_state)
    {
        ++m_state->m_nextTxSequence;
        m_state->m_highTxMark = m_state->m_nextTxSequence;
    }
    else
    {
        ++m_nextOfReceiver;
    }
    m_out.SetHead(NextSequence());
}

} // namespace ns3::coflow
