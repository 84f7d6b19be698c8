/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-congestion.h"

#include "ns3/coflow-lean-tcb.h"
#include "ns3/coflow-prefetch.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

namespace
{

/// Begins a recovery with ns-3's recovery algorithm. ns-3 after 3.48 also passes the SACKed bytes.
/// This is a template, so that only the call for the present version of ns-3 has to compile.
template <typename Recovery, typename State>
void
Begin(Recovery& recovery,
      const Ptr<State>& state,
      const LeanTcb& tcb,
      uint32_t duplicates,
      uint32_t delivered)
{
    const uint32_t outstanding = state->m_highTxMark.Get().GetValue() - tcb.out.GetHead();
    if constexpr (requires {
                      recovery.EnterRecovery(state, duplicates, outstanding, delivered, delivered);
                      state->m_sackEnabled;
                  })
    {
        state->m_sackEnabled = tcb.sack;
        recovery.EnterRecovery(state, duplicates, outstanding, delivered, tcb.out.GetSacked());
    }
    else
    {
        recovery.EnterRecovery(state, duplicates, outstanding, delivered);
    }
}

} // namespace

void
LeanCongestion::Create(const LeanSettings& settings)
{
    Ptr<TcpSocketState> state = CopyObject(settings.state);
    m_control = settings.congestionControls->Create();
    Control()->Init(state);
    state->m_ecnState = static_cast<TcpSocketState::EcnState_t>(m_ecnOfReceiver);
    state->m_nextTxSequence = SequenceNumber32(m_nextOfReceiver);
    state->m_highTxMark = state->m_nextTxSequence;
    state->m_lastAckedSeq = state->m_nextTxSequence;
    m_state = std::move(state);
}

void
LeanCongestion::BeginWindow(const LeanSettings& settings)
{
    if (m_state)
    {
        m_state->m_cWnd = settings.initialWindow * settings.segmentBytes;
        m_state->m_cWndInfl = m_state->m_cWnd;
        m_state->m_ssThresh = settings.slowStart;
    }
}

void
LeanCongestion::NoteRoundTrip(int64_t estimate)
{
    if (m_state)
    {
        m_state->m_srtt = TimeStep(estimate);
        m_state->m_minRtt = std::min(m_state->m_srtt.Get(), m_state->m_minRtt);
    }
}

void
LeanCongestion::CountSyn()
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
}

void
LeanCongestion::BeginRecovery(const LeanTcb& tcb, uint32_t duplicates, uint32_t delivered)
{
    if (!m_recovery)
    {
        m_recovery = tcb.settings->recovery->Fork();
    }
    Begin(*m_recovery, m_state, tcb, duplicates, delivered);
}

void
LeanCongestion::Prefetch() const
{
    constexpr std::size_t CONTROL_BYTES = 128; // size of ns-3's DCTCP object
    if (m_state)
    {
        ::coflow::Prefetch(PeekPointer(m_state), sizeof(TcpSocketState));
        ::coflow::Prefetch(PeekPointer(m_control), CONTROL_BYTES);
        ::coflow::Prefetch(PeekPointer(m_recovery));
    }
}

} // namespace ns3::coflow
