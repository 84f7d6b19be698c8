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

/// How the parts of a scheduler talk, or applications on several hosts. It makes their endpoints,
/// and counts what all of them sent.
class ControlPlane : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// To be called once, after the network was built.
    /// @param network the hosts, and what lies between them: messages travel among the data
    /// @param profile TCP's parameters
    void Build(Ptr<HostNetwork> network, Ptr<TransportProfile> profile);

    /// Says how urgent packets are at ports that go by what hosts say. To be called before
    /// MakeEndpoint().
    /// @param priority of control packets; without a band, the DSCP says it
    void SetPriority(const PacketPriority& priority)
    {
        m_priority = priority;
    }

    /// Has packets go before all data at ports that serve classes in order, unless ControlDscp says
    /// something. Best effort is the last class there: messages would wait for all data. To be
    /// called before MakeEndpoint().
    void SetHighestPriority();

    /// @param host a host
    /// @return a new endpoint on it
    Ptr<ControlEndpoint> MakeEndpoint(HostId host);

    /// @param host a host
    /// @return the address at which its endpoints are reached
    Ipv4Address GetAddress(HostId host) const;

    /// @param address of a host
    /// @return the host, or the number of hosts where none has it
    HostId GetHost(Ipv4Address address) const;

    /// @return what all endpoints have sent, by type of message
    ControlCounts GetSent() const;

    /// @return what TCP has sent for that: headers, acknowledgements and what is sent again besides
    WireCount GetWire() const;

    /// @return most messages that one endpoint received in a second, counted from whole seconds
    uint64_t GetPeakReceived() const
    {
        return m_peakReceived;
    }

    /// A message was given to the transport.
    /// @param from the host that sends it
    /// @param to address of the host that it is for
    /// @param messageType number of the type
    /// @param bytes of frame and body
    typedef void (*SentCallback)(HostId from, Ipv4Address to, uint16_t messageType, uint32_t bytes);

    /// A message was received by an endpoint.
    /// @param at the host that receives it
    /// @param from address of the host that has sent it
    /// @param messageType number of the type
    /// @param bytes of frame and body
    typedef void (*ReceivedCallback)(HostId at,
                                     Ipv4Address from,
                                     uint16_t messageType,
                                     uint32_t bytes);

  protected:
    void DoDispose() override;

  private:
    /// Messages that an endpoint received in the last second in which it did.
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
    Ptr<HostNetwork> m_network;                    ///< where messages travel
    Ptr<TransportProfile> m_profile;               ///< TCP's parameters
    PacketPriority m_priority;                     ///< SetPriority()
    std::vector<Ptr<ControlEndpoint>> m_endpoints; ///< all that were made
    std::vector<Second> m_seconds;                 ///< per endpoint
    uint64_t m_peakReceived{0};                    ///< GetPeakReceived()

    TracedCallback<HostId, Ipv4Address, uint16_t, uint32_t> m_sentTrace;
    TracedCallback<HostId, Ipv4Address, uint16_t, uint32_t> m_receivedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_CONTROL_PLANE_H
