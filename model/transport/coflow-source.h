/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SOURCE_H
#define COFLOW_SOURCE_H

#include "ns3/application.h"
#include "ns3/coflow-connection-list.h"
#include "ns3/coflow-flow-key.h"
#include "ns3/coflow-opaque-size.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-rate-limit.h"
#include "ns3/coflow-types.h"
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

namespace ns3::coflow
{

class NicScheduler;
class RateTable;
class SizeAccess;
class SourceConnection;
class TransportProfile;
struct SourceFlow;

/// Sends the flows that start at a host, each within its RateLimit. There is one source per host.
///
/// Each flow has its own TCP connection. After a failure, the connection is opened again after a
/// delay, and the flow continues after its last acknowledged byte. So no flow is lost, and the sink
/// counts no byte twice.
class CoflowSource : public Application
{
  public:
    /// The priority of a flow as a function of its unacknowledged bytes. The source evaluates the
    /// rule at the start of the flow and with every acknowledgement, before it sends the packets
    /// that the acknowledgement permits. So each packet carries the current priority. Only
    /// SizeAccess makes a rule, because the first argument is the size of the flow.
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
        /// @return the flow's priority; only where there is a rule
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

        Function m_rule; ///< function of the rule; empty: no rule
    };

    /// A flow to be sent.
    struct FlowRequest
    {
        ::coflow::CoflowId coflowId{0};              ///< the coflow
        ::coflow::FlowId flowId{0};                  ///< the flow in its coflow
        Ipv4Address dst;                             ///< receiving host, may be this host
        OpaqueSize bytes;                            ///< application bytes
        RateLimit rateLimit{RateLimit::Unlimited()}; ///< initial rate limit
        PacketPriority priority{};                   ///< initial priority
        uint32_t label{0};           ///< label by which switches choose the path; 0: none
        PriorityRule priorityRule{}; ///< rule for later priorities; empty: no rule
        /// Priority of the SYN of the flow's connection; none: the flow's priority.
        std::optional<PacketPriority> openingPriority{};
        std::optional<Time> deadline{}; ///< deadline of its coflow, for schedulers
        uint64_t arrivalNumber{0};      ///< number of its arrival, from 1, for schedulers; 0: none
    };

    /// Size of the buffer of a sending socket, in bytes. The application refills the buffer. So a
    /// full buffer shows that bytes are left, but not how many.
    static constexpr uint64_t MAX_BACKLOG = 4 << 20;

    /// @param bytes size of a flow
    /// @return bytes that wait for TCP when the flow is put, at most MAX_BACKLOG
    static uint64_t GetBacklog(OpaqueSize bytes);

    /// State of the connection of a flow.
    enum class ConnectionState
    {
        WAITING_FOR_PORT, ///< not opened yet: all ports of the host are in use
        OPENING,          ///< not open, or broken
        OPEN              ///< data may be sent
    };

    /// The progress of a flow.
    struct FlowProgress
    {
        uint64_t backlog{0};         ///< bytes that wait for TCP, at most MAX_BACKLOG
        uint64_t written{0};         ///< bytes given to TCP
        uint64_t acknowledged{0};    ///< bytes acknowledged by the receiver's TCP
        uint64_t retransmissions{0}; ///< retransmitted segments
        RateLimit rateLimit{RateLimit::Unlimited()};          ///< its present rate limit
        ConnectionState connection{ConnectionState::OPENING}; ///< state of its connection
    };

    /// @return the type with its attributes and trace sources
    static TypeId GetTypeId();

    CoflowSource();
    ~CoflowSource() override;

    /// Sets a scheduler that decides for each segment which flow sends; to be called before the
    /// application starts.
    /// @param scheduler scheduler of this host
    void SetNicScheduler(Ptr<NicScheduler> scheduler);

    /// @return whether flows with equal rates write at different times: attribute RatePhase
    bool SpreadsRates() const
    {
        return m_spreadRates;
    }

    /// Sets the rate table; to be called before the application starts.
    /// @param rates the table of the network
    void SetRateTable(const Ptr<RateTable>& rates);

    /// Starts a flow: opens its connection at once, even if the flow is paused. A flow to this host
    /// itself, or without bytes, needs no network. This host's CoflowSink receives it in an event
    /// at the present time.
    /// @param request the flow, whose (coflow id, flow id) must not be in use. Flows wait until the
    ///        application starts. After the application has stopped, no flow may be started
    void StartFlow(const FlowRequest& request);

    /// Changes the rate limit of a flow. Takes effect at once, except for bytes that TCP already
    /// has: at most the congestion window plus the attribute UnsentLimit. A flow that may send more
    /// than before also ends its back-off (see EndBackoffOf()). No effect on a flow that is unknown
    /// or wholly acknowledged, because commands of a remote coordinator may be late.
    /// @param key the flow
    /// @param rateLimit the new rate limit
    void SetRateLimit(const FlowKey& key, const RateLimit& rateLimit);

    /// Ends the back-off of a flow's TCP, because the network has more capacity for the flow than
    /// before. TCP retransmits at once, and does not wait for a timeout that has doubled with every
    /// loss. No effect on a flow that is unknown, wholly acknowledged, or not backed off.
    /// @param key the flow
    void EndBackoffOf(const FlowKey& key);

    /// Sends a packet without data at once on a flow's connection. The packet requests a rate from
    /// the ports on its path. The trace source RateEcho reports the reply.
    /// @param key the flow
    /// @param request the class of the packet, with the signal RateSignal::REQUEST
    /// @return false where there is no such flow, or its connection is not open
    bool SendRateRequest(const FlowKey& key, const PacketClass& request);

    /// Changes the priority of a flow's packets, from the next packet that leaves the host. The
    /// priority has an effect only in a Fabric. A flow that becomes more urgent also ends its
    /// back-off (see EndBackoffOf()). No effect on a flow that is unknown or wholly acknowledged.
    /// @param key the flow
    /// @param priority the new priority
    void SetPriority(const FlowKey& key, const PacketPriority& priority);

    /// Changes the path of a flow for packets that leave from now on. No effect on a flow that is
    /// unknown or wholly acknowledged.
    /// @param key the flow
    /// @param label label by which switches choose the path; 0: none
    void SetLabel(const FlowKey& key, uint32_t label);

    /// Cancels a flow: no more bytes are written, and FlowSent is never called for it. No effect on
    /// a flow that is unknown or wholly acknowledged.
    /// @param key the flow
    void CancelFlow(const FlowKey& key);

    /// @param key a flow
    /// @return progress of the flow; none where it is unknown or wholly acknowledged
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
    /// @param retransmissions number of retransmitted segments
    typedef void (*FlowSentCallback)(::coflow::CoflowId coflowId,
                                     ::coflow::FlowId flowId,
                                     uint64_t bytes,
                                     uint64_t retransmissions);

    /// TCP has retransmitted a segment.
    /// @param coflowId coflow of the segment's first byte
    /// @param flowId flow of the segment's first byte
    typedef void (*RetransmissionCallback)(::coflow::CoflowId coflowId, ::coflow::FlowId flowId);

    /// A request for a rate has come back.
    /// @param echo the request, as changed by the ports on its way
    typedef void (*RateEchoCallback)(const PacketClass& echo);

    /// The connection that carries a flow is open, for the first time or again.
    /// @param coflowId the flow's coflow
    /// @param flowId the flow
    typedef void (*FlowConnectedCallback)(::coflow::CoflowId coflowId, ::coflow::FlowId flowId);

    /// A connection could not be opened, or has broken. The source tries again to open it.
    /// @param dst the receiving host
    /// @param reason the cause
    typedef void (*ConnectionFailedCallback)(Ipv4Address dst, const std::string& reason);

  protected:
    void DoDispose() override;

  private:
    friend class SourceConnection;

    void StartApplication() override;
    void StopApplication() override;

    /// State of the application.
    enum class State
    {
        CREATED, ///< flows may be added, but wait
        RUNNING, ///< flows are sent
        STOPPED  ///< no flow may be added
    };

    /// Starts the transfer of a flow.
    void LaunchFlow(SourceFlow& flow);
    /// Delivers a flow that needs no network to the sink of this host.
    void DeliverLocally(FlowKey key);
    /// A flow's last byte was acknowledged. Destroys the flow.
    void FinishFlow(SourceFlow& flow);

    Ptr<TransportProfile> m_profile;    ///< TCP's parameters
    Ptr<PacketClassifier> m_classifier; ///< classifier of the host; null outside of a fabric
    Ptr<NicScheduler> m_nic;            ///< scheduler that decides which flow sends; null: none
    uint16_t m_port;                    ///< TCP port of the sinks
    uint32_t m_unsentLimit;             ///< largest number of unsent bytes in TCP
    Time m_rateInterval;                ///< time between two writes of a flow with a rate
    bool m_spreadRates;                 ///< flows with equal rates write at different times
    Time m_reconnectDelay;              ///< time before a failed connection is opened again
    State m_state{State::CREATED};      ///< state of the application
    Ptr<RateTable> m_rateTable;         ///< table of the rates; null: none

    std::map<FlowKey, std::unique_ptr<SourceFlow>> m_flows; ///< flows not wholly acknowledged
    ConnectionList<SourceConnection> m_connections;         ///< connections to sinks

    TracedCallback<::coflow::CoflowId, ::coflow::FlowId, Ipv4Address, uint64_t> m_flowStartedTrace;
    TracedCallback<::coflow::CoflowId, ::coflow::FlowId, uint64_t, uint64_t> m_flowSentTrace;
    TracedCallback<::coflow::CoflowId, ::coflow::FlowId> m_retransmissionTrace;
    TracedCallback<::coflow::CoflowId, ::coflow::FlowId> m_flowConnectedTrace;
    TracedCallback<const PacketClass&> m_rateEchoTrace;
    TracedCallback<Ipv4Address, const std::string&> m_connectionFailedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_SOURCE_H
