/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_NC_DRF_H
#define COFLOW_NC_DRF_H

#include "ns3/coflow-policy.h"
#include "ns3/coflow-progress.h"

namespace coflow
{

/// NC-DRF (Wang and Wang): DRF without sizes, with the number of unfinished flows at a port as the
/// demand. All flows of a coflow get the same rate. Then one round of backfill gives each flow the
/// smaller of its two ports' unused rates per flow.
///
/// Counts are updated when a coflow arrives or finishes, and also when flows finish, which the
/// paper does not define (parameters `rescheduleOnFlow`, `coalesce`). Otherwise rates would stay
/// reserved for finished flows. A decision costs O(flows).
class NcDrf : public AttainedPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit NcDrf(const Parameters& parameters);

    /// Its parameters.
    static std::vector<ParameterSpec> Specs();

    Triggers GetTriggers() const override
    {
        return m_triggers;
    }

    FluidForm GetForm() const override;

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// Gives unused capacity to flows, once.
    /// @param again whether the budget is needed afterwards
    void Backfill(const AttainedView& view, bool again, std::span<double> rates);

    Triggers m_triggers;         ///< when to decide
    int m_backfillRounds;        ///< number of rounds of backfill
    PortBudget m_budget;         ///< working memory
    CoflowLoads m_counts;        ///< working memory
    EqualProgress m_progress;    ///< working memory
    std::vector<double> m_flows; ///< working memory: per port, number of flows
    std::vector<double> m_spare; ///< working memory: per port, rate left per flow
};

} // namespace coflow

#endif // COFLOW_NC_DRF_H
