/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_MAX_MIN_LEVELS_H
#define COFLOW_MAX_MIN_LEVELS_H

#include "ns3/coflow-level-links.h"
#include "ns3/coflow-level-rule.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// Weighted max-min fairness between links of a changing set, each link joining two ports:
/// a link gets weight x min(level of its two ports), where the level of an exhausted port
/// is what it gives per unit of weight, and infinite for a port with rate to spare.
///
/// Filling freezes ports in ascending order of level. When weight leaves a link, everything
/// that was frozen below the level of that link stays as it was: the computation is taken
/// back to there and only the rest is done again. Arrivals of weight start it all over.
///
/// One recomputation costs O(links of the ports that are done again + ports log ports), whatever
/// the flows are; MaxMinFiller, which gives the same rates, looks at every flow every time.
class MaxMinLevels final : public LevelRule
{
  public:
    /// @param capacity per port, bytes per second
    explicit MaxMinLevels(std::vector<double> capacity);

    std::uint32_t AddLink(std::uint32_t nodeA, std::uint32_t nodeB) override;
    void ChangeWeight(std::uint32_t link, double change) override;
    void Update() override;

    double Level(std::uint32_t node) const override
    {
        return m_level[node];
    }

    std::span<const std::uint32_t> Recomputed() const override
    {
        return std::span(m_frozen).subspan(m_restart);
    }

    std::span<const std::uint32_t> Moved() const override
    {
        return m_moved;
    }

    std::uint32_t Limit(std::uint32_t link) const override
    {
        return m_links[link].node[m_links[link].limit];
    }

  private:
    /// What a port had before a neighbour was frozen, to go back to.
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

    /// Level that a port would have if it were frozen now.
    double Share(std::uint32_t port) const
    {
        return (m_capacity[port] - m_used[port]) / (m_weight[port] - m_frozenWeight[port]);
    }

    std::vector<double> m_capacity;       ///< per port
    std::vector<double> m_weight;         ///< per port: of all its links
    std::vector<double> m_used;           ///< per port: rate of frozen links
    std::vector<double> m_frozenWeight;   ///< per port: weight of frozen links
    std::vector<double> m_level;          ///< per port
    std::vector<std::uint8_t> m_isFrozen; ///< per port
    LevelLinks m_links;                   ///< between ports
    std::vector<std::uint32_t> m_frozen;  ///< ports in the order of freezing
    std::vector<std::size_t> m_undoBegin; ///< per frozen port: where its undos start
    std::vector<Undo> m_undo;             ///< of all frozen ports
    std::vector<Candidate> m_heap;        ///< ports that may be frozen next
    std::vector<std::uint32_t> m_moved;   ///< see Moved()
    std::size_t m_restart{0};             ///< first port of m_frozen set anew
    double m_redoFrom{0};                 ///< level from which to do it again
};

} // namespace coflow

#endif // COFLOW_MAX_MIN_LEVELS_H
