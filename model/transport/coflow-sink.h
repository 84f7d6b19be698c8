/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SINK_H
#define COFLOW_SINK_H

#include "ns3/application.h"
#include "ns3/coflow-flow-key.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-types.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-interface.h"
#include "ns3/nstime.h"
#include "ns3/socket.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
class Ipv4EndPoint;
}

namespace ns3::coflow
{

class RateTable;
class SinkConnection;
class TransportProfile;

/// Receives the flows that end at a host. There is one sink per host. It reads every byte as soon
/// as TCP delivers the byte, and counts each byte of a flow once. A flow is finished when the
/// application has its last byte.
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
    /// @param key an unknown flow
    /// @param bytes size of the flow
    void DeliverLocal(const FlowKey& key, uint64_t bytes);

    /// @param rates the rates of the network's flows, and the bytes that came without packets
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

    /// A peer has sent bytes that are no record. Its connection is closed, and the bytes are not
    /// counted.
    /// @param peer address of the peer
    /// @param reason the error
    typedef void (*ProtocolViolationCallback)(const Address& peer, const std::string& reason);

  protected:
    void DoDispose() override;

  private:
    friend class SinkConnection;

    /// What is known of one flow.
    struct FlowState
    {
        uint64_t received{0};     ///< bytes delivered by TCP
        uint64_t advanced{0};     ///< bytes delivered without packets, in no row
        uint32_t row{UINT32_MAX}; ///< in the RateTable; UINT32_MAX: it has none
        Time firstByte;           ///< when the first byte was delivered
        Time latest;              ///< when TCP delivered the latest ones
        bool finished{false};     ///< the last one was delivered
    };

    /// @return bytes of a flow that were delivered without packets
    uint64_t GetAdvanced(const FlowState& flow) const;

    void StartApplication() override;
    void StopApplication() override;

    /// Listens for connections with packets, at once.
    /// @throws ::coflow::InputError where the port is taken
    void ListenForPackets();
    /// Listens for connections with packets when the first one comes: a socket takes time and
    /// memory, and where connections are lean there is mostly no use for it.
    /// @throws ::coflow::InputError where the port is taken
    void ReservePort();
    /// No effect where no port is reserved.
    void GiveReservedPortBack();
    /// A packet has come to the port that was reserved.
    void HandleFirstPacket(Ptr<Packet> packet,
                           const Ipv4Header& header,
                           Ptr<Ipv4Interface> interface);
    [[noreturn]] void ThrowPortTaken() const;
    /// TCP accepted a connection.
    void HandleAccept(Ptr<Socket> socket, const Address& peer);
    /// A flow's last byte was delivered.
    void FinishFlow(const FlowKey& key, FlowState& flow);
    /// Forgets a connection, after the callback it is in has returned.
    void Release(const SinkConnection* connection);
    /// Destroys the connections that were released.
    void DestroyReleased();

    Ptr<TransportProfile> m_profile;    ///< TCP's parameters
    uint16_t m_port;                    ///< TCP port to listen on
    Ptr<PacketClassifier> m_classifier; ///< of the host, if any
    Ptr<Socket> m_listener;             ///< listens for connections with packets
    Ipv4EndPoint* m_reserved{nullptr};  ///< has the port until the first of them comes; or none
    std::vector<std::unique_ptr<SinkConnection>> m_connections; ///< open ones
    std::vector<std::unique_ptr<SinkConnection>> m_released;    ///< to be destroyed
    EventId m_destroyEvent;                                     ///< destroys them
    std::map<FlowKey, FlowState> m_flows; ///< all flows seen, kept so that none counts twice
    uint64_t m_totalReceived{0};          ///< bytes of all flows, but for those in rows
    Ptr<RateTable> m_rateTable;           ///< or none

    TracedCallback<::coflow::CoflowId, ::coflow::FlowId, uint64_t, Time> m_flowFinishedTrace;
    TracedCallback<::coflow::CoflowId, ::coflow::FlowId, uint64_t> m_flowInterruptedTrace;
    TracedCallback<const Address&, const std::string&> m_violationTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_SINK_H
