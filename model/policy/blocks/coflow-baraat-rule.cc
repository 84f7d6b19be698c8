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
            "a task is heavy at a port that has sent this many bytes of the task",
            "the 80th percentile of task sizes in the Facebook trace, as in D-CAS",
            Scaling::WORKLOAD};
}

} // namespace coflow
