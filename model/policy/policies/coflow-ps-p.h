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
/// with fair queues at both ends: unused rate of a flow goes to other flows of its coflow, and
/// unused rate of a coflow goes to other coflows. The fluid engine computes this mode with levels
/// of coflows at ports (FairQueueLevels). Decide() finds the same fixed point by damped iteration
/// over all flows, 20 to 60 times per decision. It always starts from the rates of the ports. So if
/// there are several fixed points, as with equally loaded ports, its rates do not depend on earlier
/// decisions.
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

    /// Fair queues are at the ports. A coordinator sends the rates of static parts.
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
        std::uint32_t begin{0}; ///< first of its positions in m_flows
        std::uint32_t end{0};   ///< one past the last of its positions
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

    /// Computes the rates of the static mode: equal parts. Unused rates stay unused.
    void Split(std::span<double> rates) const;

    /// Computes the rates of the wfq mode: iterates to the fixed point of fair queueing at both
    /// ends.
    void Queue(const AttainedView& view, std::span<double> rates);

    /// Computes the rates that a port offers to its flows.
    /// @param port the port
    /// @param limits per flow: rate that the flow's other port offers
    /// @param offers per flow: set for the flows of the port
    void Offer(HostPort port, std::span<const double> limits, std::span<double> offers);

    /// The level of fair queueing among the flows of a part.
    /// @param part the part; m_wanted holds the limits of its flows
    /// @param demand sum of these limits, in the order of the flows
    /// @param offer rate of the part
    /// @returns the level, as WaterLevel()
    double FlowLevel(const Part& part, double demand, double offer);

    bool m_wfq;             ///< wfq; otherwise static
    Nanoseconds m_coalesce; ///< delay from the completion of a flow to the decision
    PortBudget m_budget;    ///< working memory

    std::vector<Part> m_parts;                ///< working memory: by port, then coflow
    std::vector<std::uint32_t> m_partsBegin;  ///< working memory: per port, its first part
    std::vector<std::uint32_t> m_flows;       ///< working memory: positions, by part
    std::vector<std::uint32_t> m_flowsBegin;  ///< working memory: per port, while parts are found
    std::vector<std::uint32_t> m_lastPartRow; ///< working memory: per port, while parts are found

    std::vector<double> m_demands; ///< working memory: demands of a port's coflows
    std::vector<double> m_levels;  ///< working memory: copy of m_demands for WaterLevel()
    std::vector<double> m_wanted;  ///< working memory: limits, by position in m_flows
    std::vector<double> m_sorted;  ///< working memory: limits of a part, in ascending order
    /// Working memory: per position in m_flows, the flow of its part that had this rank when the
    /// part was last sorted.
    std::vector<std::uint32_t> m_ranked;
};

} // namespace coflow

#endif // COFLOW_PS_P_H
