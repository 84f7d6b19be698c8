/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How much was jumped over, and why not more.

#include "ns3/coflow-light-schedule.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/simulator.h"

namespace ns3::coflow
{

void
TimeJumper::CloseAccount()
{
    const int64_t now = GetNetworkTimeStep();
    const auto* simulator = WheelSimulatorImpl::Get();
    const uint64_t events = simulator->GetEventCount() - simulator->GetForeignEventCount();
    m_accounts[m_lastReason].steps += now - m_lastLook;
    m_accounts[m_lastReason].events += events - m_eventsAtLastLook;
    m_lastLook = now;
    m_eventsAtLastLook = events;
}

JumpTotals
TimeJumper::GetTotals()
{
    SettleAll();
    CloseAccount();
    JumpTotals totals;
    totals.jumps = m_jumps;
    totals.skippedSeconds =
        TimeStep(static_cast<uint64_t>(WheelSimulatorImpl::Get()->GetSkipped())).GetSeconds();
    totals.skippedBytes = m_skippedBytes;
    totals.skippedPacketHops = m_skippedHops;
    totals.messagesByRule = m_messagesByRule;
    totals.endsByRule = m_endsByRule;
    totals.largestLoad = m_largestLoad;
    if (m_shares)
    {
        totals.measurements = m_shares->GetNMeasured();
        totals.unevenMeasurements = m_shares->GetNUneven();
        totals.doubtfulMeasurements = m_shares->GetNDoubtful();
        totals.lateFlows = m_shares->GetNLate();
        totals.drifts = m_shares->GetNDrifts();
    }
    totals.bareSegments = m_bareFlows->GetNSent();
    totals.bareSegmentsLost = m_bareFlows->GetNLost();
    constexpr const char* NAMES[N_REASONS] = {"",
                                              "message_under_way",
                                              "rate_has_changed",
                                              "flow_opens",
                                              "flow_stops",
                                              "flow_without_rate",
                                              "flow_is_short",
                                              "shares_are_measured",
                                              "flow_ends",
                                              "flow_falls_behind",
                                              "flow_behind_its_rate",
                                              "flow_recovers",
                                              "port_overloaded",
                                              "event_is_near"};
    for (uint32_t reason = HELD; reason < N_REASONS; ++reason)
    {
        const Account& account = m_accounts[reason];
        totals.simulated.push_back({NAMES[reason],
                                    account.looks,
                                    TimeStep(static_cast<uint64_t>(account.steps)).GetSeconds(),
                                    account.events});
    }
    return totals;
}

} // namespace ns3::coflow
