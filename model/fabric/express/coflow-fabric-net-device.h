/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FABRIC_NET_DEVICE_H
#define COFLOW_FABRIC_NET_DEVICE_H

#include "ns3/address.h"
#include "ns3/coflow-types.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::coflow
{

class FabricChannel;

/// A host's port to a FabricChannel. The device has no queue, because the channel has a queue for
/// every port. So the device does not stop its host when the queue is full.
///
/// The device carries IPv4 only. Packets have no frame around them, but the bytes of a frame count
/// on the wire.
class FabricNetDevice : public NetDevice
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    FabricNetDevice();
    ~FabricNetDevice() override;

    /// Attaches the device to the network. The node of the device must be set.
    /// @param channel the network
    void Attach(Ptr<FabricChannel> channel);

    /// @return whether a trace sink is connected to packets whose transmission begins
    bool IsSniffing() const
    {
        return !m_snifferTrace.IsEmpty() || !m_promiscSnifferTrace.IsEmpty();
    }

    /// Passes a packet to the sniffer traces.
    /// @param packet a packet whose transmission begins, or that has arrived
    void Sniff(Ptr<const Packet> packet);

    /// A packet has arrived.
    /// @param packet packet that begins with the IPv4 header
    void Receive(Ptr<Packet> packet);

    void SetIfIndex(const uint32_t index) override
    {
        m_ifIndex = index;
    }

    uint32_t GetIfIndex() const override
    {
        return m_ifIndex;
    }

    Ptr<Channel> GetChannel() const override;

    void SetAddress(Address address) override
    {
        m_address = address;
    }

    Address GetAddress() const override
    {
        return m_address;
    }

    bool SetMtu(const uint16_t mtu) override;

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;

    bool IsBroadcast() const override
    {
        return false;
    }

    Address GetBroadcast() const override
    {
        return m_address;
    }

    bool IsMulticast() const override
    {
        return false;
    }

    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;

    bool IsBridge() const override
    {
        return false;
    }

    bool IsPointToPoint() const override
    {
        return false;
    }

    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;

    Ptr<Node> GetNode() const override
    {
        return m_node;
    }

    void SetNode(Ptr<Node> node) override
    {
        m_node = node;
    }

    bool NeedsArp() const override
    {
        return false;
    }

    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override
    {
        m_receiveCallback = cb;
    }

    void SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb) override
    {
        m_promiscReceiveCallback = cb;
    }

    bool SupportsSendFrom() const override
    {
        return false;
    }

  protected:
    void DoDispose() override;

  private:
    Ptr<FabricChannel> m_channel;
    ::coflow::HostId m_host{0}; ///< number of the host in the channel
    Ptr<Node> m_node;
    uint32_t m_ifIndex{0};
    uint16_t m_mtu;
    Address m_address;
    NetDevice::ReceiveCallback m_receiveCallback;
    NetDevice::PromiscReceiveCallback m_promiscReceiveCallback;

    TracedCallback<Ptr<const Packet>> m_macTxTrace;
    TracedCallback<Ptr<const Packet>> m_macTxDropTrace;
    TracedCallback<Ptr<const Packet>> m_macRxTrace;
    TracedCallback<Ptr<const Packet>> m_snifferTrace;
    TracedCallback<Ptr<const Packet>> m_promiscSnifferTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_FABRIC_NET_DEVICE_H
