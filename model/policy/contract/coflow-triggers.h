/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TRIGGERS_H
#define COFLOW_TRIGGERS_H

#include "ns3/coflow-parameter.h"
#include "ns3/coflow-types.h"

#include <limits>
#include <string>
#include <vector>

namespace coflow
{

/// The events at which a policy is asked, in addition to the arrival and the completion of coflows.
struct Triggers
{
    bool flowCompletion{false}; ///< whether the policy is also asked when a flow finishes
    /// Delay from the completion of a flow to the decision, in nanoseconds.
    Nanoseconds coalesce{0};
    /// The delay is at most this share of the time since the last arrival of a coflow. So no coflow
    /// waits long in comparison with its age, at any scale of the workload.
    double coalesceShare{std::numeric_limits<double>::infinity()};
    /// Limit on capacity that delays leave unused: there is no delay while the bytes that finished
    /// flows could have sent until the policy was asked are more than this share of all bytes sent.
    /// Delays add up if a port serves many short flows in a row.
    double coalesceIdle{std::numeric_limits<double>::infinity()};

    /// @param finish time at which the first flow finishes
    /// @param lastArrival time of the last arrival of a coflow
    /// @return time at which the policy is asked because of this completion
    Nanoseconds After(Nanoseconds finish, Nanoseconds lastArrival) const;

    /// The parameter `coalesce` of policies that decide when flows finish: the time for which a
    /// coordinator waits for more flows to finish, because each decision costs messages.
    /// @param seconds the default
    /// @param source the source of the default
    /// @return the parameter
    static ParameterSpec CoalesceSpec(double seconds, const std::string& source);

    /// Adds the parameters of policies that reassign a rate without delay, and for which a delay
    /// only makes the engine faster.
    /// @param specs other parameters
    /// @return the parameters, `coalesce`, `coalesceShare` and `coalesceIdle`
    static std::vector<ParameterSpec> AddSpecs(std::vector<ParameterSpec> specs);

    /// @return triggers with the values of AddSpecs()
    static Triggers OfFlows(const Parameters& parameters);
};

} // namespace coflow

#endif // COFLOW_TRIGGERS_H
