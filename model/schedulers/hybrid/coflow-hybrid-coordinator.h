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
/// al., HotCloud 2016). It gives coflows their places in the order of arrival, and adds up the
/// reports of daemons. Every delta it decides the queue of each coflow, and its receivers.
///
/// It decides at multiples of delta, while any coflow is known to have flows. It asks the policy
/// only after a change that matters: other flows, a coflow that has crossed the limit of its queue,
/// or a time that the policy has named. With a `matchGap` below 1 it also decides when a daemon has
/// reported other receivers, that long after its last decision at the earliest. It sends a daemon a
/// message when the decision for its host has changed, and otherwise twice within the time after
/// which the daemon would take it for dead.
class HybridCoordinator : public Coordinator
{
  public:
    static TypeId GetTypeId();

    /// To be called once, before it starts.
    /// @param settings of the scheduler
    void SetSettings(std::shared_ptr<const HybridSettings> settings);

    /// @return what it knows; null while it is dead
    const ::coflow::AttainedLedger* GetLedger() const;

    /// A decision was made.
    /// @param schedule its number
    /// @param order ids of all coflows with flows, in the order of service
    typedef void (*DecisionCallback)(uint64_t schedule,
                                     const std::vector<::coflow::CoflowId>& order);

  private:
    /// What is known of a daemon that is up.
    struct DaemonState
    {
        Time lastSent;                                    ///< when it was last sent anything
        std::vector<GlobalCoflow> decision;               ///< the decision that it knows
        std::map<::coflow::CoflowId, CoflowTotal> totals; ///< sums that it knows
        std::vector<::coflow::Bytes> thresholds;          ///< that it was sent; none: its own
    };

    /// What it forgets when it dies.
    struct Memory
    {
        std::unique_ptr<::coflow::DclasPolicy> policy;
        ::coflow::AttainedLedger ledger;
        std::map<HostId, DaemonState> daemons{};
        std::map<HostId, std::vector<GlobalCoflow>> views{}; ///< the last decision, by host
        std::map<::coflow::CoflowId, uint32_t> widths{};     ///< as of the last decision
        uint64_t decidedRevision{0};                         ///< of the ledger
        Time askAgain{Time::Max()};                          ///< when the policy wants to be asked
        Time decided{Seconds(-1)};                           ///< time of the last decision
        bool sending{false}; ///< the last messages are still being sent
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

    /// Schedules the next tick, if any coflow has flows.
    void ScheduleTick();
    void Tick();
    /// Decides between two ticks if daemons have reported other receivers.
    void DecideSoon();
    /// Decides if something has changed, and sends messages to daemons.
    void SendUpdates();
    /// @return whether the policy might say something else than the last time
    bool HasChanged(const ::coflow::AttainedView& view) const;
    /// Asks the policy.
    void Decide(const ::coflow::AttainedView& view);
    /// Makes the decision for each host.
    void MakeViews(const ::coflow::AttainedView& view);
    /// Sends a daemon the thresholds if the policy has moved them.
    void SendThresholds(HostId host, DaemonState& daemon);
    /// Sends a daemon news.
    void SendUpdate(HostId host, DaemonState& daemon);
    /// @return sums that a daemon knows and that are out of date
    std::vector<CoflowTotal> GetChangedTotals(HostId host, DaemonState& daemon) const;

    std::shared_ptr<const HybridSettings> m_settings;
    bool m_usesWidth{false};          ///< the policy's order depends on widths
    std::unique_ptr<Memory> m_memory; ///< while it is alive
    EventId m_tick;
    EventId m_between; ///< a decision between two ticks

    TracedCallback<uint64_t, const std::vector<::coflow::CoflowId>&> m_decisionTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_HYBRID_COORDINATOR_H
