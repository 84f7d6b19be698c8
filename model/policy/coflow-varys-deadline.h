/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_VARYS_DEADLINE_H
#define COFLOW_VARYS_DEADLINE_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <vector>

namespace coflow
{

/// Varys in deadline mode (SIGCOMM 2014, section 5.4). A coflow is admitted if it can finish in
/// time on what the admitted ones leave when each flow of theirs gets remaining / time left. They
/// then get at least that at every decision, and what is left goes to them in the order of their
/// deadlines; so all that is admitted meets its deadline. Rejected coflows are not sent.
///
/// Time left is counted from now, not from the arrival (algorithms that divide by the whole
/// deadline miss feasible ones). A coflow whose deadline is over, or that has none, gets only
/// what is left. Decides with coflows; costs O(flows) per decision.
class VarysDeadline : public ClairvoyantPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit VarysDeadline(const Parameters& parameters);

    /// Its parameters.
    static std::vector<ParameterSpec> Specs();

    bool AdmitCoflow(const ClairvoyantView& view,
                     std::size_t row,
                     const PortRates& capacity) override;

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    double m_pad;                       ///< safety margin of admission
    double m_minimum;                   ///< shortest time that admission counts with, in seconds
    PortBudget m_budget;                ///< working memory
    CoflowLoads m_loads;                ///< working memory
    MaxMinFiller m_filler;              ///< working memory
    std::vector<std::uint32_t> m_order; ///< working memory: rows by deadline
};

/// Rows of a view by deadline, those without one last.
std::vector<std::uint32_t> OrderByDeadline(const ClairvoyantView& view);

} // namespace coflow

#endif // COFLOW_VARYS_DEADLINE_H
