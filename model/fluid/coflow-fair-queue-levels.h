/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FAIR_QUEUE_LEVELS_H
#define COFLOW_FAIR_QUEUE_LEVELS_H

#include "ns3/coflow-level-links.h"
#include "ns3/coflow-level-rule.h"

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace coflow
{

/// Fair queues at both ends of every flow, coflows first: a port shares its rate between the
/// coflows that use it, and a coflow's share between the coflow's flows there; what one cannot use
/// goes to the others, at both steps.
///
/// A node is a coflow at a port, called a part here. A flow gets min(level of its two parts). The
/// level of a part is what each of its flows could have there; it is infinite where the flows,
/// limited elsewhere, need less than the coflow's share.
///
/// The level of a part depends on the levels at the other ends of its flows, and so on: the levels
/// are a fixed point. Ports are solved one at a time, exactly, with the levels elsewhere as they
/// are. A port waits for its turn when rates of its flows have changed elsewhere since. What has
/// changed is added up per port, and nothing is lost by putting off: small changes are solved as
/// soon as they are together more than TOLERANCE of the port's rate, or there is time. So a flow
/// that comes or goes costs the ports where that matters, and not all.
///
/// Where there are several fixed points, the one is found that is next to the levels before.
class FairQueueLevels final : public LevelRule
{
  public:
    /// What may be missing of a port's rate when it is exhausted, relative. No port gives more than
    /// its rate.
    static constexpr double TOLERANCE = 2e-5;

    /// @param capacity per port, bytes per second
    explicit FairQueueLevels(std::vector<double> capacity);

    /// Adds the part of a coflow at a port.
    /// @param port the port
    /// @returns its number: 0, 1, 2, ...
    std::uint32_t AddNode(std::uint32_t port);

    std::uint32_t AddLink(std::uint32_t nodeA, std::uint32_t nodeB) override;
    void ChangeWeight(std::uint32_t link, double change) override;
    void Update() override;

    double Level(std::uint32_t node) const override
    {
        return m_level[node];
    }

    std::span<const std::uint32_t> Recomputed() const override
    {
        return m_recomputed;
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
    /// The flows of a coflow at a port.
    struct Part
    {
        std::uint32_t port{0};   ///< the port
        std::uint32_t place{0};  ///< where it stands in the list of its port
        double weight{0};        ///< of its links; 0: it stands in no list
        std::uint64_t update{0}; ///< the last update in which its level changed
    };

    /// What is known of a port.
    struct Port
    {
        double capacity{0};                 ///< what it may give, in bytes per second
        double share{0};                    ///< what a coflow might have when it was solved
        double changed{0};                  ///< of its flows' rates since it was solved
        bool waits{false};                  ///< it stands in m_queue
        std::uint32_t solved{0};            ///< how often in this update
        std::vector<std::uint32_t> parts{}; ///< parts with weight
    };

    /// A part has a link with weight: it enters the list of its port.
    void EnterPort(std::uint32_t part);
    /// A part has no link with weight any more.
    void LeavePort(std::uint32_t part);
    /// Notes that rates of flows at a port have changed.
    void Change(std::uint32_t port, double rate);
    /// Sets the levels of a port's parts to what follows from those elsewhere.
    void Solve(std::uint32_t port);
    /// Sets the level of a part, and tells the ports at the other ends.
    void SetLevel(std::uint32_t part, double level);
    /// The highest level at the other ends of a part's flows.
    double Highest(std::uint32_t part) const;
    /// Sets the level of a part whose port has been solved often: half of the way to a level.
    void Approach(std::uint32_t part, double level);
    /// What each coflow at a port may have; infinite where all have what they can use. Fills
    /// m_demands with what they can use.
    /// @param most demands above it need not be known; the result holds where it is below this, or
    ///        where this is the port's rate
    double ShareOf(const Port& port, double most);
    /// The level at which the flows of a part use a rate, which is less than what they could.
    double FillPart(std::uint32_t part, double rate, double guess) const;

    std::vector<Port> m_ports;               ///< all ports
    std::vector<Part> m_parts;               ///< all parts
    std::vector<double> m_level;             ///< per part
    LevelLinks m_links{0};                   ///< between parts
    std::deque<std::uint32_t> m_queue;       ///< ports to be solved
    std::vector<double> m_demands;           ///< working memory: of a port's parts
    std::vector<double> m_sorted;            ///< working memory: the same
    std::vector<std::uint32_t> m_recomputed; ///< see Recomputed()
    std::vector<std::uint32_t> m_moved;      ///< see Moved()
    std::uint64_t m_update{1};               ///< number of this update
};

} // namespace coflow

#endif // COFLOW_FAIR_QUEUE_LEVELS_H
