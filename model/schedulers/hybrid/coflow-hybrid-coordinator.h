/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HYBRID_COORDINATOR_H
#define COFLOW_HYBRID_COORDINATOR_H

#include "ns3/coflow-attained-ledger.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-coordinator.h"
#include "ns3/coflow-hybrid-messages.h"
#include "ns3/coflow-hybrid-settings.h"
#include "ns3/coflow-topology.h"
#include "ns3/event-id.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::coflow
{

/// The coordinator of Aalo (Chowdhury and Stoica, SIGCOMM 2015, section 5) and Graviton (Jajoo et
/// al., HotCloud 2016). The coordinator gives coflows places in the order of arrival, and adds up
/// the reports of daemons. Every delta the coordinator decides the queue of each coflow, and the
/// receivers to which the coflow may send.
///
/// The coordinator decides at multiples of delta, while a known coflow has flows. It asks the
/// policy in four cases: flows have changed; a coflow has crossed the threshold of its queue; a
/// coflow is promoted; the time that the policy has named has come. With a `matchGap` below 1 the
/// coordinator also decides when a daemon has reported other receivers, but not earlier than
/// `matchGap` x delta after the last decision. The coordinator sends a daemon a message when the
/// decision for the daemon's host has changed. Otherwise the coordinator repeats the decision after
/// half of the silence after which the daemon would fail open.
class HybridCoordinator : public Coordinator
{
  public:
    static TypeId GetTypeId();

    /// Sets the settings; to be called once, before the start.
    /// @param settings settings of the scheduler
    void SetSettings(std::shared_ptr<const HybridSettings> settings);

    /// @return the coflows that the coordinator knows; null while the coordinator is dead
    const ::coflow::AttainedLedger* GetLedger() const;

    /// A decision was made.
    /// @param schedule number of the decision
    /// @param order ids of all coflows with flows, in the order of service
    typedef void (*DecisionCallback)(uint64_t schedule,
                                     const std::vector<::coflow::CoflowId>& order);

  private:
    /// The messages that a connected daemon was sent.
    struct DaemonState
    {
        Time lastSent;                      ///< time of the last decision, sums or thresholds
        std::vector<GlobalCoflow> decision; ///< last decision that the daemon was sent
        std::map<::coflow::CoflowId, CoflowTotal> totals; ///< last sums that the daemon was sent
        /// Thresholds that the daemon was sent; empty: the daemon has the initial thresholds.
        std::vector<::coflow::Bytes> thresholds;
    };

    /// The state that the coordinator loses when it dies.
    struct Memory
    {
        std::unique_ptr<::coflow::DclasPolicy> policy;
        ::coflow::AttainedLedger ledger;
        std::map<HostId, DaemonState> daemons{};
        std::map<HostId, std::vector<GlobalCoflow>> views{}; ///< the last decision, by host
        /// Number of receivers at the last decision, by coflow.
        std::map<::coflow::CoflowId, uint32_t> widths{};
        uint64_t decidedRevision{0}; ///< revision of the ledger at the last decision
        Time askAgain{Time::Max()};  ///< time at which the policy must be asked again
        Time decided{Seconds(-1)};   ///< time of the last decision; negative: none
        bool sending{false};         ///< the last messages are still being sent
    };

    void SetHandlers() override;
    void Begin() override;
    void End() override;

    /// @name Events
    /// @{
    void OnDaemonUp(HostId host) override;
    void OnDaemonDown(HostId host) override;
    void OnPlaceCoflow(HostId host, const PlaceCoflowMessage& message);
    void OnLocalCoflows(HostId host, const LocalCoflowsMessage& message);
    void OnUnregister(HostId host, const UnregisterCoflowMessage& message);
    /// @}

    /// Schedules the next tick, if none is scheduled.
    void ScheduleTick();
    void Tick();
    /// Schedules a decision between two ticks if daemons have reported changes and matchGap is
    /// below 1.
    void DecideSoon();
    /// Decides if something has changed, and sends messages to daemons.
    void SendUpdates();
    /// @return whether the decision of the policy may differ from the last decision
    bool HasChanged(const ::coflow::AttainedView& view) const;
    /// Asks the policy for a decision.
    void Decide(const ::coflow::AttainedView& view);
    /// Splits the decision of the policy by host.
    void MakeViews(const ::coflow::AttainedView& view);
    /// Sends a daemon the thresholds if the policy has moved them.
    void SendThresholds(HostId host, DaemonState& daemon);
    /// Sends a daemon thresholds, sums and the decision, if they have changed or time is up.
    void SendUpdate(HostId host, DaemonState& daemon);
    /// @return sums that must be sent to the daemon: new sums, and sums that have changed enough
    std::vector<CoflowTotal> GetChangedTotals(HostId host, DaemonState& daemon) const;

    std::shared_ptr<const HybridSettings> m_settings;
    bool m_usesWidth{false};          ///< the policy's order depends on numbers of receivers
    std::unique_ptr<Memory> m_memory; ///< state of the living coordinator; null: it is dead
    EventId m_tick;
    EventId m_between; ///< event of a decision between two ticks

    TracedCallback<uint64_t, const std::vector<::coflow::CoflowId>&> m_decisionTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_HYBRID_COORDINATOR_H
