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

/// What a coordinator has granted to every flow, where that is not simply what is in force: a
/// decision may take effect later than it is made, and flows that bypass the coordinator may take
/// from others what these were granted.
class GrantedRates
{
  public:
    /// @param run the workload
    explicit GrantedRates(const FluidRun& run);

    /// Keeps what a decision says until it takes effect.
    /// @param table the flows that it was made for
    /// @param rates one per flow of the table, in bytes per second
    void Decide(const FlowTable& table, std::span<const double> rates);

    /// What was decided last is granted from now on.
    void TakeEffect();

    /// Puts the granted rates in force where others are. Flows that came after the decision have
    /// none.
    void PutInForce(FlowTable& table);

    /// The rates in force are about to be lowered.
    void Lower()
    {
        m_inForce = false;
    }

  private:
    const FluidRun& m_run;         ///< the workload
    std::vector<double> m_granted; ///< by flow of the workload: in bytes per second
    std::vector<double> m_decided; ///< likewise, by the decision under way
    bool m_inForce{true};          ///< the rates in the table are m_granted
};

} // namespace coflow

#endif // COFLOW_GRANTED_RATES_H
