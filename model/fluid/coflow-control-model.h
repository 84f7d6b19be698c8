/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_MODEL_H
#define COFLOW_CONTROL_MODEL_H

#include "ns3/coflow-types.h"

#include <algorithm>

namespace coflow
{

/// Costs of control for a policy that decides at a coordinator. All 0: control is ideal, and a
/// decision takes effect at the same event that requests it.
struct ControlModel
{
    /// Time from the state on which a decision is based to the effect of the decision: the delay of
    /// reports, the computation and the delay of rates together. A decision on the state of time t
    /// takes effect at t + delay. Only the sum matters, because a shift of the coordinator's clock
    /// changes the split between the two directions.
    Nanoseconds delay{0};
    Nanoseconds period{0}; ///< decisions are made only at multiples of this period
    Nanoseconds batch{0};  ///< delay of events; the first event after an idle time starts the timer

    /// Whether control has no costs.
    bool Ideal() const
    {
        return delay == 0 && period == 0 && batch == 0;
    }
};

/// Computes when a coordinator decides, and when its decisions take effect. One decision is in
/// progress at a time. One further decision serves all events in this time. The further decision is
/// made when the decision in progress has taken effect (as Varys coalesces runs).
class ControlLoop
{
  public:
    explicit ControlLoop(const ControlModel& model)
        : m_model(model)
    {
    }

    /// Requests a decision, because of an event.
    void Trigger(Nanoseconds now)
    {
        m_due = std::min(m_due, now + m_model.batch);
    }

    /// Time of the next decision; NEVER: not before the next event.
    Nanoseconds NextDecision() const
    {
        const Nanoseconds due = std::min(m_due, m_wake);
        if (due == NEVER)
        {
            return NEVER;
        }
        const Nanoseconds at = std::max(due, m_free);
        const Nanoseconds period = m_model.period;
        return period == 0 ? at : (at + period - 1) / period * period;
    }

    /// Notes that a decision is made.
    /// @param now the time of NextDecision()
    /// @param wake time at which the policy is asked again without an event. No message is needed
    ///        for this, so `batch` does not delay it
    void Decide(Nanoseconds now, Nanoseconds wake)
    {
        m_due = NEVER;
        m_wake = wake;
        m_effect = now + m_model.delay;
        m_free = m_effect;
    }

    /// Cancels all requests, because there are no coflows to decide about.
    void Forget()
    {
        m_due = NEVER;
        m_wake = NEVER;
    }

    /// Time at which the decision in progress takes effect; NEVER: no decision is in progress.
    Nanoseconds NextEffect() const
    {
        return m_effect;
    }

    /// Notes that the decision in progress has taken effect.
    void TakeEffect()
    {
        m_effect = NEVER;
    }

  private:
    ControlModel m_model;        ///< costs of control
    Nanoseconds m_due{NEVER};    ///< time of the decision that events request
    Nanoseconds m_wake{NEVER};   ///< time that the policy has requested
    Nanoseconds m_free{0};       ///< no decision before this time
    Nanoseconds m_effect{NEVER}; ///< effect of the decision in progress
};

} // namespace coflow

#endif // COFLOW_CONTROL_MODEL_H
