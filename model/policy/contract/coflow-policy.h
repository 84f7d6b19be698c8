/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_POLICY_H
#define COFLOW_POLICY_H

#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-parameter.h"
#include "ns3/coflow-triggers.h"
#include "ns3/coflow-view.h"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace coflow
{

/// The information on coflows that a policy gets.
enum class Knowledge
{
    CLAIRVOYANT, ///< sizes, remaining bytes and deadlines
    ATTAINED     ///< bytes sent and flow counts only
};

/// The place where a policy decides. Control messages cost time where a coordinator takes part.
enum class Control
{
    CENTRAL, ///< at a coordinator, which learns of coflows and sends rates to hosts
    HYBRID,  ///< at hosts, to which a coordinator sends sums of bytes from time to time
    LOCAL    ///< at hosts or switches, from local information only
};

/// The decision of an admission control on a coflow.
struct Admission
{
    bool admitted{true}; ///< the coflow is admitted
    bool served{true};   ///< the coflow's flows are sent
    /// Time of the next admission request of a coflow that is neither admitted nor served. NEVER:
    /// no further request.
    Nanoseconds retry{NEVER};

    /// @return the coflow is admitted and served
    static Admission Accept()
    {
        return {};
    }

    /// @return the coflow is never served
    static Admission Reject()
    {
        return {false, false, NEVER};
    }

    /// @return the coflow is served without a guarantee
    static Admission BestEffort()
    {
        return {false, true, NEVER};
    }

    /// @param time in nanoseconds
    /// @return the coflow waits, and the policy is asked again at this time
    static Admission Later(Nanoseconds time)
    {
        return {false, false, time};
    }
};

/// A policy's decision, except the rates.
struct Decision
{
    Nanoseconds askAgain{NEVER}; ///< time at which to ask again, even without an event
    bool unchanged{false};       ///< the rates in force stay; the policy has written no rates
    /// Rows, most urgent first, for a transport that cannot enforce all rates. Empty: all rates are
    /// equally important. Valid until the policy is asked again.
    std::span<const std::uint32_t> order{};
    /// Rows with a flow whose rate was below the least rate (Policy::SetLeastRate()). The rate of
    /// this flow was raised, or is now 0. Valid until the policy is asked again.
    std::span<const std::uint32_t> raised{};
    /// The new path of every flow. NO_PATH: the flow keeps its path. Empty: all flows keep their
    /// paths. Valid until the policy is asked again.
    std::span<const PathNumber> paths{};
};

/// The form of a policy with static weights: every flow gets weight x min(level of its sending
/// port, level of its receiving port). With this form, the engine computes one clock per port
/// instead of one rate per flow.
struct SharingForm
{
    /// The rule for the levels of ports.
    enum class Levels
    {
        MAX_MIN,          ///< weighted max-min fairness
        SPLIT,            ///< capacity / sum of weights; unused capacity stays unused
        PER_COFLOW_SPLIT, ///< capacity / number of coflows / sum of the coflow's weights
        PER_COFLOW_QUEUES ///< fair queues of coflows and of their flows; all capacity is used
    };

    bool sizeWeights{false};        ///< the weight of a flow is its size; otherwise 1
    Levels levels{Levels::MAX_MIN}; ///< rule for the levels
};

/// The form of a policy with a total order of flows, which serves flows greedily at full rate. The
/// order is by (major key, minor key, ready time, coflow id, flow id).
struct PriorityForm
{
    /// First key.
    enum class Major
    {
        NONE,     ///< no first key
        DEADLINE, ///< absolute deadline
        RECEIVER  ///< receiving host
    };

    Major major{Major::NONE}; ///< first key
    bool staticSize{false};   ///< second key: size as registered; otherwise remaining bytes

    /// @param dst receiving host of a flow
    /// @param deadline absolute deadline of its coflow, in nanoseconds
    /// @return the first key of the flow
    Nanoseconds MajorOf(HostId dst, Nanoseconds deadline) const
    {
        if (major == Major::RECEIVER)
        {
            return dst;
        }
        return major == Major::DEADLINE ? deadline : 0;
    }
};

/// The form of a policy with equal progress by flow counts (EqualProgress). With backfill, every
/// flow also gets the smaller of its two ports' unused capacities per flow.
struct ProgressForm
{
    Triggers triggers{};  ///< when the policy decides
    bool backfill{false}; ///< distribute unused capacity
};

/// The form of a policy with an order of coflows (Decision::order). The policy computes the order
/// when a coflow arrives or finishes, and keeps it between these events. If the engine passes no
/// array of rates, the policy returns the order only. Flows are served greedily at full rate in
/// this order. The flows of a coflow are served by (sending host, receiving host, flow id).
struct OrderForm
{
};

/// The form of a policy. The fluid engine is faster with a form. monostate: the policy has no form.
using FluidForm = std::variant<std::monostate, SharingForm, PriorityForm, ProgressForm, OrderForm>;

/// Decides the rates of flows. A policy schedules no events. An engine or a coordinator asks the
/// policy at an event. The policy answers with a rate for every flow of the view, and may request
/// the time of the next question. Between questions, a policy keeps only its own state of coflows
/// (a queue index, a phase), by CoflowRow::index.
///
/// A policy derives from one of two subclasses, which determine the information that the policy
/// gets. There is no third subclass, because the constructor is private.
class Policy
{
  public:
    virtual ~Policy() = default;

    /// @return the information that the policy gets
    virtual Knowledge GetKnowledge() const = 0;

    /// @return the events and times at which to ask the policy
    virtual Triggers GetTriggers() const
    {
        return {};
    }

    /// @return where the policy decides
    virtual Control GetControl() const
    {
        return Control::CENTRAL;
    }

    /// @return the period of hosts' reports of the progress of flows, in nanoseconds. NEVER: hosts
    ///         report only finished flows, and CoflowRow::longest is not computed
    virtual Nanoseconds ReportPeriod() const
    {
        return NEVER;
    }

    /// @return whether the order of a decision (Decision::order) is the whole decision. A
    ///         coordinator may then send hosts positions in the order instead of rates
    virtual bool DecidesOrder() const
    {
        return false;
    }

    /// @return when Admit() is called for new coflows. True: at the next decision, in the order of
    ///         (arrival, deadline, id), so that the result does not depend on the order of
    ///         messages. False: as soon as a coflow is ready
    virtual bool AdmitsWhenItDecides() const
    {
        return false;
    }

    /// @return whether the coordinator by default sends hosts an order instead of rates. Ports then
    ///         serve one coflow after the other
    virtual bool PrefersOrder() const
    {
        return false;
    }

    /// @return whether the policy chooses the paths of flows (Decision::paths) after a call of
    ///         ShowPaths()
    virtual bool ChoosesPaths() const
    {
        return false;
    }

    /// Gives the policy links and paths, before its first decision. Without this call, a policy
    /// that chooses paths decides for ports only.
    /// @param paths links and paths, which must exist as long as the policy is used
    /// @param share share of a link's rate that the policy may use, > 0
    virtual void ShowPaths([[maybe_unused]] const PathMap& paths, [[maybe_unused]] double share)
    {
    }

    /// Sets the least rate of a flow. The reason is that a TCP connection at a very low rate, such
    /// as a segment every tenth of a second, recovers from losses only by timeouts. Decide()
    /// applies the least rate to every policy, see RaiseToLeastRate().
    /// @param bytesPerSecond the least rate, at least 0; 0, the initial value: no least rate
    void SetLeastRate(double bytesPerSecond)
    {
        m_leastRate = bytesPerSecond;
    }

    /// @return the form of the policy; by default, no form. The fluid engine is faster with a form.
    ///         The form must give the same rates as Decide()
    virtual FluidForm GetForm() const
    {
        return {};
    }

    /// Decides whether a new coflow is served.
    /// @param table all coflows, the new coflow included
    /// @param row row of the new coflow
    /// @param now the time, in nanoseconds
    /// @param capacity rates of the ports, in bytes per second
    /// @return the decision
    virtual Admission Admit(const FlowTable& table,
                            std::size_t row,
                            Nanoseconds now,
                            const PortRates& capacity) = 0;

    /// Asks for rates.
    /// @param table all coflows; the policy gets the view of its Knowledge
    /// @param now the time, in nanoseconds
    /// @param capacity capacity of each port that the policy may use, in bytes per second
    /// @param rates per flow, all 0 before the call, in bytes per second. Decide() sets the rates.
    ///        No rate is between 0 and the least rate
    /// @return when to ask again, the order, and paths
    virtual Decision Decide(const FlowTable& table,
                            Nanoseconds now,
                            const PortRates& capacity,
                            std::span<double> rates) = 0;

  private:
    Policy() = default;
    friend class ClairvoyantPolicy;
    friend class AttainedPolicy;

    /// Applies the least rate to rates.
    /// @param view the flows
    /// @param capacity capacity of each port in the decision
    /// @param decision the policy's decision
    /// @param rates the policy's rates
    /// @return the decision with Decision::raised
    Decision KeepToLeastRate(const StructureView& view,
                             const PortRates& capacity,
                             Decision decision,
                             std::span<double> rates);

    double m_leastRate{0};               ///< least rate of a flow, in bytes per second; 0: none
    std::vector<std::uint32_t> m_raised; ///< Decision::raised of the last decision
};

/// A policy that knows sizes.
class ClairvoyantPolicy : public Policy
{
  public:
    Knowledge GetKnowledge() const final
    {
        return Knowledge::CLAIRVOYANT;
    }

    /// Computes the rates; see Policy::Decide().
    /// @param view unfinished coflows, with the bytes left of their flows
    /// @param capacity capacity of each port, in bytes per second
    /// @param rates per flow of the view, all 0 before the call, in bytes per second
    /// @return when to ask again, and the order
    virtual Decision Allocate(const ClairvoyantView& view,
                              const PortRates& capacity,
                              std::span<double> rates) = 0;

    /// Decides whether a coflow is served; see Policy::Admit(). By default, every coflow is served.
    /// @param view unfinished coflows, the new coflow included
    /// @param row row of the new coflow in the view
    /// @param capacity rates of the ports, in bytes per second
    /// @return the decision
    virtual Admission AdmitCoflow([[maybe_unused]] const ClairvoyantView& view,
                                  [[maybe_unused]] std::size_t row,
                                  [[maybe_unused]] const PortRates& capacity)
    {
        return Admission::Accept();
    }

    Decision Decide(const FlowTable& table,
                    Nanoseconds now,
                    const PortRates& capacity,
                    std::span<double> rates) final
    {
        const auto view = table.Clairvoyant(now);
        return KeepToLeastRate(view, capacity, Allocate(view, capacity, rates), rates);
    }

    Admission Admit(const FlowTable& table,
                    std::size_t row,
                    Nanoseconds now,
                    const PortRates& capacity) final
    {
        return AdmitCoflow(table.Clairvoyant(now), row, capacity);
    }
};

/// A policy that knows bytes sent, and no sizes.
class AttainedPolicy : public Policy
{
  public:
    Knowledge GetKnowledge() const final
    {
        return Knowledge::ATTAINED;
    }

    /// Computes the rates; see Policy::Decide().
    /// @param view unfinished coflows, with the bytes sent of their flows
    /// @param capacity capacity of each port, in bytes per second
    /// @param rates per flow of the view, all 0 before the call, in bytes per second
    /// @return when to ask again, and the order
    virtual Decision Allocate(const AttainedView& view,
                              const PortRates& capacity,
                              std::span<double> rates) = 0;

    Decision Decide(const FlowTable& table,
                    Nanoseconds now,
                    const PortRates& capacity,
                    std::span<double> rates) final
    {
        const auto view = table.Attained(now);
        return KeepToLeastRate(view, capacity, Allocate(view, capacity, rates), rates);
    }

    /// Every coflow is served.
    Admission Admit(const FlowTable& /*table*/,
                    std::size_t /*row*/,
                    Nanoseconds /*now*/,
                    const PortRates& /*capacity*/) final
    {
        return Admission::Accept();
    }
};

} // namespace coflow

#endif // COFLOW_POLICY_H
