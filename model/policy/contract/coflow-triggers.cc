/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-triggers.h"

#include <algorithm>

namespace coflow
{

Nanoseconds
Triggers::After(Nanoseconds finish, Nanoseconds lastArrival) const
{
    const double share =
        coalesceShare * static_cast<double>(std::max<Nanoseconds>(finish - lastArrival, 1));
    return finish +
           (share < static_cast<double>(coalesce) ? static_cast<Nanoseconds>(share) : coalesce);
}

ParameterSpec
Triggers::CoalesceSpec(double seconds, const std::string& source)
{
    return {"coalesce",
            Unit::SECONDS,
            seconds,
            0,
            1e6,
            "decide so long after the first flow that has finished",
            source,
            Scaling::WORKLOAD};
}

std::vector<ParameterSpec>
Triggers::AddSpecs(std::vector<ParameterSpec> specs)
{
    specs.push_back({"coalesce",
                     Unit::SECONDS,
                     0.4,
                     0,
                     1e6,
                     "the rate of a finished flow is handed on to others after at most this time",
                     "own choice: shorter costs more time than it changes results",
                     Scaling::WORKLOAD});
    specs.push_back({"coalesceShare",
                     Unit::NUMBER,
                     0.05,
                     0,
                     1e6,
                     "... and after at most this share of the time since a coflow arrived last",
                     "own choice: no flow waits for long compared with its age"});
    specs.push_back({"coalesceIdle",
                     Unit::NUMBER,
                     0.02,
                     0,
                     1,
                     "... and at once while waiting has lost more than this share of what is sent",
                     "own choice: mean CCTs grow by at most two to three times as much"});
    return specs;
}

Triggers
Triggers::OfFlows(const Parameters& parameters)
{
    return {true,
            parameters.Time("coalesce"),
            parameters["coalesceShare"],
            parameters["coalesceIdle"]};
}

} // namespace coflow
