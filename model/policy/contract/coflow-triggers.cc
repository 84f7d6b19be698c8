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
            "decide this long after a flow has finished; flows that finish meanwhile share the "
            "decision",
            source,
            Scaling::WORKLOAD};
}

std::vector<ParameterSpec>
Triggers::AddSpecs(std::vector<ParameterSpec> specs)
{
    specs.push_back(
        {"coalesce",
         Unit::SECONDS,
         0.4,
         0,
         1e6,
         "longest time until the rate of a finished flow is given to other flows; 0: at once",
         "own choice: shorter times need more CPU time and hardly change results",
         Scaling::WORKLOAD});
    specs.push_back(
        {"coalesceShare",
         Unit::NUMBER,
         0.05,
         0,
         1e6,
         "upper limit of coalesce, as a share of the time since the last arrival of a coflow",
         "own choice: no flow waits long in comparison with its age"});
    specs.push_back(
        {"coalesceIdle",
         Unit::NUMBER,
         0.02,
         0,
         1,
         "coalesce counts as 0 while such delays have lost more than this share of all bytes",
         "own choice: mean CCTs grow by at most two to three times this share"});
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
