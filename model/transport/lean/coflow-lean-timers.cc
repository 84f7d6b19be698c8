/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-timers.h"

#include "ns3/coflow-lean-connection.h"
#include "ns3/coflow-lean-host.h"

#include <algorithm>

namespace ns3::coflow
{

LeanTimers::LeanTimers(LeanTcb& tcb)
    : m_tcb(tcb),
      m_retransmission(tcb, tcb.host->GetContext()),
      m_rtt(*tcb.settings),
      m_retriesLeft(tcb.settings->dataRetries)
{
}

LeanTimers::ColdData::ColdData(LeanTcb& tcb)
    : persist(tcb, tcb.host->GetContext()),
      lastAck(tcb, tcb.host->GetContext()),
      timeWait(tcb, tcb.host->GetContext()),
      persistInterval(tcb.settings->persistTimeout)
{
}

LeanTimers::ColdData&
LeanTimers::GetColdData()
{
    if (!m_coldData)
    {
        m_coldData = std::make_unique<ColdData>(m_tcb);
    }
    return *m_coldData;
}

void
LeanTimers::Begin()
{
    m_rtt.Reset(*m_tcb.settings);
    m_synsLeft = m_tcb.settings->synRetries;
    m_retriesLeft = m_tcb.settings->dataRetries;
}

void
LeanTimers::CancelAll()
{
    Cancel();
    if (m_coldData)
    {
        m_coldData->persist.Cancel();
        m_coldData->lastAck.Cancel();
        m_coldData->timeWait.Cancel();
    }
}

void
LeanTimers::Schedule(Time delay)
{
    m_emptyAgain = 0;
    m_retransmission.Schedule(delay);
}

void
LeanTimers::ScheduleEmpty(uint8_t flags)
{
    m_emptyAgain = flags;
    Time delay = m_rto;
    if (flags & LeanSegment::FIN)
    {
        Time& last = GetColdData().finTimeout;
        delay = last.IsZero() ? m_rto : Min(2 * last, m_tcb.settings->maxRto);
        last = delay;
    }
    m_retransmission.Schedule(delay);
}

bool
LeanTimers::SpendSyn(uint32_t sequence)
{
    if (m_synsLeft == 0)
    {
        m_rtt.Reset(*m_tcb.settings);
        return false;
    }
    const uint32_t repeats = m_tcb.settings->synRetries - m_synsLeft;
    m_rto = m_tcb.settings->connectTimeout * (1 << repeats);
    --m_synsLeft;
    NoteSent(sequence, 0, repeats > 0);
    return true;
}

bool
LeanTimers::SpendFin()
{
    if (!m_coldData || m_coldData->finTimeout.IsZero())
    {
        return true; // this is the first FIN
    }
    if (m_retriesLeft == 0)
    {
        return false;
    }
    --m_retriesLeft;
    ++m_coldData->finRepeats;
    m_tcb.SetLife(m_tcb.life);
    return true;
}

void
LeanTimers::UpdateRto()
{
    m_rto = TimeStep(m_rtt.GetTimeout(*m_tcb.settings));
}

void
LeanTimers::NoteSent(uint32_t sequence, uint32_t bytes, bool again)
{
    m_rtt.NoteSent(sequence, bytes, again, GetPacketTimeStep());
}

void
LeanTimers::EstimateRtt(const LeanSegment& segment)
{
    const auto samples =
        m_rtt.TakeAcknowledgement(segment,
                                  IsBefore(m_tcb.out.GetHead(), segment.acknowledgement),
                                  m_tcb.timestamps,
                                  *m_tcb.settings,
                                  GetPacketTimeStep());
    if (samples.last && m_tcb.congestion.IsCreated())
    {
        m_tcb.congestion.GetState().m_lastRtt = TimeStep(*samples.last);
    }
    if (samples.first)
    {
        m_rtt.Measure(*samples.first, *m_tcb.settings);
        m_backedOff = false;
        UpdateRto();
        m_tcb.congestion.NoteRoundTrip(m_rtt.GetEstimate());
    }
}

void
LeanTimers::NoteAcknowledged(bool restart)
{
    m_timeoutsInRow = 0;
    m_retriesLeft = m_tcb.settings->dataRetries;
    // A timeout stays doubled until a round trip has been measured (RFC 6298, 5.7).
    if (!m_backedOff)
    {
        m_rto = Min(restart ? TimeStep(m_rtt.GetTimeout(*m_tcb.settings)) : m_rto,
                    m_tcb.settings->maxRto);
    }
    if (restart)
    {
        Schedule();
    }
}

void
LeanTimers::HandleRetransmission(LeanTcb& tcb)
{
    if (tcb.timers.m_emptyAgain != 0)
    {
        tcb.sender.SendEmpty(tcb.timers.m_emptyAgain);
    }
    else
    {
        tcb.timers.HandleTimeout();
    }
}

void
LeanTimers::HandleTimeout()
{
    // The timer also runs while unsent data waits for the gate.
    if (m_tcb.sender.IsHeldBack())
    {
        return;
    }
    const Ptr<LeanConnection> self(&m_tcb.GetConnection());
    m_rto = Min(m_rto, m_tcb.settings->maxRto / 2); // the timeout is doubled below
    m_backedOff = true;
    ++m_timeoutsInRow;
    m_tcb.recovery.RememberTimeout(m_rto);
    if (m_tcb.out.GetSize() == 0)
    {
        if (m_tcb.life == TcpSocket::FIN_WAIT_1 || m_tcb.life == TcpSocket::CLOSING)
        {
            m_tcb.sender.SendEmpty(LeanSegment::FIN);
        }
        return;
    }
    if (m_retriesLeft == 0)
    {
        m_tcb.user->HandleBroken();
        m_tcb.GetConnection().Leave();
        return;
    }
    --m_retriesLeft;
    m_rto = 2 * m_rto;
    m_rtt.ForgetSent();
    m_tcb.recovery.EnterLoss();
    m_tcb.sender.SendPending();
}

bool
LeanTimers::EndBackoff()
{
    if (m_retriesLeft >= m_tcb.settings->dataRetries || IsExpired() || m_tcb.out.GetSize() == 0)
    {
        return false;
    }
    const Ptr<LeanConnection> self(&m_tcb.GetConnection());
    Cancel();
    // HandleTimeout() doubles m_rto and decrements m_retriesLeft.
    m_rto = TimeStep(m_rtt.GetTimeout(*m_tcb.settings)) / 2;
    m_retriesLeft = m_tcb.settings->dataRetries;
    HandleTimeout();
    m_tcb.recovery.ForgetTimeout();
    return true;
}

void
LeanTimers::StartPersist()
{
    ColdData& seldom = GetColdData();
    if (!seldom.persist.IsPending())
    {
        Cancel();
        seldom.persist.Schedule(seldom.persistInterval);
    }
}

bool
LeanTimers::StopPersist()
{
    const bool runs = m_coldData && m_coldData->persist.IsPending();
    if (runs)
    {
        m_coldData->persist.Cancel();
    }
    return runs;
}

void
LeanTimers::HandlePersist(LeanTcb& tcb)
{
    ColdData& seldom = *tcb.timers.m_coldData;
    seldom.persistInterval = std::min(Seconds(60), Time(2 * seldom.persistInterval));
    tcb.sender.SendProbe();
    seldom.persist.Schedule(seldom.persistInterval);
}

void
LeanTimers::StartLastAck()
{
    m_retriesLeft = m_tcb.settings->dataRetries;
    GetColdData().lastAck.Schedule(TimeStep(m_rtt.GetBareTimeout(*m_tcb.settings)));
}

void
LeanTimers::HandleLastAck(LeanTcb& tcb)
{
    if (tcb.life == TcpSocket::LAST_ACK && tcb.timers.IsExpired())
    {
        tcb.sender.SendEmpty(LeanSegment::FIN | LeanSegment::ACK);
    }
}

void
LeanTimers::StartTimeWait()
{
    GetColdData().timeWait.Schedule(m_tcb.settings->timeWait);
}

void
LeanTimers::HandleTimeWait(LeanTcb& tcb)
{
    tcb.GetConnection().CloseAndNotify();
}

} // namespace ns3::coflow
