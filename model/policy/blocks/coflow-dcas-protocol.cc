/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas-protocol.h"

namespace coflow
{

ParameterSpec
DcasProtocol::Delta()
{
    return ParameterSpec{
        "delta",
        Unit::SECONDS,
        0.1,
        1e-6,
        1e6,
        "period of the rounds of negotiation; a round begins at each multiple of it",
        "D-CAS, Luo et al.",
        Scaling::WORKLOAD}
        .AsControlPeriod();
}

ParameterSpec
DcasProtocol::Patience()
{
    return {"T",
            Unit::SECONDS,
            1,
            1e-6,
            1e6,
            "a subcoflow without service for this time goes before those with an agreed time",
            "D-CAS, Luo et al.",
            Scaling::WORKLOAD};
}

ParameterSpec
DcasProtocol::Expiry()
{
    return {"expiry",
            Unit::SECONDS,
            2,
            1e-9,
            1e6,
            "time for which a receiver remembers an announcement",
            "D-CAS, Luo et al.",
            Scaling::WORKLOAD};
}

ParameterSpec
DcasProtocol::Threshold()
{
    return {"threshold",
            Unit::BYTES,
            1e6,
            0,
            1e18,
            "subcoflows with fewer bytes left go before all others, by arrival of their coflows",
            "D-CAS, Luo et al.",
            Scaling::WORKLOAD};
}

} // namespace coflow
