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
        "how long hosts hold back what they have to tell the coordinator, to tell it together; "
        "the first of an idle time starts the timer. With ideal control, the default of the "
        "fluid engine, it is 0 where it is not given",
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
            "coflows that put fewer bytes than this on every port bypass the scheduler: they are "
            "sent from the start and do not wait for a coordinator; 0: none does. Schedulers that "
            "must not know sizes have no bypass. With ideal control, the default of the fluid "
            "engine, it is 0 where it is not given",
            "Varys, SIGCOMM 2014, section 5.3",
            Scaling::WORKLOAD};
}

ParameterSpec
PathChoiceSpec()
{
    return ParameterSpec::Choice(
        "pathChoice",
        {"fabric", "start", "move"},
        "who chooses the path of a flow that a coordinator schedules, unless its policy does: "
        "fabric, the switches, by a hash; start, the coordinator, when the flow has its first "
        "rate: the path that is loaded "
        "least by what the coordinator has granted; move, the same, and flows move from links of "
        "which more was granted than they have",
        "fabric: what switches do");
}

} // namespace coflow
