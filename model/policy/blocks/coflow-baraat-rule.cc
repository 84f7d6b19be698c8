/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-baraat-rule.h"

namespace coflow
{

ParameterSpec
BaraatRule::HeavyBytes()
{
    return {"heavyBytes",
            Unit::BYTES,
            837e6,
            1,
            1e18,
            "bytes of a task, sent by a port, that make the task heavy at this port",
            "D-CAS uses the 80th percentile of task sizes, which is this on the Facebook trace",
            Scaling::WORKLOAD};
}

} // namespace coflow
