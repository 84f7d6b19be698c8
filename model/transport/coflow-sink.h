/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SINK_H
#define COFLOW_SINK_H

#include "ns3/application.h"
#include "ns3/coflow-connection-list.h"
#include "ns3/coflow-flow-key.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-types.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace ns3::coflow
{

class RateTable;
class ReservedPort;
class SinkConnection;
class TransportProfile;

/// Receives the flows that end at a host. There is one sink per host. The sink reads every byte as
/// soon as TCP delivers the byte, and counts each byte of a flow once. A flow is finished when the
/// sink has read its last byte.
class CoflowSink : public Application
{
  public:
    /// Default TCP port of every sink, and default destination port of every source.
    static constexpr uint16_t DEFAULT_PORT = 5000;

    /// @return the type with its attributes and trace sources
    static TypeId GetTypeId();

    CoflowSink();
    ~CoflowSink() override;

    /// @param key a flow that ends at this host
    /// @return bytes of the flow delivered so far; 0 for an unknown flow
    uint64_t GetReceivedBytes(const FlowKey& key) const;

    /// @param key a flow that ends at this host
    /// @return time of the last delivery of the flow; 0 for an unknown flow
    Time GetLastDelivery(const FlowKey& key) const;

    /// @param key a flow that ends at this host
    /// @return whether the flow's last byte was delivered
    bool IsFinished(const FlowKey& key) const;

    /// @return bytes of all flows delivered so far
    uint64_t GetTotalReceivedBytes() const;

    /// Receives a flow that needs no network: from this host to itself, or without bytes.
    /// FlowFinished is called at once.
    /// @param key a flow that the sink does not know yet
    /// @param bytes size of the flow
    void DeliverLocal(const FlowKey& key, uint64_t bytes);

    /// Sets the rate table.
    /// @param rates the table of the network
    void SetRateTable(const Ptr<RateTable>& rates);

    /// A flow is finished: its last byte was delivered to the application.
    /// @param coflowId the coflow
    /// @param flowId the flow
    /// @param bytes size of the flow
    /// @param firstByte time of its first byte's delivery (for an empty flow: now)
    typedef void (*FlowFinishedCallback)(::coflow::CoflowId coflowId,
                                         ::coflow::FlowId flowId,
                                         uint64_t bytes,
                                         Time firstByte);

    /// A connection has ended in the middle of a record. The sender has cancelled the flow, or the
    /// connection has broken and the sender will resume the flow on another connection.
    /// @param coflowId the coflow
    /// @param flowId the flow
    /// @param received bytes of the flow delivered so far
    typedef void (*FlowInterruptedCallback)(::coflow::CoflowId coflowId,
                                            ::coflow::FlowId flowId,
                                            uint64_t received);

    /// A peer has sent bytes that do not form a record. Its connection is closed, and the bytes are
    /// not counted.
    /// @param peer address of the peer
    /// @param reason the error
    typedef void (*ProtocolViolationCallback)(const Address& peer, const std::string& reason);

  protected:
    void DoDispose() override;

  private:
    friend class SinkConnection;

    /// The state of one flow.
    struct FlowState
    {
        uint64_t received{0};     ///< bytes delivered by TCP
        uint64_t advanced{0};     ///< bytes delivered without packets that are not counted in a row
        uint32_t row{UINT32_MAX}; ///< number of its row in the RateTable; UINT32_MAX: none
        Time firstByte;           ///< time of the first delivery
        Time latest;              ///< time of the last delivery by TCP
        bool finished{false};     ///< the last byte was delivered
    };

    /// @param flow a flow
    /// @return number of bytes of the flow that were delivered without packets
    uint64_t GetAdvanced(const FlowState& flow) const;

    void StartApplication() override;
    void StopApplication() override;

    /// Starts to listen for connections with packets.
    /// @throws ::coflow::InputError where the port is in use
    void ListenForPackets();
    [[noreturn]] void ThrowPortTaken() const;
    /// TCP accepted a connection.
    void HandleAccept(Ptr<Socket> socket, const Address& peer);
    /// A flow's last byte was delivered.
    void FinishFlow(const FlowKey& key, FlowState& flow);

    Ptr<TransportProfile> m_profile;          ///< TCP's parameters
    uint16_t m_port;                          ///< TCP port to listen on
    Ptr<PacketClassifier> m_classifier;       ///< classifier of the host; null: none
    Ptr<Socket> m_listener;                   ///< socket that listens for connections with packets
    std::unique_ptr<ReservedPort> m_reserved; ///< port of m_listener before it listens; null: none
    ConnectionList<SinkConnection> m_connections; ///< connections that sources have opened
    std::map<FlowKey, FlowState> m_flows; ///< all flows so far, so that no byte counts twice
    uint64_t m_totalReceived{0}; ///< bytes of all flows, without the bytes that are counted in rows
    Ptr<RateTable> m_rateTable;  ///< table of the rates; null: none

    TracedCallback<::coflow::CoflowId, ::coflow::FlowId, uint64_t, Time> m_flowFinishedTrace;
    TracedCallback<::coflow::CoflowId, ::coflow::FlowId, uint64_t> m_flowInterruptedTrace;
    TracedCallback<const Address&, const std::string&> m_violationTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_SINK_H
