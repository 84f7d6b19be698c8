/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_WORKLOAD_CHECK_H
#define COFLOW_WORKLOAD_CHECK_H

#include "ns3/coflow-types.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace coflow
{

/// Largest number of hosts of a workload. Per-port tables stay affordable.
inline constexpr HostId MAX_HOSTS = 10'000'000;

/// Largest arrival and largest deadline: 4e9 s, so that their sum fits into Nanoseconds.
inline constexpr Nanoseconds MAX_TIME = 4'000'000'000'000'000'000;

/// Largest number of bytes of a flow, and of a workload, so that no sum overflows.
inline constexpr Bytes MAX_BYTES = 4'000'000'000'000'000'000;

/// Largest weight of a coflow: sums of weights stay few for those who count with all of them.
inline constexpr std::uint32_t MAX_WEIGHT = 1000;

/// What is wrong with a workload.
struct WorkloadProblem
{
    std::optional<std::size_t> coflow; ///< position in Workload::coflows; none: all of it
    std::string field;                 ///< what the value stands for
    std::string value;                 ///< what was found
    std::string allowed;               ///< what may stand there
};

/// The one definition of a valid workload, used by readers, generators and transforms:
/// at most MAX_HOSTS hosts; coflow ids unique; coflows sorted by (arrival, id); arrivals in
/// 0..MAX_TIME; deadlines in 1..MAX_TIME; weights in 1..MAX_WEIGHT;
/// flow ids positional; hosts in range; bytes >= 0 and in
/// all at most MAX_BYTES; parents exist, are named once, and form no cycle.
/// @return the first problem, or none
std::optional<WorkloadProblem> FindWorkloadProblem(const Workload& workload);

/// Throws InputError `WHAT: coflow ID: FIELD is 'VALUE'; allowed: ...` where the workload is not
/// valid.
/// @param workload what to check
/// @param what where the workload comes from, the start of the message
void CheckWorkload(const Workload& workload, const std::string& what);

/// Positions of the coflows in an order in which parents come before their children, and otherwise
/// earlier coflows first. Coflows of a cycle, and those that wait for them, are left out.
/// @param workload its ids are unique and its parents exist
std::vector<std::size_t> ParentsFirst(const Workload& workload);

/// Brings the coflows into the order by (arrival, id).
void SortCoflows(Workload& workload);

} // namespace coflow

#endif // COFLOW_WORKLOAD_CHECK_H
