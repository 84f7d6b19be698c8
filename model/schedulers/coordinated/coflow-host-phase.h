/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOST_PHASE_H
#define COFLOW_HOST_PHASE_H

#include "ns3/coflow-types.h"

#include <cmath>

namespace ns3::coflow
{

/// Gives every host its own time within a period, so that not all hosts send at once. Multiples of
/// the golden ratio spread any number of hosts evenly.
/// @param host a host
/// @return a part of the period in its second half: [0.5, 1)
inline double
GetHostPhase(::coflow::HostId host)
{
    constexpr double GOLDEN_RATIO = 0.6180339887498949;
    return 0.5 + 0.5 * std::fmod((host + 1) * GOLDEN_RATIO, 1.0);
}

} // namespace ns3::coflow

#endif // COFLOW_HOST_PHASE_H
