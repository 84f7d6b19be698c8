/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DECISION_ENGINE_H
#define COFLOW_DECISION_ENGINE_H

#include "ns3/coflow-fluid-run.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <vector>

namespace coflow
{

/// The executor for any policy: rates are constant from one decision to the next.
///
/// Nothing happens to a flow between decisions: how much it moved and when it finished is
/// worked out at the next one, in one pass over contiguous arrays. A run so costs
/// O(decisions x flows present), however many flows finish in between.
class DecisionEngine
{
  public:
    /// @param run workload and records
    /// @param policy who decides
    DecisionEngine(FluidRun& run, Policy& policy);

    /// Runs to the end.
    void Run();

  private:
    /// Moves what flows at the rates in force until `time`, and removes what finished.
    void Settle(Nanoseconds time);

    /// Takes the coflows that are ready at `time`.
    void TakeReady(Nanoseconds time);

    /// Asks the policy for rates.
    void Decide();

    /// Works out when flows and coflows will finish at the rates in force.
    void Foresee();

    /// When the flows of a row finish.
    struct Outlook
    {
        Nanoseconds first{NEVER}; ///< the first of them
        Nanoseconds last{NEVER};  ///< the last of them
        double rate{0};           ///< sum of their rates
    };

    /// When a flow finishes at the rates in force.
    Nanoseconds FinishOf(std::uint32_t flow) const
    {
        return TimeAfter(m_now, m_table.Remaining()[flow], m_table.Rates()[flow]);
    }

    /// Tells the observer of the interval that ends.
    void Observe(Nanoseconds time);

    FluidRun& m_run;                      ///< workload and records
    Policy& m_policy;                     ///< who decides
    const Triggers m_triggers;            ///< when it wants to be asked
    FlowTable m_table;                    ///< what is unfinished
    Nanoseconds m_now{0};                 ///< time up to which m_table is settled
    Nanoseconds m_askAgain{NEVER};        ///< when the policy wants to be asked again
    Nanoseconds m_completion{NEVER};      ///< next completion that causes a decision
    std::vector<Outlook> m_outlook;       ///< per row
    std::vector<std::uint8_t> m_finished; ///< per flow: it has finished
    std::vector<double> m_rates;          ///< what the policy answers
};

} // namespace coflow

#endif // COFLOW_DECISION_ENGINE_H
