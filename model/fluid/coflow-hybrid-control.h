/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HYBRID_CONTROL_H
#define COFLOW_HYBRID_CONTROL_H

#include "ns3/coflow-dclas-hosts.h"
#include "ns3/coflow-dclas-policy.h"
#include "ns3/coflow-policy.h"

#include <span>

namespace coflow
{

/// D-CLAS with the delay of its control. The coordinator (DclasPolicy) decides at multiples of a
/// period, from reports of the hosts. In between, the hosts (DclasHosts) decide from the last
/// decision and from the bytes that they have sent. The fluid engine sees both together as one
/// policy.
///
/// The engine calls Allocate() when DclasPolicy would be called, and when the coordinator has a new
/// decision. If `coalesce` delays events by two periods or more, the coordinator also decides at
/// these calls.
class HybridControl final : public AttainedPolicy
{
  public:
    /// @param policy the coordinator, with a period above 0; it must outlive this object
    explicit HybridControl(DclasPolicy& policy);

    Control GetControl() const override
    {
        return Control::HYBRID;
    }

    Triggers GetTriggers() const override
    {
        return m_triggers;
    }

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// Whether `coalesce` delays events so long that the coordinator has their reports, too.
    bool HearsLate(Nanoseconds now) const
    {
        return m_triggers.After(now, m_lastReady) - now >= 2 * m_delta;
    }

    /// Whether the coordinator knows a coflow. At a multiple of its period, the coordinator decides
    /// from earlier reports, and does not know coflows that become ready at this time. If hosts
    /// report between two periods (matchGap < 1), hosts report a new coflow at once.
    bool HasHeardOf(const CoflowRow& row, Nanoseconds now) const
    {
        return m_policy.MatchGap() < 1 || row.ready < now;
    }

    /// Least time between two decisions on receivers.
    Nanoseconds Gap() const
    {
        return static_cast<Nanoseconds>(m_policy.MatchGap() * static_cast<double>(m_delta));
    }

    /// Whether the coordinator decides at a call.
    bool IsTimeToCoordinate(Nanoseconds now) const;

    /// The coordinator decides, and hosts get its decision.
    /// @returns whether the rates are those of the decision, so that hosts need not decide
    bool Coordinate(const AttainedView& view,
                    const PortIndex& index,
                    const PortRates& capacity,
                    std::span<double> rates);

    /// Time of the next call.
    Nanoseconds NextTime(const AttainedView& view) const;

    DclasPolicy& m_policy;          ///< the coordinator, and the rules of hosts
    const Triggers m_triggers;      ///< triggers of the policy
    const Nanoseconds m_delta;      ///< period of the coordinator
    DclasHosts m_hosts;             ///< knowledge of hosts
    bool m_changed{false};          ///< the next decision may differ from the last decision
    Nanoseconds m_coordinated{-1};  ///< time of the last decision; -1: none
    Nanoseconds m_promotion{NEVER}; ///< earliest time at which a coflow may be promoted
    Nanoseconds m_lastReady{0};     ///< time at which the last coflow became ready
};

} // namespace coflow

#endif // COFLOW_HYBRID_CONTROL_H
