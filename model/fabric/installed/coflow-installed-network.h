/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_INSTALLED_NETWORK_H
#define COFLOW_INSTALLED_NETWORK_H

#include "ns3/coflow-host-network.h"
#include "ns3/coflow-node-graph.h"
#include "ns3/net-device-container.h"
#include "ns3/object-factory.h"
#include "ns3/queue-disc.h"
#include "ns3/queue.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// The network `installed`: user-built, that is, a script has made it of ns3::Node, ns3::NetDevice
/// and ns3::Channel, whatever helpers it used: the hosts are given, and what lies between them is
/// found by following channels.
///
/// Addresses are those of the hosts' IPv4 interfaces, rates are the attributes DataRate of devices
/// or channels. Both can be given where the nodes do not say them. Everything is read when Build()
/// is called.
class InstalledNetwork : public HostNetwork
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// What a script says of a host that its node does not say.
    struct Given
    {
        std::map<Ptr<Node>, Ipv4Address> addresses; ///< of a host with several
        /// Rates to the network and from there.
        std::map<Ptr<Node>, std::pair<DataRate, DataRate>> rates;
        std::map<Ptr<Node>, double> shares; ///< SetAvailableShare()
    };

    /// @param hosts nodes with an IPv4 stack and addresses, none of them twice
    /// @param given what the nodes do not say
    /// @param mtu bytes of the IPv4 packets that every device between hosts has to carry
    /// @throws ::coflow::InputError where a host lacks something; the message names it and says
    ///         what to call
    InstalledNetwork(const NodeContainer& hosts, const Given& given, uint16_t mtu);

    /// Gives devices a queue disc, in place of what they have; and a queue in the device that
    /// leaves all waiting to the disc.
    /// @param devices devices of this network
    /// @param queueDisc makes the queue disc
    /// @throws ::coflow::InputError where a device cannot have one
    static void InstallQueueDiscs(const NetDeviceContainer& devices,
                                  const ObjectFactory& queueDisc);

    /// The same for all devices between hosts, but ports of bridges, whose packets pass no queue
    /// discs.
    /// @param queueDisc makes the queue disc
    /// @throws ::coflow::InputError where a device cannot have one
    void InstallQueueDiscs(const ObjectFactory& queueDisc) const;

    /// @param device a device of a node
    /// @return whether it belongs to a bridge of that node: packets go from one of its ports to
    ///         another without IPv4 and traffic control
    static bool IsBridgePort(const NetDevice& device);

    /// Sees that the network has what a scheduler and a transport need; to be called before
    /// PrepareHosts().
    /// @param scheduler its name, for messages
    /// @param queueDisc class of the queue disc that every device between hosts has to have, with
    ///        or without attributes; empty: any
    /// @param marks whether the transport goes by ECN marks, which queue discs have to give
    /// @param routes whether hosts have to have routes to each other by now
    /// @throws ::coflow::InputError where something is missing; the message names node and device
    ///         and says what to call
    void Check(const std::string& scheduler,
               const std::string& queueDisc,
               bool marks,
               bool routes) const;

    /// @param expected class of the queue disc that InstallQueueDiscs() would have installed
    /// @return which other queue discs devices between hosts have, ports of bridges left out, in
    ///         words; empty: none
    std::string DescribeOtherQueueDiscs(TypeId expected) const;

    /// @return what the network has that coflows do not use, or that bounds do not know, in lines:
    ///         CSMA, parallel links, hosts with several devices
    std::vector<std::string> GetNotes() const;

    /// Has hosts say what their packets are, see PacketClassifier; to be called once.
    void PrepareHosts();

    /// Says what coflows may have of a host's port, beside other traffic. May change in a run.
    /// @param host a host
    /// @param share of the rate of the port, 0 to 1; the default is 1
    void SetAvailableShare(HostId host, double share);

    /// @param node a node
    /// @return its number among the hosts
    /// @throws ::coflow::InputError where it is none
    HostId FindHost(const Node& node) const;

    /// @return devices whose packets may be on the way from one host to another
    const std::vector<Ptr<NetDevice>>& GetDevices() const;

    /// @param host a host
    /// @return the device that has its address
    Ptr<NetDevice> GetHostDevice(HostId host) const
    {
        return m_ports.at(host).device;
    }

    uint32_t GetNHosts() const override;

    const NodeContainer& GetHosts() const override
    {
        return m_hosts;
    }

    Ipv4Address GetAddress(HostId host) const override
    {
        return m_ports.at(host).address;
    }

    HostId GetHostWithAddress(Ipv4Address address) const override;

    DataRate GetUplinkRate(HostId host) const override
    {
        return m_ports.at(host).up;
    }

    DataRate GetDownlinkRate(HostId host) const override
    {
        return m_ports.at(host).down;
    }

    /// GetUplinkRate(), times what has become of the rate of its device since it was looked at.
    DataRate GetCurrentUplinkRate(HostId host) const override;
    uint64_t GetWaitingBytes(HostId host) const override;
    /// As its device and its IPv4 interface say now, times SetAvailableShare().
    double GetPortShare(HostId host) const override;

    uint16_t GetMtu() const override
    {
        return m_mtu;
    }

    uint64_t GetQueueLimit() const override;
    double GetSecondsPerBit() const override;
    Time GetLongestRoundTrip(uint32_t bytes, uint32_t backBytes) const override;
    BandwidthDelay GetBandwidthDelay() const override;
    PortQueue GetPortQueue() const override;

    double GetPacketTimeError() const override
    {
        return m_packetTimeError;
    }

    /// Counts packets of all traffic at the queues of GetDevices().
    NetworkCounts GetCounts() const override;

  protected:
    void DoDispose() override;

  private:
    /// A host.
    struct Port
    {
        Ipv4Address address;
        Ptr<NetDevice> device;
        DataRate up;
        DataRate down;
        uint64_t deviceRate{0};   ///< of the device when it was looked at first, bits per second
        double share{1};          ///< SetAvailableShare()
        Ptr<QueueDisc> queueDisc; ///< or none; read when it is asked for first
        Ptr<Queue<Packet>> queue; ///< of the device, or none
        bool knowsQueues{false};  ///< whether the two were read
    };

    /// @return the rate of a host's device now over what it was when it was looked at first; 1
    /// where
    ///         it has none
    double GetRateChange(HostId host) const;

    Port MakePort(const Ptr<Node>& host, const Given& given) const;
    void CheckReachable() const;
    void CheckPacketTimes();
    void CheckRoutes() const;

    NodeContainer m_hosts;
    uint16_t m_mtu;
    NodeGraph m_graph;
    double m_packetTimeError{0};       ///< see GetPacketTimeError()
    mutable std::vector<Port> m_ports; ///< by host
    std::map<Ipv4Address, HostId> m_hostOf;
};

} // namespace ns3::coflow

#endif // COFLOW_INSTALLED_NETWORK_H
