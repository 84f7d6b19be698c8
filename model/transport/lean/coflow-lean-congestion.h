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
/// may not need these objects. Until Create(), this class keeps the few values that the state would
/// have.
class LeanCongestion
{
  public:
    /// Creates ns-3's objects, with the state that they would have if they had existed since the
    /// beginning of the connection. No data was sent before the call. At most a SYN was sent and
    /// acknowledged.
    void Create(const LeanSettings& settings);

    bool IsCreated() const
    {
        return static_cast<bool>(m_state);
    }

    /// @return ns-3's state; Create() must have been called
    TcpSocketState& GetState() const
    {
        return *m_state;
    }

    /// Sets the congestion window and the slow start threshold to their initial values after a
    /// handshake.
    void BeginWindow(const LeanSettings& settings);

    /// @param estimate smoothed round-trip time, in time steps
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

    /// @return sequence number after the highest byte that was sent
    uint32_t GetHighest() const
    {
        return m_state ? m_state->m_highTxMark.Get().GetValue() : m_nextOfReceiver;
    }

    TcpSocketState::TcpCongState_t Get() const
    {
        return m_state ? m_state->m_congState.Get() : TcpSocketState::CA_OPEN;
    }

    /// Enters a congestion state, and notifies the congestion control.
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

    /// @return whether acknowledgements echo a CE mark
    bool IsEchoing() const
    {
        return GetEcn() == TcpSocketState::ECN_CE_RCVD ||
               GetEcn() == TcpSocketState::ECN_SENDING_ECE;
    }

    void Tell(TcpSocketState::TcpCAEvent_t event)
    {
        Control()->CwndEvent(m_state, event);
    }

    /// Stores the bytes in flight in the state. @return the bytes in flight
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
    /// @param inFlight bytes in flight
    void UpdateThreshold(uint32_t inFlight)
    {
        m_state->m_ssThresh = Control()->GetSsThresh(m_state, inFlight);
    }

    /// Begins a recovery with ns-3's recovery algorithm.
    /// @param duplicates number of duplicate acknowledgements
    /// @param delivered bytes that the last acknowledgement has newly acknowledged or SACKed
    void BeginRecovery(const LeanTcb& tcb, uint32_t duplicates, uint32_t delivered);

    /// An acknowledgement came during recovery.
    /// @param delivered bytes that the acknowledgement has newly acknowledged or SACKed
    /// @param duplicate whether it is a duplicate acknowledgement
    void DoRecovery(uint32_t delivered, bool duplicate)
    {
        m_recovery->DoRecovery(m_state, delivered, duplicate);
    }

    /// Ends a recovery: the congestion window becomes the slow start threshold.
    void EndRecovery()
    {
        m_state->m_cWnd = m_state->m_ssThresh.Get();
        m_recovery->ExitRecovery(m_state);
    }

    /// A segment with data was sent. Only a recovery uses this call.
    void NoteSent(uint32_t bytes)
    {
        if (Get() == TcpSocketState::CA_RECOVERY || Get() == TcpSocketState::CA_CWR)
        {
            m_recovery->UpdateBytesSent(bytes);
        }
    }

    /// Prefetches the memory that the next segment or acknowledgement will touch.
    void Prefetch() const;

  private:
    /// Calls of the congestion control: during a call, Simulator::Now() is packet time.
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

    Ptr<TcpSocketState> m_state;     ///< state; null before Create()
    Ptr<TcpCongestionOps> m_control; ///< congestion control; null before Create()
    /// Recovery algorithm; null until the first window reduction or recovery.
    Ptr<TcpRecoveryOps> m_recovery;
    uint32_t m_nextOfReceiver{0}; ///< without m_state: next and highest sequence number
    uint8_t m_ecnOfReceiver{TcpSocketState::ECN_DISABLED}; ///< without m_state: ECN state
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_CONGESTION_H
