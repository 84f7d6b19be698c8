/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SOURCE_CONNECTION_H
#define COFLOW_SOURCE_CONNECTION_H

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
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3::coflow
{

class SourceConnection;

/// A flow of a CoflowSource. Not all of its bytes are acknowledged yet.
struct SourceFlow
{
    FlowKey key;                                 ///< coflow and number of the flow
    Ipv4Address dst;                             ///< receiving host
    uint64_t bytes{0};                           ///< size
    RateLimit rateLimit{RateLimit::Unlimited()}; ///< limit of its rate
    PacketPriority priority;                     ///< priority of its packets
    uint32_t label{0}; ///< label of its packets, by which switches choose a path; 0: none
    CoflowSource::PriorityRule priorityRule;       ///< rule that sets `priority`; empty: none
    std::optional<PacketPriority> openingPriority; ///< priority of the SYN; none: `priority`
    TokenBucket bucket;                            ///< bytes that a flow with a rate has earned
    TokenBucket peak;    ///< bytes of one write, which fill faster: limits how a flow catches up
    uint64_t quantum{0}; ///< bytes of one write of a flow with a rate
    PacketTimer timer;   ///< wait of a flow with a rate for tokens
    SourceConnection* connection{nullptr}; ///< connection that carries the flow; null: none
    uint64_t written{0};                   ///< bytes given to TCP; after TakeRest() with the rest
    uint64_t acknowledged{0};              ///< acknowledged bytes of `written`
    uint64_t rest{0};                      ///< number of last bytes that are sent without packets
    uint64_t retransmissions{0};           ///< number of retransmitted segments
    SourceRow row;                         ///< the flow's row in the RateTable

    /// @return number of bytes that were neither given to TCP nor sent without packets
    uint64_t GetLeft() const
    {
        return bytes - written - row.GetAdvanced();
    }
};

/// The TCP connection of a flow of a CoflowSource. It sends the flow as one record. A connection
/// that was opened again sends the rest of the flow as one record.
class SourceConnection final : private ConnectionUser
{
  public:
    /// The present way in which a flow sends.
    enum class Sending
    {
        NOTHING,   ///< the flow is paused, and all sent bytes are acknowledged
        AT_RATE,   ///< the flow has a rate, TCP keeps up with the rate, and no segment was lost
        OPENING,   ///< the connection is not open
        STOPPING,  ///< the flow is paused, and not all sent bytes are acknowledged
        UNLIMITED, ///< the flow has no rate
        ENDING,    ///< all bytes were written, and not all are acknowledged
        BEHIND,    ///< the flow has a rate, and TCP has kept it from writing all that it has earned
        RECOVERING ///< TCP recovers from a loss
    };

    /// @param source the source, which outlives the connection
    /// @param flow the flow that the connection carries
    SourceConnection(CoflowSource& source, SourceFlow& flow);

    /// Releases the socket. No callback follows.
    ~SourceConnection();

    SourceConnection(const SourceConnection&) = delete;
    SourceConnection& operator=(const SourceConnection&) = delete;

    /// Opens the connection as soon as the host has a free port.
    void Open();

    /// @return the state of the connection
    CoflowSource::ConnectionState GetState() const
    {
        using enum CoflowSource::ConnectionState;
        return m_place.IsWaiting() ? WAITING_FOR_PORT : m_connected ? OPEN : OPENING;
    }

    /// The flow's rate limit has changed.
    void UpdateRateLimit();

    /// Ends the back-off of TCP: TCP retransmits at once.
    void EndBackoff();

    /// Sends a packet without data.
    /// @param packetClass class of the packet
    /// @return whether the packet was sent; false: the connection is not open, or the host has no
    ///         classifier
    bool SendSignal(const PacketClass& packetClass);

    /// The flow's priority or label has changed.
    void UpdatePriority();

    /// Detaches the flow. The connection ends when all bytes that TCP has are acknowledged.
    void RemoveFlow();

    /// Closes the connection from this end. The connection is not opened again.
    void Close();

    /// @param flow the flow of the connection
    /// @return the way in which the flow sends
    Sending GetSending(SourceFlow& flow) const;

    /// @return name of the connection at its host
    const ConnectionName& GetName() const
    {
        return m_name;
    }

    /// Takes the rest of the flow, which is sent without packets.
    /// @return number of bytes of the rest; 0: nothing is left, or packets have to show how the
    /// flow
    ///         ends, because TCP has unsent bytes, recovers from a loss, or is not connected
    uint64_t TakeRest();

    /// The rest of the flow, which was sent without packets, is acknowledged. The flow ends.
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
    void HandleNoRoute();

    /// All bytes of the flow are acknowledged.
    void Finish();
    /// Counts the bytes that were acknowledged since the last ACK.
    void UpdateAcknowledged();
    /// Creates a socket with its callbacks.
    void CreateSocket();
    /// Sets the priority by the priority rule.
    void FollowRule();
    /// Enters the flow, its priority and its label into the classifier of the host.
    void Classify();
    /// Removes the socket from the NicScheduler, if there is one.
    void LeaveNic();
    /// Releases the socket and its callbacks.
    void DropSocket();
    /// The connection failed. All bytes that are not acknowledged will be written again.
    /// @param reason the cause, for a log
    void Fail(const std::string& reason);
    /// Reports a failure. Opens the connection again after a delay.
    /// @param reason the cause, for a log
    void TryAgain(const std::string& reason);
    /// Writes the flow's rate into its row.
    void UpdateRow();
    /// @return whether the flow has unwritten bytes, and neither is paused nor waits for tokens
    bool CanWrite() const;
    /// Writes all bytes that the flow and TCP allow.
    void Write();
    /// @return number of bytes of one write at the flow's rate
    uint64_t ComputeQuantum() const;
    /// @return number of bytes to give to TCP now; 0: TCP takes too few bytes for a write
    uint32_t GetRoom() const;
    /// @return tokens of the flow when it gets its first rate
    uint64_t GetPhase() const;
    /// @param room number of bytes that TCP takes
    /// @return number of payload bytes that the flow may write now; 0: the flow waits for tokens
    ///         or for room
    uint64_t GetGrant(uint32_t room);
    /// Writes payload. Writes the header of the record first, if it was not written yet.
    /// @param payload number of bytes
    void WritePayload(uint64_t payload);
    /// @return acknowledged bytes of the connection, with the header
    uint64_t GetAcknowledged() const;
    CoflowSource& m_source;    ///< source with the attributes of its connections
    SourceFlow* m_flow;        ///< flow of the connection; null: acknowledged or cancelled
    const Ipv4Address m_dst;   ///< receiving host
    uint32_t m_unsentLimit{0}; ///< largest number of unsent bytes in TCP
    Ptr<Connection> m_socket;  ///< socket
    ConnectionName m_name;     ///< name of the socket in the host's classifier
    PacketPriority* m_priority{nullptr}; ///< priority of its packets in the host's classifier
    std::optional<FlowKey> m_gated;      ///< flow of the socket in the NicScheduler
    bool m_connected{false};             ///< data may be written
    bool m_writing{false};               ///< Write() runs; TCP may call it again meanwhile
    uint64_t m_written{0};               ///< bytes given to TCP, with the header
    uint64_t m_offset{0};                ///< position of the record's first byte in the flow
    EventId m_reopenEvent;               ///< event that opens a failed connection again
    HostPorts::Place m_place;            ///< place among the connections that wait for a port
};

} // namespace ns3::coflow

#endif // COFLOW_SOURCE_CONNECTION_H
