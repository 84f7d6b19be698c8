/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FAIR_QUEUE_LEVELS_H
#define COFLOW_FAIR_QUEUE_LEVELS_H

#include "ns3/coflow-level-rule.h"

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace coflow
{

/// Fair queues at both ends of every flow, first of coflows and then of flows. A port shares its
/// rate among its coflows, and a coflow's share among the coflow's flows at the port. In both
/// steps, unused rate goes to the others.
///
/// A node is a coflow at a port, called a part here. A flow gets min(level of its two parts). The
/// level of a part is the rate that each of its flows could have at the port. It is infinite where
/// the flows are limited at their other ends, and need less than the coflow's share.
///
/// The level of a part depends on the levels at the other ends of its flows, so that the levels are
/// a fixed point. Ports are solved exactly, one at a time, with the present levels of other ports.
/// A port is queued when rates of its flows have changed at other ports since. Changes are added up
/// per port. Small changes are solved as soon as their sum is more than TOLERANCE of the port's
/// rate, or when there is time, so that no change is lost. So the arrival or the end of a flow
/// costs only the ports that it affects.
///
/// Where there are several fixed points, the algorithm finds the one that is closest to the levels
/// before.
class FairQueueLevels final : public LevelRule
{
  public:
    /// Largest unused share of an exhausted port's rate. No port gives more than its rate.
    static constexpr double TOLERANCE = 2e-5;

    /// @param capacity per port, bytes per second
    explicit FairQueueLevels(std::vector<double> capacity);

    /// Adds the part of a coflow at a port.
    /// @param port the port
    /// @returns number of the part: 0, 1, 2, ...
    std::uint32_t AddNode(std::uint32_t port);

    void ChangeWeight(std::uint32_t link, double change) override;
    void Update() override;

    std::span<const std::uint32_t> Recomputed() const override
    {
        return m_recomputed;
    }

  private:
    /// The flows of a coflow at a port.
    struct Part
    {
        std::uint32_t port{0};   ///< the port
        std::uint32_t place{0};  ///< position in the list of its port
        double weight{0};        ///< sum over its links; 0: in no list
        std::uint64_t update{0}; ///< last update in which its level has changed
    };

    /// The state of a port.
    struct Port
    {
        double capacity{0};                 ///< rate of the port, in bytes per second
        double share{0};                    ///< share of a coflow when it was solved
        double changed{0};                  ///< change of its flows' rates since it was solved
        bool waits{false};                  ///< it is in m_queue
        std::uint32_t solved{0};            ///< number of solutions in this update
        std::vector<std::uint32_t> parts{}; ///< parts with weight
    };

    /// Adds a part to the list of its port, because the part has a link with weight.
    void EnterPort(std::uint32_t part);
    /// Removes a part from the list of its port, because it has no link with weight any more.
    void LeavePort(std::uint32_t part);
    /// Adds a change of the rates of flows at a port.
    void Change(std::uint32_t port, double rate);
    /// Computes the levels of a port's parts from the levels of other ports.
    void Solve(std::uint32_t port);
    /// Sets the level of a part, and adds the change at the ports of the other ends.
    void SetLevel(std::uint32_t part, double level);
    /// The highest level at the other ends of a part's flows.
    double Highest(std::uint32_t part) const;
    /// Sets the level of a part whose port was solved often: moves it half of the way to the new
    /// level.
    void Approach(std::uint32_t part, double level);
    /// Computes the share of each coflow at a port; infinite where all coflows have their demands.
    /// Fills m_demands with their demands.
    /// @param most demands above this are not computed; the result is valid where it is below this,
    ///        or where this is the port's rate
    double ShareOf(const Port& port, double most);
    /// Computes the level at which the flows of a part use a rate, which is less than their
    /// demands.
    double FillPart(std::uint32_t part, double rate, double guess) const;

    std::vector<Port> m_ports;               ///< all ports
    std::vector<Part> m_parts;               ///< all parts
    std::deque<std::uint32_t> m_queue;       ///< ports to be solved
    std::vector<double> m_demands;           ///< working memory: of a port's parts
    std::vector<double> m_sorted;            ///< working memory: the same
    std::vector<std::uint32_t> m_recomputed; ///< see Recomputed()
    std::uint64_t m_update{1};               ///< number of this update
};

} // namespace coflow

#endif // COFLOW_FAIR_QUEUE_LEVELS_H
