/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_STARVATION_GUARD_H
#define COFLOW_STARVATION_GUARD_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-parameter.h"
#include "ns3/coflow-view.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// The T/delta machine of Varys (SIGCOMM 2014, section 5.3): after every interval T, the
/// coflows that were present throughout and got no rate at all share the fabric for
/// delta as if they were one coflow, while all others wait. Then the next T begins.
///
/// So every coflow gets some bytes in any 2 (T + delta). This adds at most delta per interval to
/// the completion time of a coflow.
class StarvationGuard
{
  public:
    /// The action of the policy at a decision.
    enum class Phase
    {
        NORMAL, ///< compute rates, then call Note()
        RESCUE, ///< call Rescue(): an interval delta begins
        KEEP    ///< keep the rates in force
    };

    /// The parameters `T` and `delta`, for policies that have a guard.
    static std::vector<ParameterSpec> Specs();

    /// @param parameters values of Specs()
    explicit StarvationGuard(const Parameters& parameters);

    /// Begins a decision: goes to the next interval if the present interval is over.
    /// @param view the coflows
    /// @param eventless whether there was no event since the last decision
    /// @return the action of the policy
    Phase Enter(const StructureView& view, bool eventless);

    /// Gives the starved coflows their rates.
    /// @param amount per flow of the view: rates are in proportion to this number
    void Rescue(const StructureView& view,
                std::span<const double> amount,
                const CoflowLoads& loads,
                PortBudget& budget,
                std::span<double> rates);

    /// Stores the flows that have a rate.
    void Note(const StructureView& view, std::span<const double> rates);

    /// Time of the next decision: the end of the present interval; NEVER without coflows or without
    /// a guard.
    Nanoseconds AskAgain(const StructureView& view) const;

  private:
    /// Starts an interval T.
    void StartInterval(Nanoseconds now);

    /// Counts coflows as served that have an unfinished flow with a rate of the last decision.
    void CountHolders(const StructureView& view);

    /// Counts a coflow as served in this interval.
    void Serve(std::uint32_t index)
    {
        m_served.resize(std::max<std::size_t>(m_served.size(), index + 1));
        m_served[index] = 1;
    }

    /// Whether a coflow got a rate in this interval.
    bool Served(std::uint32_t index) const
    {
        return index < m_served.size() && m_served[index] != 0;
    }

    Nanoseconds m_interval;             ///< T; 0: no guard
    Nanoseconds m_delta;                ///< delta
    Nanoseconds m_start{-1};            ///< begin of the interval T
    Nanoseconds m_end{0};               ///< end of the present interval
    bool m_rescuing{false};             ///< whether the present interval is a delta
    std::vector<std::uint8_t> m_served; ///< by coflow index: it got a rate in this interval
    /// Coflow index and id of the flows that got a rate in the last decision.
    std::vector<std::pair<std::uint32_t, FlowId>> m_holding;
    std::vector<std::uint32_t> m_starved; ///< coflow indices served in this delta, ascending
};

} // namespace coflow

#endif // COFLOW_STARVATION_GUARD_H
