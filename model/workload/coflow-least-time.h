/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAST_TIME_H
#define COFLOW_LEAST_TIME_H

#include "ns3/coflow-types.h"

#include <algorithm>

namespace coflow
{

/// @name How far a recorded finish may be ahead of the exact one
/// The fluid engine records whole nanoseconds, rounded up. A finish that is so little after a
/// whole nanosecond as these say counts as that nanosecond, because the difference is what
/// arithmetic with 53 bits leaves: so many nanoseconds, and such a share of the flow's time.
/// @{
inline constexpr double ROUNDING_NS = 4e-3;
inline constexpr double ROUNDING_SHARE = 1e-12;
/// @}

/// No time on a recorded clock is longer, in nanoseconds.
inline constexpr double LONGEST_NS = 4e18;

/// The shortest time in which bytes pass a port, less what rounding may gain a schedule: no run
/// on record passes them in less.
/// @param bytes what passes, >= 0
/// @param flows number of flows that they belong to: each finish may be rounded once
/// @param rate of the port, in bytes per second
/// @return nanoseconds, 0 to LONGEST_NS
inline double
LeastPortNs(double bytes, double flows, double rate)
{
    // Half as much again as one finish is rounded by, for the clocks that sum up service.
    const double ns = bytes / rate * 1e9 * (1 - 2 * ROUNDING_SHARE) - flows * 1.5 * ROUNDING_NS;
    // Written so that 0 / 0 is no time.
    return ns > 0 ? std::min(ns, LONGEST_NS) : 0.0;
}

/// Gamma on a clock of whole nanoseconds: the smallest completion time that any scheduler's run
/// can have on record for a coflow, that of its bottleneck port alone (Varys, SIGCOMM 2014,
/// section 5.3.1), rounded up as records are.
/// @param coflow the coflow; its hosts are within rates
/// @param rates rates of all ports
/// @return at most LONGEST_NS; 0 where no port is loaded, NEVER where a loaded port has rate 0
Nanoseconds LeastCct(const Coflow& coflow, const PortRates& rates);

} // namespace coflow

#endif // COFLOW_LEAST_TIME_H
