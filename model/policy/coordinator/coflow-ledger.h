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
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// The coflows and flows that a coordinator knows from messages: coflows register, senders put
/// flows, receivers get them, in any order and possibly twice. The ledger keeps the table of flows
/// for policies. Every coflow goes through the states of coflow-life.h. A method takes the step of
/// a LifeEvent, and does the action of the step with the flows.
///
/// A flow exists for a policy when both its ends are known. A coflow is complete when the number of
/// its existing flows is the number in its registration. Flows beyond this number are appended.
/// Flows within a host and flows without bytes are done as soon as they exist: these flows count,
/// and are never in the table.
class CoflowLedger
{
  public:
    /// The estimate of a flow's remaining bytes.
    enum class Estimate
    {
        INTEGRATED,     ///< the last report, less the rate in force since then
        REPORTED,       ///< the last report
        COMPLETION_ONLY ///< its size until it is done, as in the code of Varys
    };

    /// The registration of a coflow.
    struct Registration
    {
        HostId driver{0};              ///< host of the application that registers the coflow
        std::uint32_t flows{0};        ///< number of its flows
        Nanoseconds deadline{NEVER};   ///< absolute
        CoflowAttributes attributes{}; ///< attributes of the coflow
        Nanoseconds arrival{0};        ///< time of the registration at the application
    };

    /// Called when the state of a registered coflow has changed.
    using StateChanged = std::function<void(CoflowId, CoflowState)>;

    /// @param knowledge information that the policy gets; for a policy without sizes, the ledger
    ///        keeps no sizes
    /// @param estimate estimate of a flow's remaining bytes
    /// @param stateChanged called when the state of a coflow has changed; may be empty
    CoflowLedger(Knowledge knowledge, Estimate estimate, StateChanged stateChanged = {});

    /// @name Messages
    /// @{

    /// A coflow registers.
    /// @return whether the coflow is new; otherwise there is no effect
    bool Register(CoflowId id, const Registration& registration);

    /// A sender has a flow's data.
    /// @param id the coflow
    /// @param flow the flow
    /// @param src the sender
    /// @param bytes size of the flow; none: the size is not known
    /// @param restart the sending task was restarted, and the former put is void
    /// @param done the flow has no bytes left to send
    /// @return whether the flow exists from now on
    bool Put(CoflowId id,
             FlowId flow,
             HostId src,
             std::optional<Bytes> bytes,
             bool restart = false,
             bool done = false);

    /// A receiver wants a flow.
    /// @return whether the flow exists from now on
    bool Get(CoflowId id, FlowId flow, HostId dst);

    /// A flow has sent bytes.
    /// @param id the coflow
    /// @param flow the flow
    /// @param since number of bytes sent since the last report
    /// @param done whether these were the last bytes
    void Progress(CoflowId id, FlowId flow, Bytes since, bool done);

    /// The driver has unregistered a coflow: its flows leave the table. Until Conclude(), reports
    /// in flight may still say that flows are done.
    /// @return whether the call had an effect
    bool Close(CoflowId id);

    /// There are no more reports of a closed coflow in flight. The coflow is then in a terminal
    /// state: FINISHED if all its flows are done.
    void Conclude(CoflowId id);

    /// Removes the flows that a host sends from the table. The flows exist again after their next
    /// put. Either the host's daemon is dead, and the progress of the flows is not known, or the
    /// daemon is back, and repeats all puts.
    /// @param host the sending host
    /// @param doneToo whether flows that are done are also removed
    /// @return whether the host had flows in the table
    bool DropPuts(HostId host, bool doneToo);

    /// Hosts send the rest of a coflow without the scheduler: its flows leave the table.
    void Release(CoflowId id);

    /// @}

    /// @name Decisions
    /// @{

    /// Whether a coflow is waiting and has all its flows.
    bool IsComplete(CoflowId id) const;

    /// Adds the existing flows of a coflow that have bytes to send to the table, even if some flows
    /// of the coflow are missing.
    /// @return whether there are such flows; otherwise the coflow is FINISHED if it has all its
    ///         flows
    bool MakeReady(CoflowId id, Nanoseconds now);

    /// Removes a coflow that was just made ready from the table.
    /// @param id the coflow
    /// @param forGood true: the coflow is refused; false: the coflow waits, and may be made ready
    ///        again
    void Reject(CoflowId id, bool forGood);

    /// @return whether a coflow is READY or RUNNING and has nothing to send: all its known flows
    ///         are done
    bool IsIdle(CoflowId id) const;

    /// Whether flows of a coflow are in the table and none of these flows has a rate, against the
    /// intention of the policy: their rates were too small, or no flow of any coflow has a rate. If
    /// so, the coflow counts as changed, so that its rates are decided again.
    bool IsStalled(CoflowId id);

    /// Whether all flows of a coflow with a rate have sent nearly all bytes according to their
    /// rates, and are not reported done. The network was slower than these rates. A policy treats
    /// such flows as nearly done, and may have given them small rates.
    /// @param id the coflow
    /// @param now the present time
    /// @return false where the ledger does not integrate rates
    bool IsOverdue(CoflowId id, Nanoseconds now);

    /// Marks a coflow in the table as changed, so that a policy that keeps rates without events
    /// computes them again.
    void Renew(CoflowId id);

    /// Asks a policy, and puts its rates in force. If no flow has a rate before the call, all
    /// coflows are marked as changed.
    /// @return time at which to ask the policy again
    Nanoseconds Schedule(Policy& policy, Nanoseconds now, const PortRates& capacity);

    /// Asks a policy about a coflow that was just made ready.
    Admission Admit(Policy& policy, CoflowId id, Nanoseconds now, const PortRates& capacity);

    /// @}

    /// The coflows of the last decision in their order (Decision::order), as of the decision; empty
    /// if the policy has no order.
    std::span<const CoflowId> Order() const
    {
        return m_order;
    }

    /// The coflows in the table, with the rates in force.
    const FlowTable& Table();

    /// Chooses paths of flows by the rates in force.
    /// @param chooser the chooser of paths
    void ChoosePaths(PathChooser& chooser)
    {
        chooser.Choose(m_table, m_table.Rates());
    }

    /// Number of flows whose path has changed by a policy that chooses paths.
    std::uint64_t GetMoves() const
    {
        return m_moves;
    }

    /// State of a coflow; none if the coflow is not registered.
    std::optional<CoflowState> StateOf(CoflowId id) const;

    /// The terminal state of a coflow, registered or not; none if the state of the coflow is not
    /// terminal. The state of a refused coflow is terminal only after its driver has unregistered
    /// it.
    std::optional<CoflowState> TerminalStateOf(CoflowId id) const;

    /// The life state of a coflow.
    LifeState LifeOf(CoflowId id) const;

    /// Whether all flows of a coflow are done: as many flows as its registration says, or all known
    /// flows if the coflow was made ready without the others.
    bool IsDone(CoflowId id) const;

    /// Coflows that a host registered and that are not closed.
    std::vector<CoflowId> RegisteredBy(HostId host) const;

    /// Coflows that are registered, not closed, and lack flows.
    std::vector<CoflowId> Incomplete() const;

    /// Whether a coflow is registered, not closed, and lacks flows.
    bool LacksFlows(CoflowId id) const;

    /// Number of existing flows of a coflow, done or not.
    std::uint32_t ExistingOf(CoflowId id) const;

    /// A selection of the flows of a coflow.
    enum class FlowsOf
    {
        ALL,
        UNDONE
    };

    /// Hosts that have put or got flows of a coflow.
    std::set<HostId> HostsOf(CoflowId id, FlowsOf flows) const;

    /// The registration of a coflow, which must be registered.
    const Registration& RegistrationOf(CoflowId id) const;

    /// A flow, with -1 bytes if its size is not known; none if the flow does not exist.
    std::optional<Flow> Describe(CoflowId id, FlowId flow) const;

  private:
    /// The state of a flow.
    struct FlowEntry
    {
        std::optional<HostId> src;  ///< sender, from its put
        std::optional<HostId> dst;  ///< receiver, from the get
        std::optional<Bytes> bytes; ///< size in bytes, from its put
        Bytes moved{0};             ///< bytes sent, from reports
        bool done{false};           ///< all bytes are sent
        bool inTable{false};        ///< the flow is in the table

        bool Exists() const
        {
            return src && dst;
        }
    };

    /// The state of a coflow.
    struct Entry
    {
        std::optional<Registration> registration; ///< none: only its flows are known yet
        LifeState life{LifeState::UNKNOWN};       ///< life state
        std::uint32_t index{0};                   ///< its number for policies
        Nanoseconds ready{0};                     ///< time at which it became ready
        std::uint32_t existing{0};                ///< number of its existing flows, done or not
        std::uint32_t revision{0};                ///< CoflowRow::revision of its last row
        double sent{0};                           ///< bytes that its flows have sent
        double longest{0};        ///< bytes that its flow with the most sent bytes has sent
        std::uint32_t inTable{0}; ///< number of its flows that are in the table
        std::map<FlowId, FlowEntry> flows; ///< its flows
    };

    /// The state of a flow; null if no message has named the flow.
    const FlowEntry* FindFlow(CoflowId id, FlowId flow) const;
    /// Whether a coflow is READY or RUNNING, so that its flows with bytes to send are in the table.
    static bool IsLive(const Entry& entry);
    /// Does the step of an event. The caller adds flows to the table after LifeAction::ENTER.
    /// @return the action for flows
    LifeAction Advance(CoflowId id, Entry& entry, LifeEvent event);
    /// Removes the put of a flow.
    void ForgetPut(CoflowId id, Entry& entry, FlowId flow, FlowEntry& known);
    /// The second end of a flow has become known.
    void Complete(CoflowId id, Entry& entry, FlowId flow, FlowEntry& known);
    /// Removes a flow from the table if the table has it.
    void Withdraw(CoflowId id, Entry& entry, FlowId flow, FlowEntry& known);
    /// Adds flows to the table: to the row of their coflow, or to a new row.
    void Enter(CoflowId id, Entry& entry, std::span<const FlowId> flows);
    /// The known sizes of a coflow.
    CoflowSizes SizesOfEntry(const Entry& entry) const;
    /// The estimate of a flow's remaining bytes at its last report.
    double RemainingOf(const FlowEntry& known) const;
    /// Position of a flow in the table, which must have the flow.
    std::uint32_t PositionOf(std::size_t row, FlowId flow) const;
    /// Removes flows that are done from the table.
    void Sweep();
    /// @return row of a coflow that is READY or RUNNING; none: the coflow has nothing to send, or
    ///         is in another state
    std::optional<std::size_t> LiveRowOf(CoflowId id) const;

    /// Counts the bytes that the rates in force have sent.
    void Integrate(Nanoseconds now);

    Knowledge m_knowledge;               ///< whether sizes are kept
    Estimate m_estimate;                 ///< estimate of the flows' remaining bytes
    StateChanged m_stateChanged;         ///< called when a state has changed; or empty
    std::map<CoflowId, Entry> m_coflows; ///< all coflows that a message has named
    std::uint32_t m_nextIndex{0};        ///< number of the next coflow for policies
    FlowTable m_table;                   ///< table for the policy
    Nanoseconds m_integrated{0};         ///< bytes are counted until this time
    std::set<CoflowId> m_tooSlow;        ///< coflows in Decision::raised of the last decision
    std::vector<std::uint8_t> m_gone;    ///< per flow of the table: 1 if Sweep() removes the flow
    std::set<std::pair<Nanoseconds, CoflowId>> m_rowsWithGone; ///< rows with flows in m_gone
    std::vector<double> m_decided; ///< working memory: rates of the decision
    std::vector<CoflowId> m_order; ///< Order()
    std::uint64_t m_moves{0};      ///< GetMoves()
};

} // namespace coflow

#endif // COFLOW_LEDGER_H
