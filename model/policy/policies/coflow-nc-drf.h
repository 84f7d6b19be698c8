/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_NC_DRF_H
#define COFLOW_NC_DRF_H

#include "ns3/coflow-policy.h"
#include "ns3/coflow-progress.h"

namespace coflow
{

/// NC-DRF (Wang and Wang): DRF that does not know sizes, with the number of unfinished
/// flows at a port as the demand. All flows of a coflow get the same rate; what is left is
/// then handed out in one shot, to each flow the smaller of the spare rates per flow of its
/// two ports.
///
/// Counts are read again when a coflow comes or goes and, as the paper leaves open, when
/// flows finish (parameters `rescheduleOnFlow`, `coalesce`): otherwise rate stays reserved
/// for flows that are gone. A decision costs O(flows).
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
    /// Hands out what is left, once.
    /// @param again whether the budget is needed afterwards
    void Backfill(const AttainedView& view, bool again, std::span<double> rates);

    Triggers m_triggers;         ///< when to decide
    int m_backfillRounds;        ///< how often what is left is handed out
    PortBudget m_budget;         ///< working memory
    CoflowLoads m_counts;        ///< working memory
    EqualProgress m_progress;    ///< working memory
    std::vector<double> m_flows; ///< working memory: per port, number of flows
    std::vector<double> m_spare; ///< working memory: per port, rate left per flow
};

} // namespace coflow

#endif // COFLOW_NC_DRF_H
