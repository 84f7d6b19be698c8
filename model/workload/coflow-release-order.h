/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RELEASE_ORDER_H
#define COFLOW_RELEASE_ORDER_H

#include "ns3/coflow-types.h"

#include <cstdint>
#include <vector>

namespace coflow
{

/// Dependencies of coflows in a workload with parents. A coflow is given by its position in the
/// workload. The class finds which coflows may start, and which can never start, when others finish
/// or are refused.
class ReleaseOrder
{
  public:
    /// No coflow waits for another one.
    ReleaseOrder() = default;

    /// @param workload the workload, whose parents exist (see CheckWorkload())
    explicit ReleaseOrder(const Workload& workload);

    /// Notes that a coflow has finished.
    /// @return the coflow's children that wait for no other parent, in the order of the workload
    std::vector<std::uint32_t> Finish(std::uint32_t index);

    /// Notes that a coflow will not run.
    /// @return all coflows that cannot run for this reason: the coflow's children, their children
    ///         and so on. Each coflow is returned once, in the order in which it is found
    std::vector<std::uint32_t> Reject(std::uint32_t index);

  private:
    std::vector<std::vector<std::uint32_t>> m_children; ///< per coflow
    std::vector<std::uint32_t> m_parents;               ///< per coflow: unfinished parents
    std::vector<std::uint8_t> m_rejected;               ///< per coflow: Reject() has returned it
};

} // namespace coflow

#endif // COFLOW_RELEASE_ORDER_H
