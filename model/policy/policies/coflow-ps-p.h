/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PS_P_H
#define COFLOW_PS_P_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

#include <vector>

namespace coflow
{

/// FairCloud's PS-P (SIGCOMM 2012) with coflows as tenants: every port splits its rate equally
/// among its coflows, and each part equally among the coflow's flows at the port. Sizes are not
/// known. The policy decides when a flow arrives, and `coalesce` after a flow has finished. The
/// default of `coalesce` is 0.
///
/// `mode` = static is the PS-P that NC-DRF (Wang and Wang) plots: a flow gets the smaller of its
/// parts at its two ports, and unused rate is lost. `mode` = wfq has the rates of backlogged flows
/// with fair queues at both ends: unused rate goes to others, first to coflows. The fluid engine
/// computes this mode with levels of coflows at ports (FairQueueLevels). Decide() finds the same
/// fixed point by damped iteration over all flows, 20 to 60 times per decision. It always starts
/// from the rates of the ports. So where there are several fixed points, as with equally loaded
/// ports, its rates do not depend on earlier decisions.
class PsP : public AttainedPolicy
{
  public:
    /// @param parameters values of Specs()
    /// @throws InputError for mode wfq with a `coalesce` above 0
    explicit PsP(const Parameters& parameters);

    /// The parameters `mode` and `coalesce`.
    static std::vector<ParameterSpec> Specs();

    Triggers GetTriggers() const override
    {
        return {true, m_coalesce};
    }

    /// Fair queues stand at the ports; static parts are handed out by a coordinator.
    Control GetControl() const override
    {
        return m_wfq ? Control::LOCAL : Control::CENTRAL;
    }

    FluidForm GetForm() const override;

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// The flows of one coflow at one port.
    struct Part
    {
        std::uint32_t begin{0}; ///< first of its places in m_flows
        std::uint32_t end{0};   ///< one past the last of its places
    };

    /// Finds the parts of all ports.
    void FindParts(const AttainedView& view);

    /// The parts of one port, in the order of the view.
    std::span<const Part> PartsOf(HostPort port) const
    {
        return std::span(m_parts).subspan(m_partsBegin[port],
                                          m_partsBegin[port + 1] - m_partsBegin[port]);
    }

    /// The flows of a part: positions in the view.
    std::span<const std::uint32_t> FlowsOf(const Part& part) const
    {
        return std::span(m_flows).subspan(part.begin, part.end - part.begin);
    }

    /// Splits without handing out what is left: the static mode.
    void Split(std::span<double> rates) const;

    /// Iterates to the fixed point of fair queueing at both ends: the wfq mode.
    void Queue(const AttainedView& view, std::span<double> rates);

    /// Offers of one port to its flows, given their limits elsewhere.
    void Offer(HostPort port, std::span<const double> limits, std::span<double> offers);

    /// The level of fair queueing among the flows of a part.
    /// @param part the part; m_wanted holds the limits of its flows
    /// @param demand their sum, in the order of the flows
    /// @param offer what the part has
    /// @returns as WaterLevel
    double FlowLevel(const Part& part, double demand, double offer);

    bool m_wfq;             ///< wfq; otherwise static
    Nanoseconds m_coalesce; ///< how late it hears of flows
    PortBudget m_budget;    ///< working memory

    std::vector<Part> m_parts;                ///< working memory: by port, then coflow
    std::vector<std::uint32_t> m_partsBegin;  ///< working memory: per port, its first part
    std::vector<std::uint32_t> m_flows;       ///< working memory: positions, by part
    std::vector<std::uint32_t> m_flowsBegin;  ///< working memory: per port, while parts are found
    std::vector<std::uint32_t> m_lastPartRow; ///< working memory: per port, while parts are found

    std::vector<double> m_demands; ///< working memory: of a port's coflows
    std::vector<double> m_levels;  ///< working memory: the same, to be put in order
    std::vector<double> m_wanted;  ///< working memory: limits, by places in m_flows
    std::vector<double> m_sorted;  ///< working memory: limits of a part, in ascending order
    /// Working memory: per place in m_flows, which flow of its part had that rank when its part was
    /// put in order last.
    std::vector<std::uint32_t> m_ranked;
};

} // namespace coflow

#endif // COFLOW_PS_P_H
