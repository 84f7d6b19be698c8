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
/// deadlines, those without one next, those that have missed theirs last; so all that is admitted
/// meets its deadline as a fluid. A rejected coflow is put forward again
/// every `retryAfter` as long as its deadline is ahead; then it is not sent or, with
/// `bestEffort`, sent on what all admitted ones leave.
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

    Admission AdmitCoflow(const ClairvoyantView& view,
                          std::size_t row,
                          const PortRates& capacity) override;

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// Whether a coflow can finish in time beside what is owed to the others.
    bool Fits(const ClairvoyantView& view, std::size_t row, const PortRates& capacity);

    /// Seconds until the deadline of a coflow; not positive if it is over, infinite if there
    /// is none or nothing is owed to it.
    double TimeLeft(const ClairvoyantView& view, std::size_t row) const;

    /// Whether a coflow was rejected and is sent all the same.
    bool IsBestEffort(const CoflowRow& row) const
    {
        return row.index < m_bestEffortRows.size() && m_bestEffortRows[row.index] != 0;
    }

    double m_pad;             ///< safety margin of admission
    double m_minimum;         ///< shortest time that admission counts with, in seconds
    Nanoseconds m_retryAfter; ///< time until a rejected coflow comes again; 0: never
    bool m_bestEffort;        ///< send what is rejected
    std::vector<std::uint8_t> m_bestEffortRows; ///< by coflow index: rejected, but sent
    PortBudget m_budget;                        ///< working memory
    CoflowLoads m_loads;                        ///< working memory
    MaxMinFiller m_filler;                      ///< working memory
    std::vector<std::uint32_t> m_order;         ///< working memory: rows, most urgent first
};

/// Rows of a view by deadline, those without one last.
std::vector<std::uint32_t> OrderByDeadline(const ClairvoyantView& view);

} // namespace coflow

#endif // COFLOW_VARYS_DEADLINE_H
