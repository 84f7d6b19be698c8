/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CONTROL_PLANE_H
#define COFLOW_CONTROL_PLANE_H

#include "ns3/coflow-control-endpoint.h"
#include "ns3/coflow-host-network.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-packet-class.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// The control plane of a scheduler, or of applications on several hosts. It makes endpoints, and
/// counts the messages of all its endpoints.
class ControlPlane : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Sets network and transport; to be called once, after the network was built.
    /// @param network the network, in which messages share queues and links with data
    /// @param profile TCP's parameters
    void Build(Ptr<HostNetwork> network, Ptr<TransportProfile> profile);

    /// Sets the priority of packets, for ports that use priorities of hosts. To be called before
    /// MakeEndpoint().
    /// @param priority priority of control packets; without a band, the DSCP sets the band
    void SetPriority(const PacketPriority& priority)
    {
        m_priority = priority;
    }

    /// Gives control packets the highest class at ports that serve classes in strict order, unless
    /// the attribute ControlDscp is set. At these ports, best effort is the lowest class, and
    /// messages in this class would wait for all data. To be called before MakeEndpoint().
    void SetHighestPriority();

    /// @param host a host
    /// @return a new endpoint on the host
    Ptr<ControlEndpoint> MakeEndpoint(HostId host);

    /// @param host a host
    /// @return the address of the host's endpoints
    Ipv4Address GetAddress(HostId host) const;

    /// @param address address of a host
    /// @return the host, or the number of hosts where no host has the address
    HostId GetHost(Ipv4Address address) const;

    /// @return messages that all endpoints have sent, by type
    ControlCounts GetSent() const;

    /// @return packets that TCP has sent for these messages, with headers, acknowledgements and
    ///         retransmissions
    WireCount GetWire() const;

    /// @return the largest number of messages that one endpoint has received between two successive
    ///         whole seconds of the simulation
    uint64_t GetPeakReceived() const
    {
        return m_peakReceived;
    }

    /// A message was given to the transport.
    /// @param from the sending host
    /// @param to address of the receiving host
    /// @param messageType number of the type
    /// @param bytes bytes of frame and body
    typedef void (*SentCallback)(HostId from, Ipv4Address to, uint16_t messageType, uint32_t bytes);

    /// A message was received by an endpoint.
    /// @param at the receiving host
    /// @param from address of the sending host
    /// @param messageType number of the type
    /// @param bytes bytes of frame and body
    typedef void (*ReceivedCallback)(HostId at,
                                     Ipv4Address from,
                                     uint16_t messageType,
                                     uint32_t bytes);

  protected:
    void DoDispose() override;

  private:
    /// Number of messages that an endpoint has received in its last second with messages.
    struct Second
    {
        int64_t number{-1};
        uint64_t messages{0};
    };

    void CountReceived(std::size_t endpoint);

    ControlEndpoint::Transport m_transport;        ///< attribute ControlTransport
    double m_lossRate;                             ///< attribute ControlLossRate
    uint8_t m_dscp;                                ///< attribute ControlDscp
    Time m_messageDelay;                           ///< attribute ControlMessageDelay
    Ptr<HostNetwork> m_network;                    ///< network of the messages
    Ptr<TransportProfile> m_profile;               ///< TCP's parameters
    PacketPriority m_priority;                     ///< SetPriority()
    std::vector<Ptr<ControlEndpoint>> m_endpoints; ///< all endpoints of MakeEndpoint()
    std::vector<Second> m_seconds;                 ///< counts of received messages, by endpoint
    uint64_t m_peakReceived{0};                    ///< GetPeakReceived()

    TracedCallback<HostId, Ipv4Address, uint16_t, uint32_t> m_sentTrace;
    TracedCallback<HostId, Ipv4Address, uint16_t, uint32_t> m_receivedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_PLANE_H
