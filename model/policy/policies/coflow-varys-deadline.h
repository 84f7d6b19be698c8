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

/// Varys in deadline mode (SIGCOMM 2014, section 5.4). Each flow of an admitted coflow needs the
/// rate remaining / time left. A coflow is admitted if it can finish in time with the capacity that
/// all admitted coflows leave at these rates. Admitted coflows get at least these rates at every
/// decision. The unused capacity goes to admitted coflows in the order of their deadlines, then to
/// coflows without a deadline, and then to coflows that have missed their deadline. So in the fluid
/// engine all admitted coflows meet their deadlines. The admission of a rejected coflow is tried
/// again every `retryAfter` until its deadline. A coflow that is rejected in the end is not sent,
/// or, with `bestEffort`, is sent with the capacity that admitted coflows leave.
///
/// The time left counts from now, and not from the arrival. (Algorithms that divide by the whole
/// deadline miss feasible deadlines.) A coflow with a past deadline, or without a deadline, gets
/// only unused capacity. The policy decides when coflows arrive and finish. A decision costs
/// O(flows).
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
    /// Whether a coflow can finish in time, with the needed rates of all others.
    bool Fits(const ClairvoyantView& view, std::size_t row, const PortRates& capacity);

    /// Seconds until the deadline of a coflow; not positive if the deadline is past; infinite if
    /// the coflow has no deadline or no guarantee.
    double TimeLeft(const ClairvoyantView& view, std::size_t row) const;

    /// Whether a coflow was rejected and is sent nevertheless.
    bool IsBestEffort(const CoflowRow& row) const
    {
        return row.index < m_bestEffortRows.size() && m_bestEffortRows[row.index] != 0;
    }

    double m_pad;             ///< safety margin of admission
    double m_minimum;         ///< shortest time in admissions, in seconds
    Nanoseconds m_retryAfter; ///< time until a rejected coflow comes again; 0: never
    bool m_bestEffort;        ///< send rejected coflows
    std::vector<std::uint8_t> m_bestEffortRows; ///< by coflow index: rejected, but sent
    PortBudget m_budget;                        ///< working memory
    CoflowLoads m_loads;                        ///< working memory
    MaxMinFiller m_filler;                      ///< working memory
    std::vector<std::uint32_t> m_order;         ///< working memory: rows, most urgent first
};

} // namespace coflow

#endif // COFLOW_VARYS_DEADLINE_H
