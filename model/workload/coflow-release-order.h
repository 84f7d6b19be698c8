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

/// Who waits for whom in a workload with parents. Coflows are named by their position in the
/// workload. Which of them may start, and which never will, follows from what is told here.
class ReleaseOrder
{
  public:
    /// Nobody waits for anybody.
    ReleaseOrder() = default;

    /// @param workload its parents exist, see CheckWorkload
    explicit ReleaseOrder(const Workload& workload);

    /// A coflow is finished.
    /// @return those of its children that wait for no other parent, in the workload's order
    std::vector<std::uint32_t> Finish(std::uint32_t index);

    /// A coflow will not run.
    /// @return all that therefore will not run either: its children, theirs and so on; each is
    ///         told once, in the order in which they are found
    std::vector<std::uint32_t> Reject(std::uint32_t index);

  private:
    std::vector<std::vector<std::uint32_t>> m_children; ///< per coflow
    std::vector<std::uint32_t> m_parents;               ///< per coflow: unfinished parents
    std::vector<std::uint8_t> m_rejected;               ///< per coflow: it was told by Reject
};

} // namespace coflow

#endif // COFLOW_RELEASE_ORDER_H
