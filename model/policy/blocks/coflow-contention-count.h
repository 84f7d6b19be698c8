/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTENTION_COUNT_H
#define COFLOW_CONTENTION_COUNT_H

#include "ns3/coflow-allocators.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// Counts the other coflows with which each coflow shares a port: the contention of Saath (CoNEXT
/// 2017, section 3) and Philae (Jajoo, Hu, Lin, 2021).
class ContentionCount
{
  public:
    /// Counts, in O(coflows x ports x coflows / 64).
    /// @param loads the ports of every row
    /// @param group group of each row; only rows of the same group are counted with each other
    void Compute(const CoflowLoads& loads, std::span<const std::uint8_t> group);

    /// @param row row of the view
    /// @return number of other rows that use a port of this row
    std::uint32_t Of(std::size_t row) const
    {
        return m_count[row];
    }

  private:
    std::vector<std::uint64_t> m_users;   ///< working memory: per port, a bit per row
    std::vector<std::uint64_t> m_members; ///< working memory: per group, a bit per row
    std::vector<std::uint64_t> m_met;     ///< working memory: a bit per row
    std::vector<std::uint32_t> m_count;   ///< contention per row
};

} // namespace coflow

#endif // COFLOW_CONTENTION_COUNT_H
