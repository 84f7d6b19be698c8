/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_CONGESTION_H
#define COFLOW_LEAN_CONGESTION_H

#include "ns3/coflow-lean-scoreboard.h"
#include "ns3/coflow-lean-settings.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-state.h"

#include <cstdint>

namespace ns3::coflow
{

struct LeanTcb;

/// Congestion control of a connection: ns-3's objects, and their state. An end that sends no data
/// may do without them; what their state would be is kept here until then.
class LeanCongestion
{
  public:
    /// Makes ns-3's objects, with all that they would be by now, had they been there from the
    /// beginning: no data was sent, so that a SYN, or none, was acknowledged.
    void Create(const LeanSettings& settings);

    bool IsCreated() const
    {
        return static_cast<bool>(m_state);
    }

    /// @return ns-3's state, which was created
    TcpSocketState& GetState() const
    {
        return *m_state;
    }

    /// The window is what a handshake leaves.
    void BeginWindow(const LeanSettings& settings);

    /// @param estimate of the round trip, time steps
    void NoteRoundTrip(int64_t estimate);

    /// This end's SYN was acknowledged.
    void CountSyn();

    /// @return next sequence number to send
    uint32_t GetNext() const
    {
        return m_state ? m_state->m_nextTxSequence.Get().GetValue() : m_nextOfReceiver;
    }

    void SetNext(uint32_t sequence)
    {
        m_state->m_nextTxSequence = SequenceNumber32(sequence);
    }

    /// @return end of what was sent
    uint32_t GetHighest() const
    {
        return m_state ? m_state->m_highTxMark.Get().GetValue() : m_nextOfReceiver;
    }

    TcpSocketState::TcpCongState_t Get() const
    {
        return m_state ? m_state->m_congState.Get() : TcpSocketState::CA_OPEN;
    }

    /// Enters a state, and tells the congestion control.
    void Enter(TcpSocketState::TcpCongState_t state)
    {
        Control()->CongestionStateSet(m_state, state);
        m_state->m_congState = state;
    }

    TcpSocketState::EcnState_t GetEcn() const
    {
        return m_state ? m_state->m_ecnState.Get()
                       : static_cast<TcpSocketState::EcnState_t>(m_ecnOfReceiver);
    }

    void SetEcn(TcpSocketState::EcnState_t state)
    {
        if (m_state)
        {
            m_state->m_ecnState = state;
        }
        else
        {
            m_ecnOfReceiver = state;
        }
    }

    /// @return whether acknowledgements tell of a mark
    bool IsEchoing() const
    {
        return GetEcn() == TcpSocketState::ECN_CE_RCVD ||
               GetEcn() == TcpSocketState::ECN_SENDING_ECE;
    }

    void Tell(TcpSocketState::TcpCAEvent_t event)
    {
        Control()->CwndEvent(m_state, event);
    }

    /// @return bytes under way, which the state has from now on
    uint32_t CountInFlight(const LeanScoreboard& out)
    {
        const uint32_t bytes = out.GetInFlight();
        if (m_state)
        {
            m_state->m_bytesInFlight = bytes;
        }
        return bytes;
    }

    void NoteAcknowledged(uint32_t segments)
    {
        Control()->PktsAcked(m_state, segments, m_state->m_srtt);
    }

    void IncreaseWindow(uint32_t segments)
    {
        Control()->IncreaseWindow(m_state, segments);
    }

    /// Asks for a new slow start threshold.
    /// @param inFlight bytes under way
    void UpdateThreshold(uint32_t inFlight)
    {
        m_state->m_ssThresh = Control()->GetSsThresh(m_state, inFlight);
    }

    /// Has ns-3's algorithm of recovery begin.
    /// @param duplicates acknowledgements that told nothing new
    /// @param delivered bytes that the last acknowledgement told of
    void BeginRecovery(const LeanTcb& tcb, uint32_t duplicates, uint32_t delivered);

    /// An acknowledgement came during recovery.
    /// @param delivered bytes that it told of
    /// @param duplicate whether it told nothing new
    void DoRecovery(uint32_t delivered, bool duplicate)
    {
        m_recovery->DoRecovery(m_state, delivered, duplicate);
    }

    /// The window is the threshold from now on.
    void EndRecovery()
    {
        m_state->m_cWnd = m_state->m_ssThresh.Get();
        m_recovery->ExitRecovery(m_state);
    }

    /// During recovery, a segment was sent.
    void NoteSent(uint32_t bytes)
    {
        if (Get() == TcpSocketState::CA_RECOVERY || Get() == TcpSocketState::CA_CWR)
        {
            m_recovery->UpdateBytesSent(bytes);
        }
    }

    /// Brings to the cache what the next segment or acknowledgement will touch.
    void Prefetch() const;

  private:
    /// The congestion control as it is to be called: it sees packet time.
    struct ControlCall
    {
        TcpCongestionOps* control;
        WheelSimulatorImpl::PacketClock clock{};

        TcpCongestionOps* operator->() const
        {
            return control;
        }
    };

    ControlCall Control()
    {
        return {PeekPointer(m_control)};
    }

    Ptr<TcpSocketState> m_state;     ///< null: Create() was not needed yet
    Ptr<TcpCongestionOps> m_control; ///< likewise
    Ptr<TcpRecoveryOps> m_recovery;  ///< null until the first reduction or recovery
    uint32_t m_nextOfReceiver{0};    ///< without m_state: next and highest sequence number
    uint8_t m_ecnOfReceiver{TcpSocketState::ECN_DISABLED}; ///< without m_state: an EcnState_t
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_CONGESTION_H
