/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-jump-account.h"

#include "ns3/coflow-intrusive-schedule.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/nstime.h"

namespace ns3::coflow
{

void
JumpAccount::Close()
{
    const int64_t now = GetPacketTimeStep();
    const auto* simulator = WheelSimulatorImpl::Get();
    const uint64_t events = simulator->GetEventCount() - simulator->GetForeignEventCount();
    m_entries[m_lastReason].time += now - m_lastTime;
    m_entries[m_lastReason].events += events - m_lastEvents;
    m_lastTime = now;
    m_lastEvents = events;
}

std::vector<JumpTotals::Simulated>
JumpAccount::Get() const
{
    constexpr std::array<const char*, N_REASONS> NAMES{"",
                                                       "message_under_way",
                                                       "rate_has_changed",
                                                       "flow_opens",
                                                       "flow_stops",
                                                       "flow_without_rate",
                                                       "flow_is_short",
                                                       "flow_ends",
                                                       "flow_behind_its_rate",
                                                       "flow_recovers",
                                                       "port_overloaded"};
    std::vector<JumpTotals::Simulated> all;
    for (uint32_t reason = HELD; reason < N_REASONS; ++reason)
    {
        const Entry& entry = m_entries[reason];
        const Time time = TimeStep(static_cast<uint64_t>(entry.time));
        all.push_back({NAMES[reason], entry.looks, time.GetSeconds(), entry.events});
    }
    return all;
}

} // namespace ns3::coflow
