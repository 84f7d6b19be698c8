/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DEADLINE_ORDER_H
#define COFLOW_DEADLINE_ORDER_H

#include "ns3/coflow-allocators.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// A coflow for the choice of coflows that can be in time.
struct DeadlineJob
{
    std::span<const PortDemand> seconds; ///< per port of the coflow: load over rate, > 0
    double due{0};                       ///< seconds until its deadline, > 0
    double weight{1};                    ///< value of a met deadline, > 0
};

/// The coflows that are to be in time, in the order in which they are served.
struct DeadlineChoice
{
    std::vector<std::uint32_t> admitted; ///< jobs, first to last
    std::vector<std::uint32_t> rejected; ///< all other jobs, by number
};

/// The rule by which DCoflow and WDCoflow reject coflows.
struct DeadlineRejection
{
    /// The ports that count for a coflow.
    enum class Measure
    {
        NEGATIVE, ///< ports at which the coflow would be late in the last position
        CONGESTED ///< ports with at least 0.7 times the load of the bottleneck
    };

    /// The coflows that may be rejected.
    enum class Candidates
    {
        ALL, ///< all coflows at the bottleneck
        /// Coflows that are late in the schedule of the bottleneck alone with the largest weight in
        /// time.
        LATE
    };

    Measure measure{Measure::NEGATIVE};     ///< the ports that count for a coflow
    Candidates candidates{Candidates::ALL}; ///< the coflows that may be rejected
};

/// DCoflow (Luu et al., 2022), and with weights WDCoflow: admission and order together, from the
/// last position to the first. The rule takes the port with the largest load of coflows without a
/// position (ties: smallest number). The coflow with the latest deadline at this port gets the last
/// position if it is in time (ties: the later job). If no coflow is in time, one coflow is
/// rejected: the coflow with the smallest psi = sum over its ports of seconds x (due - load of the
/// port), over its weight (ties: the first job). At the end the rejected coflows are tried again at
/// their positions, first to last, because coflows before them may have been rejected.
///
/// The admitted coflows are in time in a concurrent open shop, where every port serves the coflows
/// in this order and is never idle. A schedule that is as fast exists if no flow waits for two
/// ports, for example if every flow has its own sending port.
///
/// Costs O(jobs x (jobs x ports of a job + ports)); with Candidates::LATE, plus the cost of
/// LargestWeightInTime() for every dropped coflow.
DeadlineChoice DCoflowChoice(std::span<const DeadlineJob> jobs,
                             std::size_t ports,
                             const DeadlineRejection& rejection);

/// CS-MHA (Luo et al., 2016): at every port separately, the rule of Moore and Hodgson chooses the
/// largest number of coflows that are in time at the port. A coflow that is chosen at all its ports
/// is admitted, by deadline. The other coflows follow by the share of a port that they need
/// (largest of seconds / due; smallest first; ties: the first job). Such a coflow is also admitted
/// if it is in time behind all coflows that were admitted before it.
///
/// The admitted coflows are in time in a concurrent open shop, as with DCoflowChoice().
DeadlineChoice CsMhaChoice(std::span<const DeadlineJob> jobs, std::size_t ports);

/// One job of a single machine.
struct MachineJob
{
    double seconds{0}; ///< time of the job on the machine, > 0
    double due{0};     ///< seconds until its deadline
    double weight{1};  ///< value of a met deadline, > 0
};

/// The rule of Moore and Hodgson (1968): the largest number of jobs of one machine that are in
/// time. Jobs are added by deadline. When a job would be late, the longest job so far is dropped
/// (ties: the job with the later deadline).
/// @returns per job: nonzero if it is in time
std::vector<std::uint8_t> LargestNumberInTime(std::span<const MachineJob> jobs);

/// The dynamic programme of Lawler and Moore (1969): a set of jobs of one machine that are in time,
/// with the largest sum of weights. Among such sets, the result is a set with the shortest total
/// time.
///
/// Costs O(jobs x sets kept). Only one set per sum of weights is kept, because sets with the same
/// sum differ only in their time.
/// @returns per job: nonzero if it is in time
std::vector<std::uint8_t> LargestWeightInTime(std::span<const MachineJob> jobs);

} // namespace coflow

#endif // COFLOW_DEADLINE_ORDER_H
