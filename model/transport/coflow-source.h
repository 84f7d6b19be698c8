/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SOURCE_H
#define COFLOW_SOURCE_H

#include "ns3/application.h"
#include "ns3/coflow-flow-key.h"
#include "ns3/coflow-opaque-size.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-rate-limit.h"
#include "ns3/coflow-types.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

class NicScheduler;
class RateTable;
class SizeAccess;
class SourceConnection;
class TransportProfile;
struct SourceFlow;

/// Sends the flows that start at a host, one per host, each as fast as its RateLimit lets it.
///
/// Each flow has a TCP connection of its own. A connection that fails is opened anew after a while,
/// and its flow resumes behind the last byte that was acknowledged: no flow is lost, and the sink
/// counts no byte twice.
class CoflowSource : public Application
{
  public:
    /// How urgent a flow is as a function of its bytes that are not acknowledged. It is asked at
    /// the beginning and with every acknowledgement, before the packets leave that this one lets
    /// go: so every packet has the priority of its moment. As it is told the size of the flow to
    /// begin with, only SizeAccess makes one.
    class PriorityRule
    {
      public:
        PriorityRule() = default;

        /// @return whether there is a rule
        explicit operator bool() const
        {
            return static_cast<bool>(m_rule);
        }

        /// @param unacknowledged bytes of a flow
        /// @return how urgent the flow is then; only where there is a rule
        PacketPriority operator()(uint64_t unacknowledged) const
        {
            return m_rule(unacknowledged);
        }

      private:
        friend class SizeAccess;

        using Function = std::function<PacketPriority(uint64_t unacknowledged)>;

        explicit PriorityRule(Function rule)
            : m_rule(std::move(rule))
        {
        }

        Function m_rule; ///< or none
    };

    /// What to send.
    struct FlowRequest
    {
        ::coflow::CoflowId coflowId{0};              ///< the coflow
        ::coflow::FlowId flowId{0};                  ///< the flow in its coflow
        Ipv4Address dst;                             ///< receiving host, may be this one
        OpaqueSize bytes;                            ///< application bytes
        RateLimit rateLimit{RateLimit::Unlimited()}; ///< how fast, to begin with
        PacketPriority priority{};                   ///< how urgent, to begin with
        uint32_t label{0};                           ///< by which switches choose its path; 0: none
        PriorityRule priorityRule{};                 ///< how urgent from then on, if it is set
        /// How urgent the SYN of a connection is that is opened for the flow; none: as the flow.
        std::optional<PacketPriority> openingPriority{};
        std::optional<Time> deadline{}; ///< when its coflow should be finished, for schedulers
        uint64_t arrivalNumber{0};      ///< of its coflow, from 1 on, for schedulers; 0: none
    };

    /// What the buffer of a sending socket holds: the application fills it up again, so who looks
    /// at it sees that there is more, but not how much more.
    static constexpr uint64_t MAX_BACKLOG = 4 << 20;

    /// @param bytes size of a flow
    /// @return bytes that wait for TCP when the flow is put, at most MAX_BACKLOG
    static uint64_t GetBacklog(OpaqueSize bytes);

    /// How far a flow is.
    struct FlowProgress
    {
        uint64_t backlog{0};         ///< bytes that wait for TCP, at most MAX_BACKLOG
        uint64_t written{0};         ///< bytes given to TCP
        uint64_t acknowledged{0};    ///< bytes acknowledged by the receiver's TCP
        uint64_t retransmissions{0}; ///< segments TCP sent again
        RateLimit rateLimit{RateLimit::Unlimited()}; ///< how fast it may be written
        bool isConnected{false};                     ///< its connection is open
        bool waitsForPort{false}; ///< for its connection, as all ports of the host are taken
    };

    /// @return the type with its attributes and trace sources
    static TypeId GetTypeId();

    CoflowSource();
    ~CoflowSource() override;

    /// Has a scheduler decide segment by segment which flow sends; to be called before the
    /// application starts.
    /// @param scheduler of this host
    void SetNicScheduler(Ptr<NicScheduler> scheduler);

    /// @return whether flows with equal rates write at moments of their own: attribute RatePhase
    bool SpreadsRates() const
    {
        return m_spreadRates;
    }

    /// To be called before the application starts.
    /// @param rates the rates of the network's flows, and the bytes that are sent without packets
    void SetRateTable(const Ptr<RateTable>& rates);

    /// Starts a flow: opens its connection at once, even if it is paused. A flow to this host
    /// itself, or without bytes, needs no network: this host's CoflowSink takes it in an event at
    /// the present time.
    /// @param request the flow; its (coflow id, flow id) must not be in use. Before the application
    ///        starts, flows wait for it; after it stopped, none may be started.
    void StartFlow(const FlowRequest& request);

    /// Changes how fast a flow may be written. Takes effect at once, except for what TCP has
    /// already been given: at most the congestion window and the attribute UnsentLimit. A flow
    /// that may send more than before also ends its back-off (see EndBackoffOf()).
    /// No effect on a flow that is unknown or wholly acknowledged, as commands of a remote
    /// coordinator may come late.
    /// @param key the flow
    /// @param rateLimit the new rate limit
    void SetRateLimit(const FlowKey& key, const RateLimit& rateLimit);

    /// The network has more room for a flow than before: if TCP has backed off, since all it sent
    /// was lost, it tries again at once and not after a time that has doubled with every failure.
    /// No effect on a flow that is unknown, wholly acknowledged, or not backed off.
    /// @param key the flow
    void EndBackoffOf(const FlowKey& key);

    /// Sends a packet without data on a flow's connection, now, which asks the ports on its way for
    /// a rate. The answer is told by the trace RateEcho.
    /// @param key the flow
    /// @param request the class of the packet; its signal is RateSignal::REQUEST
    /// @return false where there is no such flow, or its connection is not open
    bool SendRateRequest(const FlowKey& key, const PacketClass& request);

    /// Changes how urgent a flow's packets are, from the next one on that leaves the host. Has an
    /// effect on fabrics only. A flow that becomes more urgent also ends its back-off (see
    /// EndBackoffOf()). No effect on a flow that is unknown or wholly acknowledged.
    /// @param key the flow
    /// @param priority the new priority
    void SetPriority(const FlowKey& key, const PacketPriority& priority);

    /// Gives a flow another path, for packets that leave from now on; no effect on a flow that is
    /// unknown or wholly acknowledged.
    /// @param key the flow
    /// @param label by which switches choose its path; 0: none
    void SetLabel(const FlowKey& key, uint32_t label);

    /// Gives a flow up: nothing more of it is written, FlowSent never fires for it.
    /// No effect on a flow that is unknown or wholly acknowledged.
    /// @param key the flow
    void CancelFlow(const FlowKey& key);

    /// @param key a flow
    /// @return how far it is; nothing for a flow that is unknown or wholly acknowledged
    std::optional<FlowProgress> GetProgress(const FlowKey& key) const;

    /// @return number of flows that are not wholly acknowledged
    std::size_t GetActiveFlows() const;

    /// A flow was started.
    /// @param coflowId the coflow
    /// @param flowId the flow
    /// @param dst receiving host
    /// @param bytes size of the flow
    typedef void (*FlowStartedCallback)(::coflow::CoflowId coflowId,
                                        ::coflow::FlowId flowId,
                                        Ipv4Address dst,
                                        uint64_t bytes);

    /// A flow's last byte was acknowledged: the sender's view of completion.
    /// @param coflowId the coflow
    /// @param flowId the flow
    /// @param bytes size of the flow
    /// @param retransmissions segments TCP sent again for it
    typedef void (*FlowSentCallback)(::coflow::CoflowId coflowId,
                                     ::coflow::FlowId flowId,
                                     uint64_t bytes,
                                     uint64_t retransmissions);

    /// TCP sent a segment again.
    /// @param coflowId coflow of the segment's first byte
    /// @param flowId flow of the segment's first byte
    typedef void (*RetransmissionCallback)(::coflow::CoflowId coflowId, ::coflow::FlowId flowId);

    /// A request for a rate has come back.
    /// @param echo what was sent, as the ports on its way have changed it
    typedef void (*RateEchoCallback)(const PacketClass& echo);

    /// The connection that carries a flow is open, for the first time or again.
    /// @param coflowId the flow's coflow
    /// @param flowId the flow
    typedef void (*FlowConnectedCallback)(::coflow::CoflowId coflowId, ::coflow::FlowId flowId);

    /// A connection could not be opened, or broke. It is tried again.
    /// @param dst the receiving host
    /// @param reason what happened
    typedef void (*ConnectionFailedCallback)(Ipv4Address dst, const std::string& reason);

  protected:
    void DoDispose() override;

  private:
    /// What a connection asks of the source, and tells it.
    class Owner;

    void StartApplication() override;
    void StopApplication() override;

    /// Between which calls the application is.
    enum class State
    {
        CREATED, ///< flows may be added, but wait
        RUNNING, ///< flows are sent
        STOPPED  ///< no flow may be added
    };

    /// Puts a flow on its way.
    void LaunchFlow(SourceFlow& flow);
    /// Hands a flow that needs no network to this host's sink.
    void DeliverLocally(FlowKey key);
    /// A flow's last byte was acknowledged; destroys it.
    void FinishFlow(SourceFlow& flow);
    /// Closes and forgets a connection, after the callback it is in has returned.
    void Release(const SourceConnection* connection);
    /// Closes and destroys the connections that were released.
    void DestroyReleased();

    Ptr<TransportProfile> m_profile;    ///< TCP's parameters
    Ptr<PacketClassifier> m_classifier; ///< of the host; null outside of a fabric
    Ptr<NicScheduler> m_nic;            ///< decides which flow sends; or null
    uint16_t m_port;                    ///< TCP port of the sinks
    uint32_t m_unsentLimit;             ///< most bytes given to TCP that it has not sent yet
    Time m_rateInterval;                ///< time between two writes of a flow with a rate
    bool m_spreadRates;                 ///< flows with equal rates do not write in step
    bool m_pacing;                      ///< TCP spreads the segments of flows with a rate
    Time m_reconnectDelay;              ///< time before a failed connection is opened anew
    State m_state{State::CREATED};      ///< of the application
    Ptr<RateTable> m_rates;             ///< or none

    std::unique_ptr<Owner> m_owner; ///< the connections know the source by it

    std::map<FlowKey, std::unique_ptr<SourceFlow>> m_flows;       ///< not wholly acknowledged
    std::vector<std::unique_ptr<SourceConnection>> m_connections; ///< open ones
    std::vector<std::unique_ptr<SourceConnection>> m_released;    ///< to be destroyed
    EventId m_destroyEvent;                                       ///< destroys them

    TracedCallback<::coflow::CoflowId, ::coflow::FlowId, Ipv4Address, uint64_t> m_flowStartedTrace;
    TracedCallback<::coflow::CoflowId, ::coflow::FlowId, uint64_t, uint64_t> m_flowSentTrace;
    TracedCallback<::coflow::CoflowId, ::coflow::FlowId> m_retransmissionTrace;
    TracedCallback<::coflow::CoflowId, ::coflow::FlowId> m_flowConnectedTrace;
    TracedCallback<const PacketClass&> m_rateEchoTrace;
    TracedCallback<Ipv4Address, const std::string&> m_connectionFailedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_SOURCE_H
