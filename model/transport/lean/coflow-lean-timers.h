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

/// The retransmission timer of a connection (RFC 6298), with the round-trip time and the number of
/// allowed retransmissions. Also the timers that few segments use: the persist timer, and the
/// timers of LAST_ACK and TIME_WAIT.
class LeanTimers
{
  public:
    /// @param tcb control block of the connection
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

    /// Called before a SYN is sent. Doubles the timeout for each retransmission of the SYN.
    /// @param sequence sequence number of the SYN
    /// @return whether the segment may be sent
    bool SpendSyn(uint32_t sequence);

    /// Called before a FIN is sent. Limits the number of retransmissions (RFC 9293, 3.8.3).
    /// @return whether the segment may be sent
    bool SpendFin();

    /// @return number of retransmissions of the FIN
    uint32_t GetFinRepeats() const
    {
        return m_coldData ? m_coldData->finRepeats : 0;
    }

    /// Computes the retransmission timeout from the round-trip time.
    void UpdateRto();

    /// A segment with data is sent.
    /// @param again whether it is a retransmission
    void NoteSent(uint32_t sequence, uint32_t bytes, bool again);

    /// Takes a sample of the round-trip time from an acknowledgement, if possible.
    void EstimateRtt(const LeanSegment& segment);

    /// An acknowledgement has acknowledged new bytes.
    /// @param restart whether the retransmission timer is restarted
    void NoteAcknowledged(bool restart);

    const LeanRtt& GetRtt() const
    {
        return m_rtt;
    }

    uint32_t GetTimeoutsInRow() const
    {
        return m_timeoutsInRow;
    }

    /// Ends a back-off; see Connection::EndBackoff().
    bool EndBackoff();

    /// Starts the persist timer, because the window of the peer is closed.
    void StartPersist();

    /// Stops the persist timer, because the window of the peer is open.
    /// @return whether the timer was running
    bool StopPersist();

    /// Starts the timer of LAST_ACK. A FIN that was sent with data has no other timer after the
    /// data is acknowledged.
    void StartLastAck();
    void StartTimeWait();

    /// @return the values before the last timeout, which LeanRecovery writes and reads
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

    /// State that most connections need only when they close, if at all. Of hundreds of thousands
    /// of open connections, few have this state.
    struct ColdData final : public ::coflow::InArena
    {
        explicit ColdData(LeanTcb& tcb);

        Timer<&LeanTimers::HandlePersist> persist;
        Timer<&LeanTimers::HandleLastAck> lastAck;
        Timer<&LeanTimers::HandleTimeWait> timeWait;
        Time persistInterval;   ///< next interval of window probes
        Time finTimeout;        ///< timeout of the last FIN without data; 0: none was sent
        uint32_t finRepeats{0}; ///< number of retransmissions of this FIN
        LeanRecovery::BeforeTimeout beforeTimeout{};
    };

    ColdData& GetColdData();

    LeanTcb& m_tcb;
    Timer<&LeanTimers::HandleRetransmission> m_retransmission;
    LeanRtt m_rtt;
    Time m_rto;
    std::unique_ptr<ColdData> m_coldData; ///< GetColdData(); null before the first call
    uint32_t m_synsLeft{0};
    uint32_t m_retriesLeft;
    uint32_t m_timeoutsInRow{0};
    bool m_backedOff{false}; ///< no sample of the round-trip time since the last timeout
    /// Flags of the empty segment that the retransmission timer sends again; 0: data.
    uint8_t m_emptyAgain{0};
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_TIMERS_H
