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
    return {
        "sampleInterval",
        Unit::SECONDS,
        seconds,
        0,
        1e6,
        "take samples of utilisation and of the coflows' progress so far apart, for "
        "timeseries.csv and summary.json; 0: none. The default is 1 s at packet level, and 0 in "
        "the fluid engine, which samples would slow down"};
}

ParameterSpec
ShortBytesSpec()
{
    return {"shortBytes",
            Unit::BYTES,
            static_cast<double>(::coflow::BinLimits{}.shortBytes),
            0,
            1e15,
            "coflows whose largest flow has fewer bytes are in the bins SN and SW of tables",
            "Varys, SIGCOMM 2014, section 7",
            ::coflow::Scaling::WORKLOAD};
}

} // namespace ns3::coflow
