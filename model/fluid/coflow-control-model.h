/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_MODEL_H
#define COFLOW_CONTROL_MODEL_H

#include "ns3/coflow-types.h"

#include <algorithm>

namespace coflow
{

/// What control costs a policy that decides at a coordinator. All 0: control is ideal, a
/// decision is made and takes effect at the very event that asks for it.
struct ControlModel
{
    /// From the state that a decision is made on to its effect: reports on their way up,
    /// computation and rates on their way down together. A decision that sees the state of t
    /// takes effect at t + delay; shifting the coordinator's clock makes any split between up
    /// and down the same thing.
    Nanoseconds delay{0};
    Nanoseconds period{0}; ///< decisions are made only at multiples of it
    Nanoseconds batch{0};  ///< events are held so long; the first of an idle time starts the timer

    /// Whether nothing costs anything.
    bool Ideal() const
    {
        return delay == 0 && period == 0 && batch == 0;
    }
};

/// When a coordinator decides, and when its decisions take effect. One decision is under way
/// at a time: events that are heard of meanwhile are served by exactly one more decision,
/// made when the one under way has taken effect (as Varys coalesces runs).
class ControlLoop
{
  public:
    explicit ControlLoop(const ControlModel& model)
        : m_model(model)
    {
    }

    /// Something happened that the policy wants to hear of.
    void Trigger(Nanoseconds now)
    {
        m_due = std::min(m_due, now + m_model.batch);
    }

    /// When to decide next; NEVER: not before the next trigger.
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

    /// A decision is made.
    /// @param now the time: that of NextDecision()
    /// @param wake when the policy wants to be asked again though nothing happens; no message
    ///        has to arrive for that, so it is not held back by `batch`
    void Decide(Nanoseconds now, Nanoseconds wake)
    {
        m_due = NEVER;
        m_wake = wake;
        m_effect = now + m_model.delay;
        m_free = m_effect;
    }

    /// There is nothing to decide about.
    void Forget()
    {
        m_due = NEVER;
        m_wake = NEVER;
    }

    /// When the decision under way takes effect; NEVER: none is.
    Nanoseconds NextEffect() const
    {
        return m_effect;
    }

    /// The decision under way has taken effect.
    void TakeEffect()
    {
        m_effect = NEVER;
    }

  private:
    ControlModel m_model;        ///< what it costs
    Nanoseconds m_due{NEVER};    ///< when what happened asks for a decision
    Nanoseconds m_wake{NEVER};   ///< when the policy's own clock does
    Nanoseconds m_free{0};       ///< no decision before this time
    Nanoseconds m_effect{NEVER}; ///< when the decision under way takes effect
};

} // namespace coflow

#endif // COFLOW_CONTROL_MODEL_H
