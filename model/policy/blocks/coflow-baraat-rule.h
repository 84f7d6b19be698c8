/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BARAAT_RULE_H
#define COFLOW_BARAAT_RULE_H

#include "ns3/coflow-parameter.h"

namespace coflow
{

/// The rule of a port under Baraat (Dogar et al., SIGCOMM 2014): which tasks are heavy, and which
/// tasks are in the active class. The fluid policy and both port disciplines at packet level use
/// this rule.
namespace BaraatRule
{

/// The parameter `heavyBytes`.
ParameterSpec HeavyBytes();

/// Whether a task is heavy at a port.
/// @param sent bytes of the task that the port has sent
/// @param heavyBytes number of bytes from which a task is heavy
constexpr bool
IsHeavy(double sent, double heavyBytes)
{
    return sent >= heavyBytes;
}

/// Consecutive tasks of a port, in the order of their arrival.
///
/// The active class of a port is the shortest complete run that begins with the oldest task. Where
/// no run is complete, the active class is all tasks.
class TaskRun
{
  public:
    /// No task.
    constexpr TaskRun() = default;

    /// One task.
    /// @param heavy whether the task is heavy
    static constexpr TaskRun Of(bool heavy)
    {
        return TaskRun(!heavy);
    }

    /// Whether the run is complete: it has a task that is not heavy.
    constexpr bool IsComplete() const
    {
        return m_complete;
    }

    /// This run followed by another one.
    constexpr TaskRun operator+(TaskRun next) const
    {
        return TaskRun(m_complete || next.m_complete);
    }

  private:
    constexpr explicit TaskRun(bool complete)
        : m_complete(complete)
    {
    }

    bool m_complete{false}; ///< some task is not heavy
};

} // namespace BaraatRule

} // namespace coflow

#endif // COFLOW_BARAAT_RULE_H
