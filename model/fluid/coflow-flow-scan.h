/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_SCAN_H
#define COFLOW_FLOW_SCAN_H

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// @name Passes over the flows of a coflow
/// The passes of every decision over flows. Under most policies, most flows wait, so only the first
/// pass visits all flows.
/// @{

inline constexpr std::uint32_t FLOW_BLOCK = 16; ///< number of flows of a block

/// Finish times and rates of flows.
struct FlowExtent
{
    double shortest{0}; ///< time until the first flow finishes, in seconds; may be infinite
    double longest{0};  ///< time until the last flow finishes, in seconds; may be infinite
    double rate{0};     ///< sum of the rates, in bytes per second
};

/// Computes the extent of the flows of a coflow, at least one.
/// @param remaining bytes left, per flow; > 0
/// @param rates in bytes per second, per flow
/// @param blocks first flow of each block in which a flow may have a rate; added to
FlowExtent ExtentOf(std::span<const double> remaining,
                    std::span<const double> rates,
                    std::vector<std::uint32_t>& blocks);

/// Advances flows at constant rates. Every flow keeps at least 1e-6 bytes in spite of rounding.
/// @param remaining bytes left, per flow; reduced
/// @param rates in bytes per second, per flow
/// @param seconds duration
void MoveFlows(std::span<double> remaining, std::span<const double> rates, double seconds);

/// Whether any flow finishes within some time plus a slack for rounding.
/// @param remaining bytes left, per flow
/// @param rates in bytes per second, per flow
/// @param seconds the time
/// @param slack slack, in seconds
bool AnyThrough(std::span<const double> remaining,
                std::span<const double> rates,
                double seconds,
                double slack);

/// @}

} // namespace coflow

#endif // COFLOW_FLOW_SCAN_H
