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

/// FairCloud's PS-P (SIGCOMM 2012) with coflows as tenants: every port splits its rate
/// equally between the coflows that use it, and each part equally between the flows of the
/// coflow there. Sizes are not known. Decides whenever a flow comes or goes.
///
/// `mode` = static is what NC-DRF (Wang and Wang) plots: a flow gets the smaller of its parts
/// at its two ports, and what it cannot use there is lost. `mode` = wfq is what fair queues at
/// both ends do with backlogged flows: what one cannot use goes to the others, coflows first;
/// the fixed point is found by damped iteration, which costs some 20 to 60 passes over all
/// flows per decision. It starts from the rates of the ports every time: where ports are equally
/// loaded there are several fixed points, and rates must not depend on what was before.
class PsP : public AttainedPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit PsP(const Parameters& parameters)
        : m_wfq(parameters.Is("mode", "wfq"))
    {
    }

    /// The parameter `mode`.
    static std::vector<ParameterSpec> Specs();

    Triggers GetTriggers() const override
    {
        return {true, 0};
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
        std::vector<std::uint32_t> flows; ///< positions in the view
    };

    /// One port and who uses it.
    struct Port
    {
        std::vector<Part> parts; ///< coflows present, in the order of the view
    };

    /// Splits without handing out what is left: the static mode.
    void Split(std::span<double> rates) const;

    /// Iterates to the fixed point of fair queueing at both ends: the wfq mode.
    void Queue(const AttainedView& view, std::span<double> rates);

    /// Offers of one port to its flows, given their limits elsewhere.
    void Offer(const Port& port,
               double rate,
               std::span<const double> limits,
               std::span<double> offers);

    bool m_wfq;                ///< wfq; otherwise static
    PortBudget m_budget;       ///< working memory
    std::vector<Port> m_ports; ///< working memory

    std::vector<double> m_demands; ///< working memory: of a port's coflows
    std::vector<double> m_wanted;  ///< working memory: what is put in order
};

} // namespace coflow

#endif // COFLOW_PS_P_H
