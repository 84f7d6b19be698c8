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
/// The fluid engine records whole nanoseconds, rounded up. Arithmetic with 53 bits leaves an error
/// of at most ROUNDING_NS plus ROUNDING_SHARE of the flow's time. A finish that is later than a
/// whole nanosecond by at most this error counts as that nanosecond.
/// @{
inline constexpr double ROUNDING_NS = 4e-3;
inline constexpr double ROUNDING_SHARE = 1e-12;
/// @}

/// Upper limit of all recorded times, in nanoseconds.
inline constexpr double LONGEST_NS = 4e18;

/// The shortest time in which bytes pass a port, less the largest gain by rounding. No recorded
/// time is shorter.
/// @param bytes bytes that pass the port, >= 0
/// @param flows number of flows of these bytes; each finish may be rounded once
/// @param rate rate of the port, in bytes per second
/// @return nanoseconds, 0 to LONGEST_NS
inline double
LeastPortNs(double bytes, double flows, double rate)
{
    // 1.5 times the rounding of one finish, because the clocks of service also round.
    const double ns = bytes / rate * 1e9 * (1 - 2 * ROUNDING_SHARE) - flows * 1.5 * ROUNDING_NS;
    // Returns 0 also for NaN, which is the result of 0 / 0.
    return ns > 0 ? std::min(ns, LONGEST_NS) : 0.0;
}

/// Gamma in whole nanoseconds: the smallest completion time of a coflow that any run can record.
/// Gamma is the time of the coflow's bottleneck port alone (Varys, SIGCOMM 2014, section 5.3.1),
/// rounded up as records are.
/// @param coflow the coflow; its hosts are within rates
/// @param rates rates of all ports
/// @return at most LONGEST_NS; 0 where no port is loaded, NEVER where a loaded port has rate 0
Nanoseconds LeastCct(const Coflow& coflow, const PortRates& rates);

} // namespace coflow

#endif // COFLOW_LEAST_TIME_H
