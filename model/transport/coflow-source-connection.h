/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SOURCE_CONNECTION_H
#define COFLOW_SOURCE_CONNECTION_H

#include "ns3/address.h"
#include "ns3/coflow-connection.h"
#include "ns3/coflow-flow-key.h"
#include "ns3/coflow-host-ports.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-packet-timer.h"
#include "ns3/coflow-rate-limit.h"
#include "ns3/coflow-rate-table.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-token-bucket.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::coflow
{

class NicScheduler;
class SourceConnection;
class TransportProfile;

/// A flow of a CoflowSource that is not wholly acknowledged.
struct SourceFlow
{
    FlowKey key;                                   ///< its name
    Ipv4Address dst;                               ///< receiving host
    uint64_t bytes{0};                             ///< size
    RateLimit rateLimit{RateLimit::Unlimited()};   ///< how fast it may be written
    PacketPriority priority;                       ///< how urgent its packets are
    uint32_t label{0};                             ///< of its packets; 0: none
    CoflowSource::PriorityRule priorityRule;       ///< sets that, if there is one
    std::optional<PacketPriority> openingPriority; ///< of a SYN for it, if it differs
    TokenBucket bucket;                            ///< with a rate: what may be written now
    PacketTimer timer;                             ///< with a rate: waits for tokens
    SourceConnection* connection{nullptr};         ///< what carries it; none for a local flow
    bool mayWrite{false};                          ///< it has tokens, and waits for TCP at most
    uint64_t written{0};         ///< bytes given to TCP, or the rest that was taken
    uint64_t acknowledged{0};    ///< bytes of these that are acknowledged
    uint64_t rest{0};            ///< last bytes, where these go without packets
    uint64_t retransmissions{0}; ///< segments sent again
    SourceRow row;               ///< its rate, and bytes sent without packets

    /// @return bytes that were not sent yet
    uint64_t GetLeft() const
    {
        return bytes - written - row.GetAdvanced();
    }
};

/// The TCP connection of a flow of a CoflowSource. It carries the flow as one record; where it
/// broke and was opened anew, the rest of the flow.
class SourceConnection final : private ConnectionUser
{
  public:
    /// What all connections of a source have in common; the attributes of the source.
    struct Settings
    {
        Ptr<Node> node;                      ///< the host
        Ptr<const TransportProfile> profile; ///< TCP's parameters
        Ptr<PacketClassifier> classifier;    ///< of the host; null outside of a fabric
        Ptr<NicScheduler> nic;               ///< decides which flow sends; or null
        uint16_t port{0};                    ///< TCP port of the sinks
        uint32_t unsentLimit{0};             ///< most bytes given to TCP that it has not sent
        Time rateInterval;                   ///< between two writes of a flow with a rate
        bool spreadRates{false};             ///< flows with equal rates do not write in step
        bool pacing{true};                   ///< TCP spreads the segments of flows with a rate
        Time reconnectDelay;                 ///< before a failed connection is opened anew
    };

    /// How a flow sends at present.
    enum class Sending
    {
        NOTHING,     ///< it is paused, and all that it sent was acknowledged
        AT_RATE,     ///< it has a rate, TCP keeps up with it, and nothing was lost
        OPENING,     ///< its connection is not open yet, or not any more
        STOPPING,    ///< it is paused, and something is under way
        UNLIMITED,   ///< it has no rate
        ENDING,      ///< all was written, and not all is acknowledged
        CATCHING_UP, ///< it has a rate, and TCP has more than one write of it
        BEHIND,      ///< it has a rate, and TCP takes no more
        RECOVERING   ///< something is lost
    };

    /// Who has the connection.
    class Owner
    {
      public:
        /// @return what connections have in common; the same object as long as the owner is there
        virtual const Settings& GetSettings() const = 0;

        /// The connection of a flow is open, for the first time or again.
        virtual void NotifyConnected(const SourceFlow& flow) = 0;

        /// The connection could not be opened, or broke. It is tried again.
        virtual void NotifyFailed(Ipv4Address dst, const std::string& reason) = 0;

        /// TCP has sent a segment of a flow again.
        virtual void NotifyRetransmission(const SourceFlow& flow) = 0;

        /// A request for a rate has come back.
        virtual void NotifyRateEcho(const PacketClass& echo) = 0;

        /// A flow's last byte was acknowledged; the owner destroys the flow.
        virtual void FinishFlow(SourceFlow& flow) = 0;

        /// The connection is of no use any more. The owner closes and destroys it after the
        /// callback that it is in has returned.
        virtual void Release(const SourceConnection* connection) = 0;

      protected:
        ~Owner() = default;
    };

    /// @param owner who has the connection
    /// @param flow what it carries
    SourceConnection(Owner& owner, SourceFlow& flow);

    /// Lets go of the socket: no callback comes after this.
    ~SourceConnection();

    SourceConnection(const SourceConnection&) = delete;
    SourceConnection& operator=(const SourceConnection&) = delete;

    /// Opens the connection, as soon as the host has a port for it.
    void Open();

    /// @return whether it is open
    bool IsConnected() const
    {
        return m_connected;
    }

    /// @return whether all ports of the host are taken, and it waits for one
    bool IsWaitingForPort() const
    {
        return m_place.IsWaiting();
    }

    /// The flow's rate limit has changed.
    void UpdateRateLimit();

    /// Sends at once what a connection that was starved would send after its back-off.
    void EndBackoff();

    /// Sends a packet without data that has a class of its own.
    /// @return false where the connection is not open
    bool SendSignal(const PacketClass& packetClass);

    /// The flow's priority, or its label, has changed.
    void UpdatePriority();

    /// Carries the flow no longer, and ends when TCP has sent what it was given.
    void RemoveFlow();

    /// Closes the connection from this end, for good.
    void Close();

    /// @param flow a flow that the connection carries
    /// @return how it sends
    Sending GetSending(const SourceFlow& flow) const;

    /// @return bytes that TCP has and has not sent
    uint32_t GetUnsent() const
    {
        return m_socket ? m_socket->GetUnsent() : 0;
    }

    /// @param flow a flow with a rate
    /// @return what it writes at once, bytes
    uint64_t GetQuantum(const SourceFlow& flow) const;

    /// Bytes that TCP has and has not sent were sent without packets.
    /// @param bytes how many, full segments; TCP keeps at least GetQuantum()
    void TakeBack(uint32_t bytes);

    /// @return name of the connection at its host
    const ConnectionName& GetName() const
    {
        return m_name;
    }

    /// The rest of the flow leaves without packets.
    /// @return how many bytes the rest is
    uint64_t TakeRest();

    /// The rest of the flow, which has left without packets, is acknowledged: the flow ends.
    void AcknowledgeRest();

  private:
    void HandleConnected() override;
    void HandleConnectFailed() override;
    void HandleClosed() override;
    void HandleBroken() override;
    void HandleTxAvailable() override;
    void HandleSignal(const PacketClass& packetClass) override;
    void HandleSentAgain(uint32_t ahead) override;
    void Prefetch(std::size_t stage) const override;
    /// A flow will write soon: brings to the cache what that will touch.
    /// @param object the SourceFlow
    /// @param stage as IntrusiveEventKind::prefetch has them
    static void PrefetchWrite(const void* object, std::size_t stage);
    void HandleNoRoute();

    /// The flow is wholly acknowledged.
    void Finish();
    /// Takes note of what was acknowledged since the last ACK.
    void UpdateAcknowledged();
    /// Makes a socket with its callbacks.
    void CreateSocket();
    /// Bytes of the flow were acknowledged, or none yet.
    void FollowRule();
    /// Tells the host whose packets the connection carries.
    void Classify();
    /// The NicScheduler, if there is one, decides about the socket no longer.
    void LeaveNic();
    /// Lets go of the socket and its callbacks.
    void DropSocket();
    /// The connection failed: goes back to what was acknowledged, and tries again.
    void Fail(const std::string& reason);
    /// Reports a failure, and opens the connection anew after a while.
    void TryAgain(const std::string& reason);
    /// Spreads what TCP sends as the flow's rate limit says.
    void UpdatePacing();
    /// Puts the flow's rate into its row.
    void UpdateRow();
    /// Lets the flow write, if it has something to write and is not paused.
    void Enqueue();
    /// The flow has earned tokens.
    void HandleTokens();
    /// Writes as much as the flow and TCP allow.
    void Write();
    /// @return bytes that TCP should be given now; 0 where that is too little to be worth it
    uint32_t GetRoom() const;
    /// @return tokens that the flow has when it is given a rate for the first time
    uint64_t GetPhase() const;
    /// @param room bytes that TCP takes
    /// @return payload bytes that the flow may write now; 0 where it has to wait for tokens
    uint64_t GetGrant(uint32_t room);
    /// Writes payload, behind the record's header where that was not written yet.
    void WritePayload(uint64_t payload);
    /// @return bytes of the connection that were acknowledged
    uint64_t GetAcknowledged() const;
    Owner& m_owner;             ///< who has it
    const Settings& m_settings; ///< the owner's
    SourceFlow* m_flow;         ///< what it carries; none when that is acknowledged or cancelled
    const Ipv4Address m_dst;    ///< receiving host
    uint32_t m_unsentLimit{0};  ///< most bytes in TCP's buffer that were not sent yet
    Ptr<Connection> m_socket;   ///< TCP
    ConnectionName m_name;      ///< of the socket, as the host's classifier knows it
    PacketPriority* m_priority{nullptr}; ///< what the host thinks of its packets
    std::optional<FlowKey> m_gated;      ///< flow by which a NicScheduler knows the socket
    bool m_connected{false};             ///< data may be written
    bool m_writing{false};               ///< in Write(), which TCP may call again from within
    uint64_t m_written{0};               ///< bytes given to TCP, the header included
    uint64_t m_offset{0};                ///< of the record's first byte in the flow
    EventId m_reopenEvent;               ///< opens a failed connection anew
    HostPorts::Place m_place;            ///< in the line of those who wait for a port
};

} // namespace ns3::coflow

#endif // COFLOW_SOURCE_CONNECTION_H
