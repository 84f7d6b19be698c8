/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_TIMERS_H
#define COFLOW_LEAN_TIMERS_H

#include "ns3/coflow-arena.h"
#include "ns3/coflow-intrusive-timer.h"
#include "ns3/coflow-lean-recovery.h"
#include "ns3/coflow-lean-rtt.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>

namespace ns3::coflow
{

struct LeanTcb;

/// The retransmission timer of a connection (RFC 6298) with what it needs, the round trip and how
/// often something may be sent again; and the timers that few segments touch: the persist timer,
/// those of LAST_ACK and TIME_WAIT.
class LeanTimers
{
  public:
    /// @param tcb of the connection
    explicit LeanTimers(LeanTcb& tcb);

    /// A handshake begins.
    void Begin();

    /// @return whether the retransmission timer does not run
    bool IsExpired() const
    {
        return !m_retransmission.IsPending();
    }

    /// Stops the retransmission timer.
    void Cancel()
    {
        m_retransmission.Cancel();
    }

    void CancelAll();

    /// Starts the retransmission timer for data.
    void Schedule()
    {
        Schedule(m_rto);
    }

    void Schedule(Time delay);

    /// Starts the retransmission timer for a segment without data.
    /// @param flags of the segment
    void ScheduleEmpty(uint8_t flags);

    /// Before a SYN is sent: waits longer for its acknowledgement each time.
    /// @param sequence of the SYN
    /// @return whether it may be sent
    bool SpendSyn(uint32_t sequence);

    /// Before a FIN is repeated: gives up in the end (RFC 9293, 3.8.3).
    /// @return whether it may be sent
    bool SpendFin();

    /// @return how often the FIN was sent again
    uint32_t GetFinRepeats() const
    {
        return m_coldData ? m_coldData->finRepeats : 0;
    }

    /// The timeout is what the round trip makes it.
    void UpdateRto();

    /// A segment with data leaves.
    /// @param again whether it was sent before
    void NoteSent(uint32_t sequence, uint32_t bytes, bool again);

    /// An acknowledgement may have measured the round trip.
    void EstimateRtt(const LeanSegment& segment);

    /// An acknowledgement is of something new.
    /// @param restart whether the retransmission timer begins anew
    void NoteAcknowledged(bool restart);

    const LeanRtt& GetRtt() const
    {
        return m_rtt;
    }

    uint32_t GetTimeoutsInRow() const
    {
        return m_timeoutsInRow;
    }

    /// Ends a back-off, as Connection has it.
    bool EndBackoff();

    /// The peer's window is closed.
    void StartPersist();

    /// The peer's window is open.
    /// @return whether it was closed
    bool StopPersist();

    /// Waits for the acknowledgement of a FIN that was sent with data, which has no timer once the
    /// data is acknowledged.
    void StartLastAck();
    void StartTimeWait();

    /// @return what the last timeout has changed; recovery writes and reads it
    LeanRecovery::BeforeTimeout& GetBeforeTimeout()
    {
        return GetColdData().beforeTimeout;
    }

  private:
    static void HandleRetransmission(LeanTcb& tcb);
    static void HandlePersist(LeanTcb& tcb);
    static void HandleLastAck(LeanTcb& tcb);
    static void HandleTimeWait(LeanTcb& tcb);
    void HandleTimeout();

    template <void (*HANDLE)(LeanTcb&)>
    using Timer = IntrusiveTimer<LeanTcb, HANDLE>;

    /// What most connections need only when they close, if at all: of hundreds of thousands that
    /// are open, few have it.
    struct ColdData final : public ::coflow::InArena
    {
        explicit ColdData(LeanTcb& tcb);

        Timer<&LeanTimers::HandlePersist> persist;
        Timer<&LeanTimers::HandleLastAck> lastAck;
        Timer<&LeanTimers::HandleTimeWait> timeWait;
        Time persistInterval;   ///< the next one
        Time finTimeout;        ///< after the last FIN without data; 0: none was sent
        uint32_t finRepeats{0}; ///< how often that FIN was sent again
        LeanRecovery::BeforeTimeout beforeTimeout{};
    };

    ColdData& GetColdData();

    LeanTcb& m_tcb;
    Timer<&LeanTimers::HandleRetransmission> m_retransmission;
    LeanRtt m_rtt;
    Time m_rto;
    std::unique_ptr<ColdData> m_coldData; ///< GetColdData(); null: nothing of it was needed yet
    uint32_t m_synsLeft{0};
    uint32_t m_retriesLeft;
    uint32_t m_timeoutsInRow{0};
    bool m_backedOff{false}; ///< no round trip was measured since the last timeout
    uint8_t m_emptyAgain{0}; ///< flags of what the retransmission timer repeats; 0: data
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_TIMERS_H
