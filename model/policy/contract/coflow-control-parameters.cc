/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-parameters.h"

namespace coflow
{

ParameterSpec
ControlBatchSpec()
{
    return {"controlBatch",
            Unit::SECONDS,
            0.1,
            0,
            1e6,
            "how long hosts hold back what they have to tell the coordinator, to tell it together; "
            "the first of an idle time starts the timer. With ideal control, the default of the "
            "fluid engine, it is 0 where it is not given",
            "Varys, SIGCOMM 2014: 0.1",
            Scaling::WORKLOAD};
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

} // namespace coflow
