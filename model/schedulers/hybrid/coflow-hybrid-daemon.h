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
/// HotCloud 2016) on a host. It decides what its host sends. Every coflow has a queue, by the bytes
/// that it is known to have sent everywhere, and a place in the queue.
///
/// A new flow is sent at once. A new coflow begins in the highest queue. Every delta, the daemon
/// reports changes, and the coordinator sends queues, places and receivers. In between the daemon
/// adds the bytes of its own host to the last sum of the coordinator, and moves a coflow down when
/// the sum crosses a limit. When the last flow to a receiver is over, the daemon reassigns the
/// receiver to the next coflow that waits for it. With all-or-none that is the next coflow none of
/// whose receivers is in use on this host, and it may send to all of them. Coflows never move up.
/// With a `matchGap` below 1 the daemon also reports when a coflow has other receivers, that long
/// after its last report at the earliest.
///
/// When the coordinator is silent for some periods while there is something to send, the daemon
/// fails open: it goes by the last sums of the coordinator and the bytes of its own host, and lets
/// coflows send to all their receivers. New coflows then get a provisional place behind all others,
/// by time. When the coordinator is back, the daemon sends it everything.
///
/// The daemon never looks at the size of a flow.
class HybridDaemon : public Daemon
{
  public:
    static TypeId GetTypeId();

    /// To be called once, before it starts.
    /// @param settings of the scheduler
    /// @param nic decides what the host sends; null unless HybridSettings::Enforcement::NIC
    void SetSettings(std::shared_ptr<const HybridSettings> settings, Ptr<NicScheduler> nic);

    /// @param coflow a coflow
    /// @return the queue that it is in on this host; none where it never had flows here
    std::optional<int> GetQueue(::coflow::CoflowId coflow) const;

    /// @return coflows that have flows here, in the order in which their queues are served
    std::vector<::coflow::CoflowId> GetOrder() const;

    ::coflow::CoflowId Register(uint32_t numFlows,
                                const CoflowOptions& options,
                                RegisteredCallback registered) override;
    void Put(const CoflowHandle& coflow, CoflowSource::FlowRequest flow) override;
    void Unregister(const CoflowHandle& coflow) override;

    /// A coflow has moved down.
    /// @param coflow the coflow
    /// @param queue the queue that it is in now
    typedef void (*DemotedCallback)(::coflow::CoflowId coflow, int queue);

  protected:
    void DoDispose() override;

  private:
    /// A coflow that was registered on this host.
    struct Registration
    {
        std::vector<::coflow::CoflowId> parents{};
        ::coflow::CoflowOrder order{}; ///< place that it has been given
    };

    /// The flows of a coflow to one host.
    struct Receiver
    {
        std::set<::coflow::FlowId> flows{}; ///< not wholly acknowledged
        bool reported{false};               ///< the coordinator knows of it
        bool open{true};                    ///< the coflow may send there
    };

    /// What this host has of a coflow.
    struct Local
    {
        ::coflow::CoflowOrder order;           ///< its place
        int queue{0};                          ///< it never rises
        uint8_t band{PacketPriority::NO_BAND}; ///< class of its packets, with classes
        bool promoted{false};                  ///< it goes before all queues
        uint32_t width{0};     ///< receivers everywhere, by the coordinator; 0: unknown
        uint64_t elsewhere{0}; ///< bytes sent by others, by the coordinator
        uint64_t before{0};    ///< bytes sent that are not counted elsewhere
        std::map<HostId, Receiver> receivers; ///< with flows
        std::size_t closed{0};                ///< of these, how many are not open
        std::optional<LocalCoflow> reported;  ///< last report
        std::optional<GlobalCoflow> applied;  ///< decision that `receivers` are as; or none
        bool changed{true};                   ///< `receivers` may be others than those `reported`
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

    /// Schedules the next tick, if there is anything to do.
    void ScheduleTick();
    void Tick();
    /// Reports what has changed.
    void Report();
    /// A coflow has other receivers: reports that between two ticks, if the settings want it.
    void ReportSoon();
    /// @return whether the coordinator owes an answer or a decision
    bool IsExpecting() const;
    /// @return whether a coflow is worth a report now
    bool IsWorthReporting(const Local& local, uint64_t sent) const;
    /// Answers the driver of a registered coflow, if it waits.
    void Hand(::coflow::CoflowId id);
    /// Asks the coordinator for the place of a coflow.
    void AskForPlace(::coflow::CoflowId id, const Registration& registration);

    /// @return bytes that this host has sent of a coflow
    uint64_t GetSent(::coflow::CoflowId id, const Local& local) const;
    /// @return where a coflow stands on this host
    SendPlace GetPlace(const Local& local) const;
    /// Moves a coflow to the queue and place that it belongs to now.
    void Place(::coflow::CoflowId id, Local& local);
    /// @return class of service of a coflow's packets, with classes
    uint8_t GetBand(const Local& local) const;
    /// With classes, gives the packets of a coflow theirs.
    void Classify(::coflow::CoflowId id, Local& local);
    /// Sets whether a coflow may send to a host.
    void SetOpen(::coflow::CoflowId id, Local& local, Receiver& receiver, bool open);
    /// A coflow may send to all hosts.
    void OpenAll(::coflow::CoflowId id, Local& local);
    /// With gating, resumes the first coflow that may send to a host, and pauses all others.
    void UpdateGate(HostId to);
    /// With gating, does so for all hosts.
    void UpdateGates();
    /// @return whether a coflow may send from here to a host and has flows to it
    bool IsUsed(HostId to) const;
    /// No coflow sends to a host any more: lets the next coflow send there.
    void ReassignReceiver(HostId to);

    std::shared_ptr<const HybridSettings> m_settings;
    std::unique_ptr<::coflow::DclasPolicy> m_policy; ///< knows queues and orders
    Ptr<NicScheduler> m_nic;                         ///< decides what is sent; or null
    uint64_t m_schedule{0};                          ///< number of the decision in force
    uint64_t m_moved{0};                             ///< ... of that which moved thresholds last
    std::map<::coflow::CoflowId, Registration> m_registered;
    std::map<::coflow::CoflowId, Local> m_coflows; ///< all that ever had flows here
    std::set<::coflow::CoflowId> m_active;         ///< with flows, or a last report to make
    EventId m_tick;
    EventId m_soon;               ///< a report between two ticks
    Time m_reported{Seconds(-1)}; ///< time of the last report

    TracedCallback<::coflow::CoflowId, int> m_demotedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_HYBRID_DAEMON_H
