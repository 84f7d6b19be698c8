/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_SCAN_H
#define COFLOW_FLOW_SCAN_H

#include <span>

namespace coflow
{

/// @name Passes over the flows of a coflow
/// What every decision does with all flows. The compiler is given no choice but to take two of
/// them at a time.
/// @{

/// When flows finish, and how fast they are.
struct FlowExtent
{
    double shortest{0}; ///< time that the first of them takes, in seconds; infinite: for ever
    double longest{0};  ///< time that the last of them takes
    double rate{0};     ///< sum of their rates, in bytes per second
};

/// Looks at flows, at least one.
/// @param remaining bytes left, per flow; > 0
/// @param rates in bytes per second, per flow
FlowExtent ExtentOf(std::span<const double> remaining, std::span<const double> rates);

/// Moves what flows at constant rates. Every flow keeps 1e-6 bytes, whatever rounding says.
/// @param remaining bytes left, per flow; reduced
/// @param rates in bytes per second, per flow
/// @param seconds how long
void MoveFlows(std::span<double> remaining, std::span<const double> rates, double seconds);

/// Whether a flow would be through after some time or so little later that rounding decides.
/// @param remaining bytes left, per flow
/// @param rates in bytes per second, per flow
/// @param seconds the time
/// @param slack how much later, in seconds
bool AnyThrough(std::span<const double> remaining,
                std::span<const double> rates,
                double seconds,
                double slack);

/// @}

} // namespace coflow

#endif // COFLOW_FLOW_SCAN_H
