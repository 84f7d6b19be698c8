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

/// Largest number of hosts of a workload, which limits the size of tables per port.
inline constexpr HostId MAX_HOSTS = 10'000'000;

/// Smallest and largest Workload::scale.
inline constexpr double LEAST_SCALE = 1e-18;
inline constexpr double MOST_SCALE = 1e18;

/// Largest arrival and largest deadline: 4e9 s, so that their sum fits into Nanoseconds.
inline constexpr Nanoseconds MAX_TIME = 4'000'000'000'000'000'000;

/// Largest number of bytes of a flow, and of a workload, so that no sum overflows.
inline constexpr Bytes MAX_BYTES = 4'000'000'000'000'000'000;

/// An error in a workload.
struct WorkloadProblem
{
    std::optional<std::size_t> coflow; ///< position in Workload::coflows; none: the whole workload
    std::string field;                 ///< name of the wrong value
    std::string value;                 ///< the wrong value
    std::string allowed;               ///< the allowed values
};

/// Checks a workload. Readers, generators and transforms use this definition of a valid workload:
/// at most MAX_HOSTS hosts; unique coflow ids; coflows sorted by (arrival, id); arrivals in
/// 0..MAX_TIME; deadlines in 1..MAX_TIME; attributes as in COFLOW_ATTRIBUTES; flow ids equal to
/// positions; hosts in range; bytes >= 0, and at most MAX_BYTES in total; parents that exist, are
/// named once, and form no cycle.
/// @return the first problem, or none
std::optional<WorkloadProblem> FindWorkloadProblem(const Workload& workload);

/// Throws InputError `WHAT: coflow ID: FIELD is 'VALUE'; allowed: ...` where the workload is not
/// valid.
/// @param workload the workload
/// @param what origin of the workload, with which the message begins
void CheckWorkload(const Workload& workload, const std::string& what);

/// Finds an order of coflows in which parents precede their children. Otherwise earlier coflows
/// come first. Coflows of a cycle, and coflows that wait for a cycle, are left out.
/// @param workload a workload with unique ids, whose parents exist
std::vector<std::size_t> ParentsFirst(const Workload& workload);

/// Sorts the coflows by (arrival, id).
void SortCoflows(Workload& workload);

} // namespace coflow

#endif // COFLOW_WORKLOAD_CHECK_H
