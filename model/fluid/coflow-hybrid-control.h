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

/// What a coordinator of D-CLAS costs that speaks at multiples of a period: hosts (DclasHosts)
/// decide by what they know, and the coordinator (DclasPolicy) by what they have reported. To the
/// fluid engine the two together are one policy.
///
/// Decides when the policy would, and when the coordinator has something new to say. Where flows
/// are heard of two periods late or later for the sake of speed (`coalesce`), the coordinator
/// decides then as well.
class HybridControl final : public AttainedPolicy
{
  public:
    /// @param policy queues, ranks and weights, with a period above 0; has to last
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
    /// Whether flows are heard of so late, for the sake of speed, that the coordinator has heard of
    /// them as well.
    bool HearsLate(Nanoseconds now) const
    {
        return m_triggers.After(now, m_lastReady) - now >= 2 * m_delta;
    }

    /// Whether the coordinator has heard of a coflow. At a multiple of its period it decides by
    /// what hosts reported before, so that it does not know what comes at that very time. Where
    /// hosts report in between (matchGap < 1), they report what is new at once.
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

    /// The coordinator decides, and tells hosts.
    /// @returns whether hosts do what it has worked out: the rates are in force
    bool Coordinate(const AttainedView& view,
                    const PortIndex& index,
                    const PortRates& capacity,
                    std::span<double> rates);

    /// When to be asked again.
    Nanoseconds NextTime(const AttainedView& view) const;

    DclasPolicy& m_policy;          ///< the coordinator, and the rules of hosts
    const Triggers m_triggers;      ///< when it wants to be asked
    const Nanoseconds m_delta;      ///< period of the coordinator
    DclasHosts m_hosts;             ///< what hosts know
    bool m_changed{false};          ///< the coordinator may say something else than the last time
    Nanoseconds m_coordinated{-1};  ///< when it decided last; -1: never
    Nanoseconds m_promotion{NEVER}; ///< when a coflow may have to be promoted
    Nanoseconds m_lastReady{0};     ///< when a coflow came last
};

} // namespace coflow

#endif // COFLOW_HYBRID_CONTROL_H
