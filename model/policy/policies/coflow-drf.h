/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DRF_H
#define COFLOW_DRF_H

#include "ns3/coflow-policy.h"
#include "ns3/coflow-progress.h"

namespace coflow
{

/// DRF between coflows, the clairvoyant baseline of isolation in NC-DRF (Wang and Wang): equal
/// progress for all coflows, without backfill. All flows of a coflow finish together, so rates
/// change only when coflows arrive and finish. A decision costs O(flows).
class Drf : public ClairvoyantPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Drf(const Parameters& parameters)
        : m_workConserving(parameters.Flag("workConserving"))
    {
    }

    /// The parameter `workConserving`.
    static std::vector<ParameterSpec> Specs();

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    bool m_workConserving;    ///< give unused capacity to flows by weighted max-min
    PortBudget m_budget;      ///< working memory
    CoflowLoads m_loads;      ///< working memory
    EqualProgress m_progress; ///< working memory
    MaxMinFiller m_filler;    ///< working memory
};

/// Gives every coflow its rates under equal progress.
/// @param view the coflows
/// @param loads their remaining bytes
/// @param progress computed from the loads
/// @param budget unused capacity of the ports, reduced by the new rates
/// @param rates rates per flow, in bytes per second; set by this function
void AllocateEqualProgress(const ClairvoyantView& view,
                           const CoflowLoads& loads,
                           const EqualProgress& progress,
                           PortBudget& budget,
                           std::span<double> rates);

} // namespace coflow

#endif // COFLOW_DRF_H
