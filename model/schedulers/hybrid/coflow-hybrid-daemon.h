/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HYBRID_DAEMON_H
#define COFLOW_HYBRID_DAEMON_H

#include "ns3/coflow-daemon.h"
#include "ns3/coflow-hybrid-messages.h"
#include "ns3/coflow-hybrid-settings.h"
#include "ns3/coflow-nic-scheduler.h"
#include "ns3/event-id.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ns3::coflow
{

/// The daemon of Aalo (Chowdhury and Stoica, SIGCOMM 2015, section 5) or Graviton (Jajoo et al.,
/// HotCloud 2016) on a host. The daemon decides which flows its host sends. Every coflow has a
/// queue and a place in the queue. The queue follows from the bytes that all hosts are known to
/// have sent of the coflow.
///
/// A new flow may be sent at once. A new coflow begins in the highest queue. Every delta, the
/// daemon reports changes, and the coordinator sends queues, places and receivers. Between two
/// decisions, the daemon adds the bytes of its own host to the last sum of the coordinator, and
/// moves a coflow down when the sum crosses a threshold. When the last flow to a receiver is over,
/// the daemon reassigns the receiver to the next coflow that waits for the receiver. With
/// all-or-none, the next coflow is the first coflow whose receivers are all unused on this host,
/// and the coflow may send to all its receivers. Coflows never move up. With a `matchGap` below 1
/// the daemon also reports when a coflow has other receivers, but not earlier than `matchGap` x
/// delta after its last report.
///
/// When the coordinator is silent for several periods while the host has data to send, the daemon
/// fails open: it decides by the last sums of the coordinator and the bytes of its own host, and
/// lets coflows send to all their receivers. New coflows then get a provisional place behind all
/// others, by time. When the coordinator is back, the daemon repeats all registrations and reports.
///
/// The daemon never reads the size of a flow.
class HybridDaemon : public Daemon
{
  public:
    static TypeId GetTypeId();

    /// Sets the settings; to be called once, before the start.
    /// @param settings settings of the scheduler
    /// @param nic scheduler of the host's segments; null unless HybridSettings::Enforcement::NIC
    void SetSettings(std::shared_ptr<const HybridSettings> settings, Ptr<NicScheduler> nic);

    /// @param coflow a coflow
    /// @return queue of the coflow on this host; none where the coflow never had flows from here
    std::optional<int> GetQueue(::coflow::CoflowId coflow) const;

    /// @return coflows that have flows from this host, in the order of service
    std::vector<::coflow::CoflowId> GetOrder() const;

    ::coflow::CoflowId Register(uint32_t numFlows,
                                const CoflowOptions& options,
                                RegisteredCallback registered) override;
    void Put(const CoflowHandle& coflow, CoflowSource::FlowRequest flow) override;
    void Unregister(const CoflowHandle& coflow) override;

    /// A coflow has moved down.
    /// @param coflow the coflow
    /// @param queue its new queue
    typedef void (*DemotedCallback)(::coflow::CoflowId coflow, int queue);

  protected:
    void DoDispose() override;

  private:
    /// A coflow that was registered on this host.
    struct Registration
    {
        std::vector<::coflow::CoflowId> parents{};
        ::coflow::CoflowOrder order{}; ///< place from the coordinator, or provisional; or none
    };

    /// The flows of a coflow to one host.
    struct Receiver
    {
        std::set<::coflow::FlowId> flows{}; ///< flows that are not fully acknowledged
        bool reported{false};               ///< the receiver was reported to the coordinator
        bool open{true};                    ///< the coflow may send to the receiver
    };

    /// The state of a coflow on this host.
    struct Local
    {
        ::coflow::CoflowOrder order; ///< place in the order
        int queue{0};                ///< queue, 0: highest; the coflow never moves up
        /// Band of its packets, with Enforcement::DSCP.
        uint8_t band{PacketPriority::NO_BAND};
        bool promoted{false}; ///< the coflow is served before all queues
        uint32_t width{0}; ///< number of receivers of all hosts, from the coordinator; 0: unknown
        uint64_t elsewhere{0}; ///< last CoflowTotal::elsewhere from the coordinator, in bytes
        /// Bytes sent by this host that neither its flows nor the NicScheduler count any more.
        uint64_t before{0};
        std::map<HostId, Receiver> receivers; ///< receivers of flows that are not over
        std::size_t closed{0};                ///< number of receivers that are not open
        std::optional<LocalCoflow> reported;  ///< last report; none: not reported yet
        std::optional<GlobalCoflow> applied;  ///< decision that is in force in `receivers`; or none
        bool changed{true}; ///< `receivers` may differ from the receivers in `reported`
    };

    void SetHandlers() override;
    void Begin() override;
    void End() override;
    void ReportAll() override;
    /// Lets coflows send to all their receivers.
    void FailOpen() override;

    /// @name Events
    /// @{
    void OnPlace(const CoflowPlaceMessage& message);
    void OnGlobal(const GlobalCoflowsMessage& message);
    void OnTotals(const CoflowTotalsMessage& message);
    void OnThresholds(const QueueThresholdsMessage& message);
    void OnFlowSent(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t bytes, uint64_t);
    /// @}

    /// Schedules the next tick, if none is scheduled and there are coflows or expected answers.
    void ScheduleTick();
    void Tick();
    /// Reports the coflows that have changed.
    void Report();
    /// A coflow has other receivers. Schedules a report between two ticks, if matchGap is below 1.
    void ReportSoon();
    /// @return whether the daemon expects an answer or a decision of the coordinator
    bool IsExpecting() const;
    /// @return whether the daemon must report a coflow now
    bool IsWorthReporting(const Local& local, uint64_t sent) const;
    /// Answers the driver of a registered coflow, if the driver waits.
    void Hand(::coflow::CoflowId id);
    /// Asks the coordinator for the place of a coflow.
    void AskForPlace(::coflow::CoflowId id, const Registration& registration);

    /// @return number of bytes that this host has sent of a coflow
    uint64_t GetSent(::coflow::CoflowId id, const Local& local) const;
    /// @return position of a coflow among all coflows of this host
    SendPlace GetPlace(const Local& local) const;
    /// Moves a coflow down if it has crossed a threshold, and updates its place and its band.
    void Place(::coflow::CoflowId id, Local& local);
    /// @return band of a coflow's packets, with Enforcement::DSCP
    uint8_t GetBand(const Local& local) const;
    /// With Enforcement::DSCP, sets the band of a coflow's packets.
    void Classify(::coflow::CoflowId id, Local& local);
    /// Sets whether a coflow may send to a host.
    void SetOpen(::coflow::CoflowId id, Local& local, Receiver& receiver, bool open);
    /// A coflow may send to all hosts.
    void OpenAll(::coflow::CoflowId id, Local& local);
    /// With Enforcement::GATING, resumes the first coflow that may send to a host, and pauses all
    /// others.
    void UpdateGate(HostId to);
    /// Calls UpdateGate() for all receivers.
    void UpdateGates();
    /// @return whether any coflow has flows from this host to a host and may send them
    bool IsUsed(HostId to) const;
    /// Lets the next coflow send to a host, if no coflow sends to the host any more.
    void ReassignReceiver(HostId to);

    std::shared_ptr<const HybridSettings> m_settings;
    std::unique_ptr<::coflow::DclasPolicy> m_policy; ///< policy with the rules for hosts
    Ptr<NicScheduler> m_nic; ///< scheduler of the host's segments; null without Enforcement::NIC
    uint64_t m_schedule{0};  ///< number of the decision in force
    uint64_t m_moved{0};     ///< number of the decision with the thresholds in force
    std::map<::coflow::CoflowId, Registration> m_registered;
    std::map<::coflow::CoflowId, Local> m_coflows; ///< coflows that ever had flows from this host
    std::set<::coflow::CoflowId> m_active; ///< coflows with flows, or without their last report
    EventId m_tick;
    EventId m_soon;               ///< event of a report between two ticks
    Time m_reported{Seconds(-1)}; ///< time of the last report; negative: none

    TracedCallback<::coflow::CoflowId, int> m_demotedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_HYBRID_DAEMON_H
