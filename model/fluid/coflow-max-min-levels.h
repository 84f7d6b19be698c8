/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_MAX_MIN_LEVELS_H
#define COFLOW_MAX_MIN_LEVELS_H

#include "ns3/coflow-level-rule.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// Weighted max-min fairness between links of a changing set. Each link connects two ports. A link
/// gets weight x min(level of its two ports). The level of an exhausted port is its rate per unit
/// of weight. The level of a port with unused rate is infinite.
///
/// Filling freezes ports in ascending order of level. When the weight of a link decreases, ports
/// that were frozen below the level of this link keep their levels. The computation goes back to
/// this level, and only the rest is done again. When a weight increases, the whole computation is
/// done again.
///
/// One computation costs O(links of the ports that are done again + ports log ports), for any
/// number of flows. MaxMinFiller computes the same rates, with every flow every time.
class MaxMinLevels final : public LevelRule
{
  public:
    /// @param capacity per port, bytes per second
    explicit MaxMinLevels(std::vector<double> capacity);

    void ChangeWeight(std::uint32_t link, double change) override;
    void Update() override;

    std::span<const std::uint32_t> Recomputed() const override
    {
        return std::span(m_frozen).subspan(m_restart);
    }

  private:
    /// State of a port before a neighbour was frozen, to go back to.
    struct Undo
    {
        std::uint32_t port;  ///< the port
        double used;         ///< m_used before
        double frozenWeight; ///< m_frozenWeight before
    };

    /// Key of the heap: level, then port.
    using Candidate = std::pair<double, std::uint32_t>;

    void TakeBack(std::size_t step);
    void Freeze(std::uint32_t port, double level);

    /// Level of a port if it is frozen now.
    double Share(std::uint32_t port) const
    {
        return (m_capacity[port] - m_used[port]) / (m_weight[port] - m_frozenWeight[port]);
    }

    std::vector<double> m_capacity;       ///< per port
    std::vector<double> m_weight;         ///< per port: of all its links
    std::vector<double> m_used;           ///< per port: rate of frozen links
    std::vector<double> m_frozenWeight;   ///< per port: weight of frozen links
    std::vector<std::uint8_t> m_isFrozen; ///< per port
    std::vector<std::uint32_t> m_frozen;  ///< ports in the order of freezing
    std::vector<std::size_t> m_undoBegin; ///< per frozen port: position of its first Undo
    std::vector<Undo> m_undo;             ///< of all frozen ports
    std::vector<Candidate> m_heap;        ///< ports that may be frozen next
    std::size_t m_restart{0};             ///< first port of m_frozen that is new
    double m_redoFrom{0};                 ///< level from which the computation is done again
};

} // namespace coflow

#endif // COFLOW_MAX_MIN_LEVELS_H
