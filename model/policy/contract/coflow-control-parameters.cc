/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-parameters.h"

namespace coflow
{

ParameterSpec
ControlBatchSpec()
{
    return ParameterSpec{
        "controlBatch",
        Unit::SECONDS,
        0.1,
        0,
        1e6,
        "hosts hold their reports to the coordinator for this time after the first one, and then "
        "send them together. In the fluid engine with control=ideal, the default is 0",
        "Varys, SIGCOMM 2014: 0.1",
        Scaling::WORKLOAD}
        .AsControlPeriod();
}

ParameterSpec
BypassBytesSpec()
{
    return {"bypassBytes",
            Unit::BYTES,
            static_cast<double>(DEFAULT_BYPASS),
            0,
            1e18,
            "coflows with fewer bytes than this on every port bypass the scheduler: they are sent "
            "at once and do not wait for the coordinator; 0: no bypass. Schedulers that must not "
            "know sizes have no bypass. In the fluid engine with control=ideal, the default is 0 "
            "if controlDelay, controlPeriod and controlBatch are 0",
            "Varys, SIGCOMM 2014, section 5.3",
            Scaling::WORKLOAD};
}

ParameterSpec
PathChoiceSpec()
{
    return ParameterSpec::Choice(
        "pathChoice",
        {"fabric", "start", "move"},
        "who chooses the path of a flow: fabric, the switches, by a hash; start, the coordinator, "
        "with the first rate of the flow: the path with the least load of granted rates; move, as "
        "start, and flows also leave links on which more is granted than the link has. A policy "
        "that chooses paths itself needs fabric",
        "fabric: as real switches do");
}

} // namespace coflow
