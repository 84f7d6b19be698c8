/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BOUND_MACHINE_H
#define COFLOW_BOUND_MACHINE_H

#include "ns3/coflow-least-time.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// @name One machine
/// The parts of LowerBound() that are about one port.
/// @{

// Times are integers of type Ticks, in 2^-20 ns. Sums and differences of them are exact.

/// For all workloads: lengths have at most 82 bits (62 of them nanoseconds), and a sum over pairs
/// of four million coflows has 126.
__extension__ using WideTicks = __int128;

/// For workloads that end within LONGEST_COUNTED_NS, which is 2.4 hours: much faster.
using NarrowTicks = std::int64_t;

inline constexpr double TICKS_PER_NS = 1 << 20;

/// The times that Ticks count are shorter, in ns.
template <class Ticks>
inline constexpr double LONGEST_COUNTED_NS = sizeof(Ticks) > sizeof(NarrowTicks)
                                                 ? LONGEST_NS
                                                 : 0x1p63 / TICKS_PER_NS;

/// Nanoseconds, to 53 bits.
template <class Ticks>
double
ToNs(Ticks ticks)
{
    // Most times fit into 64 bits, which is much faster.
    const auto low = static_cast<std::int64_t>(ticks);
    return (low == ticks ? static_cast<double>(low) : static_cast<double>(ticks)) / TICKS_PER_NS;
}

/// A coflow at a port.
template <class Ticks>
struct BoundJob
{
    Ticks release;        ///< arrival
    Ticks length;         ///< time at the port, > 0
    double lengthNs;      ///< the same in ns
    std::uint32_t coflow; ///< position in the workload
    float trend{0};       ///< smoothed ratio of the value to the coflow's largest one, minus 1
    double weight{0};     ///< its part of the coflow's weight at this port
    double value{0};      ///< mean busy time + length / 2 of the last schedule, in ns after the
                          ///< release
};

/// A port with its jobs, and working memory for MeanBusyTimes().
template <class Ticks>
struct BoundMachine
{
    std::vector<BoundJob<Ticks>> jobs;                       ///< by release
    std::vector<std::pair<double, std::uint32_t>> densities; ///< density and position of the jobs,
                                                             ///< densest first
    std::vector<Ticks> end;                                  ///< per last job of a block: its end
    std::vector<std::uint32_t> last;                         ///< per job: a later one of its block,
                                                             ///< or itself if it is the last
};

/// Sum of the times from release to completion under shortest remaining processing time.
/// @param jobs by release
template <class Ticks>
WideTicks ShortestRemaining(const std::vector<BoundJob<Ticks>>& jobs);

/// B_p(u) counted from the releases, in ns: computes every job's value, and returns the sum of
/// weight x value.
/// @param scale per coflow: weights are multiplied by it first
/// @param best per coflow: raised to the values of its jobs
template <class Ticks>
double MeanBusyTimes(BoundMachine<Ticks>& machine,
                     std::span<const double> scale,
                     std::span<double> best);

/// @}

} // namespace coflow

#endif // COFLOW_BOUND_MACHINE_H
