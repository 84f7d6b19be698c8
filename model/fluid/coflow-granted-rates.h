/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_GRANTED_RATES_H
#define COFLOW_GRANTED_RATES_H

#include "ns3/coflow-fluid-run.h"
#include "ns3/coflow-policy.h"

#include <span>
#include <vector>

namespace coflow
{

/// The rates that a coordinator has granted to flows, where they may differ from the rates in
/// force. The rates differ because a decision takes effect after a delay, and because flows that
/// bypass the coordinator may lower the rates of other flows.
class GrantedRates
{
  public:
    /// @param run the workload
    explicit GrantedRates(const FluidRun& run);

    /// Stores the rates of a decision until it takes effect.
    /// @param table the flows of the decision
    /// @param rates one per flow of the table, in bytes per second
    void Decide(const FlowTable& table, std::span<const double> rates);

    /// Makes the rates of the last decision the granted rates.
    void TakeEffect();

    /// Puts the granted rates in force, where other rates are in force. Flows that arrived after
    /// the decision have no rate.
    void PutInForce(FlowTable& table);

    /// Notes that the caller is about to lower the rates in force.
    void Lower()
    {
        m_inForce = false;
    }

  private:
    const FluidRun& m_run;         ///< the workload
    std::vector<double> m_granted; ///< granted rates by flow of the workload, in bytes per second
    std::vector<double> m_decided; ///< rates of the decision in progress, likewise
    bool m_inForce{true};          ///< whether the rates in the table are m_granted
};

} // namespace coflow

#endif // COFLOW_GRANTED_RATES_H
