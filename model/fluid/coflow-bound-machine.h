/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BOUND_MACHINE_H
#define COFLOW_BOUND_MACHINE_H

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// @name One machine
/// The computations of LowerBound() for one port.
/// @{

/// Time in 2^-20 ns. Sums and differences of ticks are exact: a length has at most 82 bits, 62 of
/// them for whole nanoseconds, and a sum over pairs of four million coflows has 126 bits.
__extension__ using Ticks = __int128;

inline constexpr double TICKS_PER_NS = 1 << 20;

/// Nanoseconds, to 53 bits.
inline double
ToNs(Ticks ticks)
{
    // Most times fit into 64 bits, which is much faster.
    const auto low = static_cast<std::int64_t>(ticks);
    return (low == ticks ? static_cast<double>(low) : static_cast<double>(ticks)) / TICKS_PER_NS;
}

/// A coflow at a port.
struct BoundJob
{
    Ticks release;        ///< arrival
    Ticks length;         ///< time at the port, > 0
    double lengthNs;      ///< time at the port, in ns
    std::uint32_t coflow; ///< position in the workload
    float trend{0};       ///< smoothed ratio of the value to the coflow's largest one, minus 1
    double weight{0};     ///< part of the coflow's weight that this port has
    double value{0};      ///< mean busy time + length / 2 of the last schedule, in ns after the
                          ///< release
};

/// A port with its jobs, and working memory for MeanBusyTimes().
struct BoundMachine
{
    std::vector<BoundJob> jobs;                              ///< by release
    std::vector<std::pair<double, std::uint32_t>> densities; ///< density and position of the jobs,
                                                             ///< densest first
    std::vector<Ticks> end;                                  ///< per last job of a block: end of
                                                             ///< the block
    std::vector<std::uint32_t> last;                         ///< per job: a later job of its block,
                                                             ///< or the last job itself
};

/// Sum of the times from release to completion under shortest remaining processing time.
/// @param jobs by release
Ticks ShortestRemaining(const std::vector<BoundJob>& jobs);

/// B_p(u) counted from the releases, in ns: computes every job's value, and returns the sum of
/// weight x value.
/// @param scale per coflow: factor by which its weights are multiplied first
/// @param best per coflow: raised to the values of its jobs
double MeanBusyTimes(BoundMachine& machine, std::span<const double> scale, std::span<double> best);

/// @}

} // namespace coflow

#endif // COFLOW_BOUND_MACHINE_H
