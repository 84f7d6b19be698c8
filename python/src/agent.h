/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PYTHON_AGENT_H
#define COFLOW_PYTHON_AGENT_H

#include "ns3/coflow-view.h"

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <variant>
#include <vector>

namespace [[gnu::visibility("hidden")]] ns3coflow
{

/// What an agent is shown of the coflows that a policy sees without their sizes. Rows are slots:
/// the coflows in the order of their arrival, and zeros behind them. There is no field for a size.
struct AttainedState
{
    ::coflow::Nanoseconds now{0};        ///< time of the decision
    std::size_t hidden{0};               ///< coflows for which there was no slot
    std::vector<::coflow::CoflowId> ids; ///< coflows in slots, as many as there are
    std::vector<double> age;             ///< per slot: seconds since its coflow was ready
    std::vector<double> width;           ///< per slot: flows that it was registered with
    std::vector<double> flows;           ///< per slot: unfinished flows
    std::vector<double> sent;            ///< per slot: bytes moved so far
    std::vector<double> flowsAtPort;     ///< per slot and port: unfinished flows
    std::vector<double> portRate;        ///< per port: uplinks, then downlinks; bytes per second
};

/// The same of a policy that knows sizes, and these.
struct ClairvoyantState : AttainedState
{
    std::vector<double> total;           ///< per slot: bytes as registered
    std::vector<double> length;          ///< per slot: bytes of the largest flow, as registered
    std::vector<double> bottleneck;      ///< per slot: bytes of the most loaded port, as registered
    std::vector<double> remaining;       ///< per slot: bytes still to move
    std::vector<double> remainingAtPort; ///< per slot and port: bytes still to move
};

/// Somebody outside of the engine who decides for a policy: he is asked at decisions, and what he
/// said last counts until then.
class Agent
{
  public:
    /// @param slots coflows that he is shown at most
    /// @param interval time between two decisions; 0: one whenever other coflows are present
    /// @param ask called where State() is to be decided on; Act() is called meanwhile
    Agent(std::size_t slots, ::coflow::Nanoseconds interval, std::function<void()> ask);

    /// Asks him where it is time to.
    /// @param view what the policy may know; it says what the agent is shown
    /// @param capacity rates of the ports
    /// @returns whether he was asked
    bool Consult(const ::coflow::AttainedView& view, const ::coflow::PortRates& capacity);

    /// The same with sizes.
    bool Consult(const ::coflow::ClairvoyantView& view, const ::coflow::PortRates& capacity);

    /// When a policy has to be asked again for his sake.
    ::coflow::Nanoseconds NextTime(::coflow::Nanoseconds now) const;

    /// How often hosts have to report for his sake; see Policy::ReportPeriod().
    ::coflow::Nanoseconds ReportPeriod() const
    {
        return m_interval > 0 ? m_interval : ::coflow::NEVER;
    }

    /// What he said last of a coflow.
    /// @param other where he has not seen it
    double ValueOf(::coflow::CoflowId coflow, double other) const;

    /// What he said last, as it was.
    std::span<const double> Values() const
    {
        return m_values;
    }

    /// What he is to decide on.
    const AttainedState& State() const;

    /// The same with sizes; null where the policy knows none.
    const ClairvoyantState* Sizes() const
    {
        return std::get_if<ClairvoyantState>(&m_state);
    }

    /// He decides.
    /// @param values per slot, or whatever his policy wants
    void Act(std::span<const double> values);

  private:
    template <typename State, typename View>
    bool ConsultAs(const View& view, const ::coflow::PortRates& capacity);

    /// Whether it is time for a decision.
    bool IsDue(const ::coflow::StructureView& view) const;

    std::size_t m_slots;
    ::coflow::Nanoseconds m_interval;
    std::function<void()> m_ask;
    std::variant<AttainedState, ClairvoyantState> m_state;
    std::vector<::coflow::CoflowId> m_present;      ///< coflows at the last decision
    ::coflow::Nanoseconds m_next{0};                ///< time of the next decision, with an interval
    bool m_asked{false};                            ///< there was one
    std::vector<double> m_values;                   ///< see Values()
    std::map<::coflow::CoflowId, double> m_valueOf; ///< by coflow that was shown
};

/// The agent that policies are made for in this thread; null: they cannot decide.
Agent*& AgentOfThread();

/// Enters the policies that ask an agent into the registry.
void EnterAgentPolicies();

} // namespace ns3coflow

#endif // COFLOW_PYTHON_AGENT_H
