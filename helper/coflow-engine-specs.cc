/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-engine-specs.h"

#include "ns3/coflow-statistics.h"

namespace ns3::coflow
{

using ::coflow::ParameterSpec;
using ::coflow::Unit;

ParameterSpec
SampleIntervalSpec(double seconds)
{
    return {"sampleInterval",
            Unit::SECONDS,
            seconds,
            0,
            1e6,
            "time between two samples of utilisation and of the coflows' progress, for "
            "timeseries.csv and summary.json; 0: no samples. The default is 1 s in the packet "
            "engine. It is 0 in the fluid engine, because samples slow it down"};
}

ParameterSpec
ShortBytesSpec()
{
    return {
        "shortBytes",
        Unit::BYTES,
        static_cast<double>(::coflow::BinLimits{}.shortBytes),
        0,
        1e15,
        "a coflow is short (in the bins SN and SW) if its largest flow has fewer bytes than this",
        "Varys, SIGCOMM 2014, section 7",
        ::coflow::Scaling::WORKLOAD};
}

} // namespace ns3::coflow
