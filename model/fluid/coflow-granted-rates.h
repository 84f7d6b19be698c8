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
/// force. They differ because a decision takes effect later than it is made, and because flows that
/// bypass the coordinator may lower the rates of others.
class GrantedRates
{
  public:
    /// @param run the workload
    explicit GrantedRates(const FluidRun& run);

    /// Stores the rates of a decision until it takes effect.
    /// @param table the flows of the decision
    /// @param rates one per flow of the table, in bytes per second
    void Decide(const FlowTable& table, std::span<const double> rates);

    /// The last decision takes effect.
    void TakeEffect();

    /// Puts the granted rates in force, where other rates are in force. Flows that arrived after
    /// the decision have no rate.
    void PutInForce(FlowTable& table);

    /// The rates in force are about to be lowered.
    void Lower()
    {
        m_inForce = false;
    }

  private:
    const FluidRun& m_run;         ///< the workload
    std::vector<double> m_granted; ///< by flow of the workload: in bytes per second
    std::vector<double> m_decided; ///< the same, of the decision in progress
    bool m_inForce{true};          ///< the rates in the table are m_granted
};

} // namespace coflow

#endif // COFLOW_GRANTED_RATES_H
