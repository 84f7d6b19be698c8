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

/// When a policy wants to be asked, besides the arrival and the completion of coflows.
struct Triggers
{
    bool flowCompletion{false}; ///< also when a flow finishes
    Nanoseconds coalesce{0};    ///< ... but only so long after the first one that finished
    /// ... and at most this share of the time that has passed since a coflow arrived last, so that
    /// nobody waits for long compared with its own age, whatever the scale of the workload
    double coalesceShare{std::numeric_limits<double>::infinity()};
    /// ... and not while what flows that had finished could have sent until it was asked is more
    /// than this share of what was sent. Delays add up where a port serves many short flows in a
    /// row
    double coalesceIdle{std::numeric_limits<double>::infinity()};

    /// @param finish when the first flow finishes
    /// @param lastArrival when a coflow arrived last
    /// @return when to ask for its sake
    Nanoseconds After(Nanoseconds finish, Nanoseconds lastArrival) const;

    /// The parameter `coalesce` of policies that decide when flows finish, by a coordinator whose
    /// decisions cost messages: how long it waits for more flows to finish.
    /// @param seconds the default
    /// @param source where that comes from
    /// @return the parameter
    static ParameterSpec CoalesceSpec(double seconds, const std::string& source);

    /// Parameters of policies for which handing a rate on takes no time, and which are asked later
    /// than a flow finishes for the sake of speed alone.
    /// @param specs other parameters
    /// @return these, `coalesce`, `coalesceShare` and `coalesceIdle`
    static std::vector<ParameterSpec> AddSpecs(std::vector<ParameterSpec> specs);

    /// @return triggers with the values of AddSpecs()
    static Triggers OfFlows(const Parameters& parameters);
};

} // namespace coflow

#endif // COFLOW_TRIGGERS_H
