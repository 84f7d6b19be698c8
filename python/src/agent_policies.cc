/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Policies whose decisions an Agent makes: an order, weights, or thresholds of D-CLAS. What they
// may know says what he is shown.

#include "agent.h"
#include "serving.h"

#include "ns3/coflow-dclas-policy.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-max-min-policy.h"
#include "ns3/coflow-order-policy.h"
#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ns3coflow
{

using ::coflow::AttainedPolicy;
using ::coflow::AttainedView;
using ::coflow::Bytes;
using ::coflow::ClairvoyantPolicy;
using ::coflow::ClairvoyantView;
using ::coflow::CoflowLoads;
using ::coflow::DclasPolicy;
using ::coflow::Decision;
using ::coflow::InputError;
using ::coflow::OrderPolicy;
using ::coflow::Parameters;
using ::coflow::PortBudget;
using ::coflow::PortRates;
using ::coflow::Triggers;

namespace
{

/// The agent of a policy.
class AgentLink
{
  public:
    /// @throws InputError where there is none, since nobody but an environment has one
    Agent& Get() const
    {
        if (m_agent == nullptr)
        {
            throw InputError("a scheduler that asks an agent was run without one; allowed: in an "
                             "environment of ns3coflow.gym");
        }
        return *m_agent;
    }

    /// @return Agent::ReportPeriod(), or NEVER where there is no agent
    ::coflow::Nanoseconds ReportPeriod() const
    {
        return m_agent ? m_agent->ReportPeriod() : ::coflow::NEVER;
    }

  private:
    Agent* m_agent{AgentOfThread()};
};

/// Keys of an order: what the agent said, and behind them, by arrival, what he has not seen.
void
FillKeys(const Agent& agent, std::span<const ::coflow::CoflowRow> rows, std::span<double> keys)
{
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        keys[r] = agent.ValueOf(rows[r].id, std::numeric_limits<double>::infinity());
    }
}

/// An order from the agent, who sees sizes: rates by MADD and backfill.
class AgentOrder final : public OrderPolicy
{
  public:
    explicit AgentOrder(const Parameters& parameters)
        : OrderPolicy(parameters)
    {
    }

  protected:
    void Keys(const ClairvoyantView& view,
              const CoflowLoads& /*loads*/,
              const PortBudget& budget,
              std::span<double> keys) const override
    {
        m_agent.Get().Consult(view, CapacityOf(budget));
        FillKeys(m_agent.Get(), view.coflows, keys);
    }

    ::coflow::Nanoseconds NextOrder(const ClairvoyantView& view) const override
    {
        return m_agent.Get().NextTime(view.now);
    }

  private:
    AgentLink m_agent;
};

/// An order from the agent, who sees no sizes: coflow by coflow, flows share max-min fairly.
class AgentAttainedOrder final : public AttainedPolicy
{
  public:
    explicit AgentAttainedOrder(const Parameters& /*parameters*/)
    {
    }

    /// What a flow leaves when it finishes is handed on at once.
    Triggers GetTriggers() const override
    {
        return {true, 0};
    }

    ::coflow::Nanoseconds ReportPeriod() const override
    {
        return m_agent.ReportPeriod();
    }

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override
    {
        m_agent.Get().Consult(view, capacity);
        m_keys.resize(view.coflows.size());
        FillKeys(m_agent.Get(), view.coflows, m_keys);
        m_server.Serve(view, capacity, m_keys, rates);
        return {m_agent.Get().NextTime(view.now), false};
    }

  private:
    AgentLink m_agent;
    std::vector<double> m_keys;
    FairInOrder m_server;
};

/// Weights from the agent: max-min fairness among all flows, each with the weight of its coflow.
/// @tparam Base says whether the agent sees sizes
template <typename Base>
class AgentWeights final : public ::coflow::MaxMinPolicy<Base>
{
  public:
    using View =
        std::conditional_t<std::is_same_v<Base, AttainedPolicy>, AttainedView, ClairvoyantView>;

    explicit AgentWeights(const Parameters& /*parameters*/)
    {
    }

    ::coflow::Nanoseconds ReportPeriod() const override
    {
        return std::is_same_v<Base, AttainedPolicy> ? m_agent.ReportPeriod() : ::coflow::NEVER;
    }

    Decision Allocate(const View& view, const PortRates& capacity, std::span<double> rates) override
    {
        m_agent.Get().Consult(view, capacity);
        m_weights.resize(view.Positions());
        for (const auto& row : view.coflows)
        {
            // One that he has not seen weighs as much as any can.
            const double weight = m_agent.Get().ValueOf(row.id, 1);
            std::fill(m_weights.begin() + row.begin, m_weights.begin() + row.end, weight);
        }
        this->Share(view, capacity, rates, [this](std::uint32_t f) { return m_weights[f]; });
        return {m_agent.Get().NextTime(view.now), false};
    }

  private:
    AgentLink m_agent;
    std::vector<double> m_weights; ///< per flow
};

/// Thresholds of D-CLAS from the agent: otherwise Aalo.
class AgentThresholds final : public DclasPolicy
{
  public:
    explicit AgentThresholds(const Parameters& parameters)
        : DclasPolicy(parameters)
    {
    }

    ::coflow::Nanoseconds MoveThresholds(const AttainedView& view,
                                         const PortRates& capacity) override
    {
        auto& agent = m_agent.Get();
        if (agent.Consult(view, capacity))
        {
            const auto said = agent.Values();
            SetThresholds(std::vector<Bytes>(said.begin(), said.end()));
        }
        return agent.NextTime(view.now);
    }

  private:
    AgentLink m_agent;
};

/// Enters a policy in the place of the one of before.
template <typename P>
void
Enter(const char* name, const char* summary, std::vector<::coflow::ParameterSpec> parameters)
{
    ::coflow::Policies::Replace(
        {name,
         summary,
         std::is_base_of_v<ClairvoyantPolicy, P> ? ::coflow::Knowledge::CLAIRVOYANT
                                                 : ::coflow::Knowledge::ATTAINED,
         std::move(parameters),
         [](const Parameters& given) { return std::make_unique<P>(given); }});
}

} // namespace

void
EnterAgentPolicies()
{
    Enter<AgentOrder>("agent-order",
                      "an order from an agent that sees sizes; MADD and backfill",
                      OrderPolicy::SpecsWithoutGuard());
    Enter<AgentAttainedOrder>("agent-order-attained",
                              "an order from an agent that sees no sizes; max-min fair in order",
                              {});
    Enter<AgentWeights<ClairvoyantPolicy>>("agent-weights",
                                           "weights from an agent that sees sizes; max-min fair",
                                           {});
    Enter<AgentWeights<AttainedPolicy>>("agent-weights-attained",
                                        "weights from an agent that sees no sizes; max-min fair",
                                        {});
    Enter<AgentThresholds>("agent-thresholds",
                           "thresholds of D-CLAS from an agent; otherwise aalo",
                           DclasPolicy::Specs(10, 1));
}

} // namespace ns3coflow
