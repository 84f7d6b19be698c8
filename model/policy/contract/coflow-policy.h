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

/// What a policy may know.
enum class Knowledge
{
    CLAIRVOYANT, ///< sizes, remaining bytes and deadlines
    ATTAINED     ///< bytes sent and flow counts only
};

/// Where a policy decides, and so whether control costs it anything.
enum class Control
{
    CENTRAL, ///< one place that has to hear of coflows and to tell hosts their rates
    HYBRID,  ///< hosts, at once; one place tells them now and then what all have sent
    LOCAL    ///< hosts or switches, from what they see themselves
};

/// What an admission control says of a coflow.
struct Admission
{
    bool admitted{true};      ///< it counts as admitted
    bool served{true};        ///< its flows are sent, admitted or not
    Nanoseconds retry{NEVER}; ///< neither: it is put forward again at this time; NEVER: it is not

    /// @return it is served
    static Admission Accept()
    {
        return {};
    }

    /// @return it is never sent
    static Admission Reject()
    {
        return {false, false, NEVER};
    }

    /// @return it is sent, but is owed nothing
    static Admission BestEffort()
    {
        return {false, true, NEVER};
    }

    /// @param time in nanoseconds
    /// @return it is put forward again at that time
    static Admission Later(Nanoseconds time)
    {
        return {false, false, time};
    }
};

/// What a policy answers besides the rates.
struct Decision
{
    Nanoseconds askAgain{NEVER}; ///< ask again at this time even if nothing happens
    bool unchanged{false};       ///< the rates in force stay; none was written
    /// Rows, most urgent first. It tells whose rate matters more where not all can be enforced.
    /// Empty: all rates are shares that matter alike. Valid until the policy is asked again.
    std::span<const std::uint32_t> order{};
    /// Rows with a flow that would have had less than the least rate (Policy::SetLeastRate()): its
    /// rate was raised, or is 0 now. Valid until the policy is asked again.
    std::span<const std::uint32_t> raised{};
    /// Per flow: the path that it is to have from now on; NO_PATH: the one that it has. Empty: no
    /// flow gets another one. Valid until the policy is asked again.
    std::span<const PathNumber> paths{};
};

/// The policy is nothing but static weights: every flow gets weight x min(level of its
/// sending port, level of its receiving port). The engine can then keep one clock per
/// port in place of one rate per flow.
struct SharingForm
{
    /// Where the levels come from.
    enum class Levels
    {
        MAX_MIN,          ///< weighted max-min fairness
        SPLIT,            ///< capacity / weight present, without handing out what is left over
        PER_COFLOW_SPLIT, ///< capacity / coflows present / own weight present
        PER_COFLOW_QUEUES ///< fair queues of coflows, and of flows within: nothing is left over
    };

    bool sizeWeights{false};        ///< weight of a flow: its size; otherwise 1
    Levels levels{Levels::MAX_MIN}; ///< where the levels come from
};

/// The policy is nothing but a total order of flows, served greedily at full rate: by
/// (major key, minor key, ready time, coflow id, flow id).
struct PriorityForm
{
    /// First key.
    enum class Major
    {
        NONE,     ///< all alike
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

/// The policy is nothing but equal progress by flow counts (EqualProgress), and then to every flow
/// the smaller of what its two ports have left per flow.
struct ProgressForm
{
    Triggers triggers{};  ///< when it decides
    bool backfill{false}; ///< hand out what is left
};

/// The policy is nothing but an order of coflows (Decision::order), which it makes when a coflow
/// comes or goes and keeps in between; asked without an array of rates, it says the order alone.
/// Flows are served greedily at full rate in that order, those of a coflow by (sending host,
/// receiving host, flow id).
struct OrderForm
{
};

/// Structure that the fluid engine can use to be faster; monostate: none.
using FluidForm = std::variant<std::monostate, SharingForm, PriorityForm, ProgressForm, OrderForm>;

/// Decides who sends how fast. A policy owns no time: it is asked at an event, answers
/// with a rate for every flow of the view, and may say when it wants to be asked again.
/// It keeps only what it needs of its own (a queue index, a phase), by CoflowRow::index.
///
/// What a policy may know is fixed by which of the two subclasses it derives from; there
/// is no third, since the constructor is theirs alone.
class Policy
{
  public:
    virtual ~Policy() = default;

    /// @return what it may know
    virtual Knowledge GetKnowledge() const = 0;

    /// @return when it wants to be asked
    virtual Triggers GetTriggers() const
    {
        return {};
    }

    /// @return where it decides
    virtual Control GetControl() const
    {
        return Control::CENTRAL;
    }

    /// @return how often hosts have to report how far their flows are, in nanoseconds. NEVER: a
    ///         report when a flow is done is enough, and CoflowRow::longest is not kept
    virtual Nanoseconds ReportPeriod() const
    {
        return NEVER;
    }

    /// @return whether the order of its decisions (Decision::order) says all, so that hosts may be
    ///         told places in the order in place of rates
    virtual bool DecidesOrder() const
    {
        return false;
    }

    /// @return whether coflows that have become ready are put forward for admission when it next
    ///         decides, one after the other by (arrival, deadline, id), so that it does not matter
    ///         whose messages came first; otherwise each as soon as it is ready
    virtual bool AdmitsWhenItDecides() const
    {
        return false;
    }

    /// @return whether hosts are told its order and no rates unless a user wants rates: ports then
    ///         serve one coflow after the other
    virtual bool PrefersOrder() const
    {
        return false;
    }

    /// @return whether it chooses the paths of flows itself (Decision::paths), once it is shown
    /// some
    virtual bool ChoosesPaths() const
    {
        return false;
    }

    /// Shows it links and paths, before it is asked for the first time. A policy that chooses paths
    /// and is shown none decides for ports alone.
    /// @param paths have to be there as long as the policy is asked
    /// @param share of a link's rate that it may hand out, > 0
    virtual void ShowPaths([[maybe_unused]] const PathMap& paths, [[maybe_unused]] double share)
    {
    }

    /// Sets the least rate that is worth having, where there is one: TCP with a segment every tenth
    /// of a second only makes timeouts. Decide() keeps to it for every policy: see
    /// RaiseToLeastRate().
    /// @param bytesPerSecond at least 0; 0, as at first: any rate is worth having
    void SetLeastRate(double bytesPerSecond)
    {
        m_leastRate = bytesPerSecond;
    }

    /// @return structure that makes the fluid engine faster. Where it is given, it says the same as
    ///         the rates of Decide()
    virtual FluidForm GetForm() const
    {
        return {};
    }

    /// @return whether it promises, as its parameters are, that whenever it decides no flow could
    /// go
    ///         faster: one of the flow's two ports has nothing left. Intervals against starvation
    ///         are excepted
    virtual bool IsWorkConserving() const
    {
        return false;
    }

    /// Whether a coflow that it has just learnt of is served at all.
    /// @param table everything, with the coflow in it
    /// @param row the coflow
    /// @param now the time, in nanoseconds
    /// @param capacity rates of the ports, in bytes per second
    /// @return whether it is served, how, or when to ask again
    virtual Admission Admit(const FlowTable& table,
                            std::size_t row,
                            Nanoseconds now,
                            const PortRates& capacity) = 0;

    /// Asks for rates.
    /// @param table everything; the policy is handed the part that it may know
    /// @param now the time, in nanoseconds
    /// @param capacity what the policy may hand out per port, in bytes per second
    /// @param rates per flow, all 0: to be filled in, in bytes per second; none is between 0 and
    /// the
    ///        least rate
    /// @return when to ask again, the order, and paths
    virtual Decision Decide(const FlowTable& table,
                            Nanoseconds now,
                            const PortRates& capacity,
                            std::span<double> rates) = 0;

  private:
    Policy() = default;
    friend class ClairvoyantPolicy;
    friend class AttainedPolicy;

    /// Makes rates keep to the least rate.
    /// @param view the flows
    /// @param capacity what was to be handed out per port
    /// @param decision what the policy has answered
    /// @param rates what it has filled in
    /// @return the decision with Decision::raised
    Decision KeepToLeastRate(const StructureView& view,
                             const PortRates& capacity,
                             Decision decision,
                             std::span<double> rates);

    double m_leastRate{0};               ///< SetLeastRate()
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

    /// Fills in the rates; see Policy::Decide().
    /// @param view unfinished coflows, with what is left of their flows
    /// @param capacity what may be handed out per port, in bytes per second
    /// @param rates per flow of the view, all 0: to be filled in, in bytes per second
    /// @return when to ask again, and the order
    virtual Decision Allocate(const ClairvoyantView& view,
                              const PortRates& capacity,
                              std::span<double> rates) = 0;

    /// Asks whether a coflow is served; see Policy::Admit(). Without this method every one is.
    /// @param view unfinished coflows, with the one that is asked for
    /// @param row its row in the view
    /// @param capacity rates of the ports, in bytes per second
    /// @return whether it is served, how, or when to ask again
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

/// A policy that knows only what was sent.
class AttainedPolicy : public Policy
{
  public:
    Knowledge GetKnowledge() const final
    {
        return Knowledge::ATTAINED;
    }

    /// Fills in the rates; see Policy::Decide().
    /// @param view unfinished coflows, with what was sent of their flows
    /// @param capacity what may be handed out per port, in bytes per second
    /// @param rates per flow of the view, all 0: to be filled in, in bytes per second
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

    /// Everything is served.
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
