/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEDGER_H
#define COFLOW_LEDGER_H

#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-life.h"
#include "ns3/coflow-path-chooser.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// The coflows and flows that a coordinator knows from messages: coflows register, senders put
/// flows, receivers get them, in any order and possibly twice. The ledger keeps the table that
/// policies are asked about. Every coflow goes through the states of coflow-life.h. A method takes
/// the step of a LifeEvent, and does the action of the step with the flows.
///
/// A flow exists for a policy when both its ends are known. A coflow exists when as many flows
/// exist as it was registered with. Flows beyond that number are appended. Flows within a host and
/// flows without bytes are done as soon as they exist: they count, and are never in the table.
class CoflowLedger
{
  public:
    /// What is taken to be left of a flow.
    enum class Estimate
    {
        INTEGRATED,     ///< the last report, less the rate in force since then
        REPORTED,       ///< the last report
        COMPLETION_ONLY ///< its size until it is done, as in the code of Varys
    };

    /// What a coflow is registered with.
    struct Registration
    {
        HostId driver{0};            ///< host of the application that registers it
        std::uint32_t flows{0};      ///< number of its flows
        Nanoseconds deadline{NEVER}; ///< absolute
        CoflowAttributes attributes; ///< that its job gives it
        Nanoseconds arrival{0};      ///< when that application registered it
    };

    /// @param knowledge what the policy may know: without sizes, none are kept
    /// @param estimate what is taken to be left of a flow
    CoflowLedger(Knowledge knowledge, Estimate estimate);

    /// @name Messages
    /// @{

    /// A coflow registers.
    /// @return whether it is new; otherwise there was no effect
    bool Register(CoflowId id, const Registration& registration);

    /// A sender has a flow's data.
    /// @param bytes its size; none where it is not known
    /// @param restart the sending task was restarted: the put before is void
    /// @param done nothing of it is left to send
    /// @return whether the flow exists since now
    bool Put(CoflowId id,
             FlowId flow,
             HostId src,
             std::optional<Bytes> bytes,
             bool restart = false,
             bool done = false);

    /// A receiver wants a flow.
    /// @return whether the flow exists since now
    bool Get(CoflowId id, FlowId flow, HostId dst);

    /// A flow has moved bytes.
    /// @param since moved since the last report
    /// @param done whether that was the last of it
    void Progress(CoflowId id, FlowId flow, Bytes since, bool done);

    /// The driver has unregistered a coflow: its flows leave the table. Until Conclude(), reports
    /// that are under way may still say that flows are done.
    /// @return whether it had an effect
    bool Close(CoflowId id);

    /// No report of a coflow that is closed is under way any more: it is in a terminal state,
    /// FINISHED if all its flows are done.
    void Conclude(CoflowId id);

    /// The flows that a host sends leave the table, and exist again when they are put again. The
    /// host's daemon is dead, and its progress is not known, or it is back, and puts all anew.
    /// @param doneToo whether that holds for flows that are done, too
    /// @return whether the host had flows in the table
    bool DropPuts(HostId host, bool doneToo);

    /// Hosts send the rest of a coflow without the scheduler: its flows leave the table.
    void Release(CoflowId id);

    /// @}

    /// @name Decisions
    /// @{

    /// Whether a coflow waits, and for no more flows.
    bool IsComplete(CoflowId id) const;

    /// A coflow's flows that exist enter the table, whether they are all or not.
    /// @return whether there are any; otherwise the coflow is FINISHED if it has all its flows
    bool MakeReady(CoflowId id, Nanoseconds now);

    /// Takes a coflow that was just made ready out of the table again.
    /// @param forGood otherwise it waits, to be made ready another time
    void Reject(CoflowId id, bool forGood);

    /// @return whether a coflow is in the table by its state and has nothing to send: all its flows
    ///         that are known are done
    bool IsIdle(CoflowId id) const;

    /// Whether flows of a coflow are in the table and none of them has a rate, against the
    /// intention of the policy: their rates were too small, or no flow at all runs. If so, the
    /// coflow counts as changed, so that its rates are decided anew.
    bool IsStalled(CoflowId id);

    /// Has a coflow that is in the table count as changed: a policy that keeps rates as long as
    /// nothing happens decides anew.
    void Renew(CoflowId id);

    /// Asks a policy, and puts its rates in force. Where no flow at all has a rate, all coflows
    /// count as changed.
    /// @return when the policy wants to be asked again
    Nanoseconds Schedule(Policy& policy, Nanoseconds now, const PortRates& capacity);

    /// Asks a policy about a coflow that was just made ready.
    Admission Admit(Policy& policy, CoflowId id, Nanoseconds now, const PortRates& capacity);

    /// @}

    /// The coflows that were scheduled last, in the order of the decision (Decision::order), as far
    /// as they have not left since; empty where the policy has none.
    std::span<const CoflowId> Order() const
    {
        return m_order;
    }

    /// The coflows in the table, with the rates in force.
    const FlowTable& Table();

    /// Has flows given paths by the rates in force.
    /// @param chooser gives them
    void ChoosePaths(PathChooser& chooser)
    {
        chooser.Choose(m_table, m_table.Rates());
    }

    /// How many flows a policy that chooses paths has given another one than they had.
    std::uint64_t GetMoves() const
    {
        return m_moves;
    }

    /// State of a coflow; none for one that never registered.
    std::optional<CoflowState> StateOf(CoflowId id) const;

    /// The terminal state of a coflow, registered or not; none for one that is not over. A coflow
    /// that is refused is not over until its driver has unregistered it.
    std::optional<CoflowState> TerminalStateOf(CoflowId id) const;

    /// Where a coflow is in its life.
    LifeState LifeOf(CoflowId id) const;

    /// Whether all flows of a coflow are done: as many as were registered, or all that are known if
    /// it was made ready without the others.
    bool IsDone(CoflowId id) const;

    /// Coflows that a host registered and that are not closed.
    std::vector<CoflowId> RegisteredBy(HostId host) const;

    /// Coflows that are registered, not closed, and lack flows.
    std::vector<CoflowId> Incomplete() const;

    /// Whether a coflow is registered, not closed, and lacks flows.
    bool LacksFlows(CoflowId id) const;

    /// How many flows of a coflow exist, done or not.
    std::uint32_t ExistingOf(CoflowId id) const;

    /// Hosts that have put or got flows of a coflow, done or not.
    std::set<HostId> HostsOf(CoflowId id) const;

    /// The registration of a coflow; it must be registered.
    const Registration& RegistrationOf(CoflowId id) const;

    /// Hosts that have put or got flows of a coflow that are not done.
    std::set<HostId> EndpointsOf(CoflowId id) const;

    /// A flow that exists, with -1 bytes where its size is not known; none where it does not.
    std::optional<Flow> Describe(CoflowId id, FlowId flow) const;

  private:
    /// What is known of a flow.
    struct FlowEntry
    {
        std::optional<HostId> src;  ///< from its put
        std::optional<HostId> dst;  ///< from its get
        std::optional<Bytes> bytes; ///< from its put
        Bytes moved{0};             ///< from reports
        bool done{false};           ///< all of it is moved
        bool inTable{false};        ///< it is in the table

        bool Exists() const
        {
            return src && dst;
        }
    };

    /// What is known of a coflow.
    struct Entry
    {
        std::optional<Registration> registration; ///< none: only its flows are known yet
        LifeState life{LifeState::UNKNOWN};       ///< where it is in its life
        std::uint32_t index{0};                   ///< its number for policies
        Nanoseconds ready{0};                     ///< when it became ready
        std::uint32_t existing{0};                ///< number of its flows that exist or are done
        std::uint32_t revision{0};                ///< how often it got into the table
        double sent{0};                           ///< bytes that its flows have moved
        double longest{0};                        ///< bytes that the flow which moved most has
        std::uint32_t inTable{0};                 ///< number of its flows that are in the table
        std::map<FlowId, FlowEntry> flows;        ///< its flows
    };

    /// What is known of a flow; null where nothing is.
    const FlowEntry* FindFlow(CoflowId id, FlowId flow) const;
    /// Whether the table would have this coflow.
    static bool IsLive(const Entry& entry);
    /// Takes the step of an event, but for flows that enter the table.
    /// @return what is done with flows
    LifeAction Advance(CoflowId id, Entry& entry, LifeEvent event);
    /// Forgets the put of a flow.
    void ForgetPut(CoflowId id, Entry& entry, FlowId flow, FlowEntry& known);
    /// A flow's second end became known.
    void Complete(CoflowId id, Entry& entry, FlowId flow, FlowEntry& known);
    /// Takes a flow out of the table if it is there.
    void Withdraw(CoflowId id, Entry& entry, FlowId flow, FlowEntry& known);
    /// Adds flows to the table, to their coflow's row if it has one.
    void Enter(CoflowId id, Entry& entry, std::span<const FlowId> flows);
    /// What the ledger knows of the sizes of a coflow.
    CoflowSizes SizesOfEntry(const Entry& entry) const;
    /// What is taken to be left of a flow by its last report.
    double RemainingOf(const FlowEntry& known) const;
    /// Position of a flow in the table; it is there.
    std::uint32_t PositionOf(std::size_t row, FlowId flow) const;
    /// Takes the flows that are done out of the table.
    void Sweep();
    /// Books what the rates in force have moved.
    void Integrate(Nanoseconds now);

    Knowledge m_knowledge;               ///< whether sizes are kept
    Estimate m_estimate;                 ///< what is left of flows
    std::map<CoflowId, Entry> m_coflows; ///< all that were ever named
    std::uint32_t m_nextIndex{0};        ///< of the next coflow
    FlowTable m_table;                   ///< what policies are asked about
    Nanoseconds m_integrated{0};         ///< rates are booked until then
    std::set<CoflowId> m_tooSlow;        ///< had flows below the least rate at the last schedule
    std::vector<std::uint8_t> m_gone;    ///< per flow of the table: to leave
    std::set<std::pair<Nanoseconds, CoflowId>> m_rowsWithGone; ///< rows with such flows
    std::vector<double> m_rates;                               ///< working memory
    std::vector<CoflowId> m_order;                             ///< Order()
    std::uint64_t m_moves{0};                                  ///< GetMoves()
};

} // namespace coflow

#endif // COFLOW_LEDGER_H
