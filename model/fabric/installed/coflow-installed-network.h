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

/// The network `installed`: a user-built network of ns3::Node, ns3::NetDevice and ns3::Channel,
/// made by a script with any helpers. The script names the hosts. The nodes between the hosts are
/// found by following channels.
///
/// Addresses are read from the hosts' IPv4 interfaces, and rates from the attributes DataRate of
/// devices or channels. A script gives an address or a rate where the nodes do not have one. The
/// constructor reads the network.
class InstalledNetwork : public HostNetwork
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Values of hosts that a script gives.
    struct Given
    {
        std::map<Ptr<Node>, Ipv4Address>
            addresses; ///< address to use, for hosts with several addresses
        /// Rates to the network and from the network.
        std::map<Ptr<Node>, std::pair<DataRate, DataRate>> rates;
        std::map<Ptr<Node>, double> shares; ///< shares of ports, see SetAvailableShare()
    };

    /// @param hosts nodes with an IPv4 stack and addresses, each once
    /// @param given values that the script gives
    /// @param mtu size of the largest IPv4 packet that every device between hosts must carry, in
    ///        bytes
    /// @throws ::coflow::InputError where a host lacks something. The message names the host and
    ///         the function that the script has to call
    InstalledNetwork(const NodeContainer& hosts, const Given& given, uint16_t mtu);

    /// Replaces the queue discs of devices. The queue inside a device is limited to one packet, so
    /// that all other packets wait in the queue disc.
    /// @param devices devices of this network
    /// @param queueDisc factory of the queue discs
    /// @throws ::coflow::InputError where a device cannot have a queue disc
    static void InstallQueueDiscs(const NetDeviceContainer& devices,
                                  const ObjectFactory& queueDisc);

    /// Replaces the queue discs of all devices between hosts, except ports of bridges. Packets that
    /// pass a bridge pass no queue disc.
    /// @param queueDisc factory of the queue discs
    /// @throws ::coflow::InputError where a device cannot have a queue disc
    void InstallQueueDiscs(const ObjectFactory& queueDisc) const;

    /// Checks the network for a scheduler and a transport; to be called before PrepareHosts().
    /// @param scheduler name of the scheduler, for messages
    /// @param queueDisc class of the queue disc that every device between hosts must have, with or
    ///        without attributes; empty: any
    /// @param marks whether the transport needs ECN marks, which queue discs then must set
    /// @param routes whether hosts must have routes to each other now
    /// @throws ::coflow::InputError where a node or device lacks something. The message names the
    ///         node, the device and the function that the script has to call
    void Check(const std::string& scheduler,
               const std::string& queueDisc,
               bool marks,
               bool routes) const;

    /// @param expected class of the queue disc that InstallQueueDiscs() installs
    /// @return text with the names of all other queue discs at devices between hosts. Ports of
    ///         bridges do not count. Empty: no other queue discs
    std::string DescribeOtherQueueDiscs(TypeId expected) const;

    /// @return a line for each property of the network that coflows do not use or bounds do not
    ///         take into account: CSMA, parallel links, hosts with several devices
    std::vector<std::string> GetNotes() const;

    /// Installs a PacketClassifier on every host; to be called once.
    void PrepareHosts();

    /// Sets the share of a host's port that coflows may use, where other traffic uses the rest. May
    /// be called during a run.
    /// @param host a host
    /// @param share share of the port's rate, 0 to 1; the default is 1
    void SetAvailableShare(HostId host, double share);

    /// @param node a node
    /// @return the node's number among the hosts
    /// @throws ::coflow::InputError where the node is no host
    HostId FindHost(const Node& node) const;

    /// @return the devices on paths between hosts
    const std::vector<Ptr<NetDevice>>& GetDevices() const;

    /// @param host a host
    /// @return the device with the host's address
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

    /// Returns GetUplinkRate(), multiplied by the ratio of the present rate of the host's device to
    /// the rate of the device at the first reading.
    DataRate GetCurrentUplinkRate(HostId host) const override;
    uint64_t GetWaitingBytes(HostId host) const override;
    /// See HostNetwork::GetPortShare(). The share follows from the host's device and IPv4
    /// interface, and is multiplied by the share of SetAvailableShare().
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
        uint64_t deviceRate{0};   ///< rate of the device at the first reading, in bits per second
        double share{1};          ///< SetAvailableShare()
        Ptr<QueueDisc> queueDisc; ///< queue disc of the device, or null; read at the first use
        Ptr<Queue<Packet>> queue; ///< queue of the device, or none
        bool knowsQueues{false};  ///< whether both queues were read
    };

    /// @return the present rate of a host's device over its rate at the first reading; 1 where the
    ///         device has no rate
    double GetRateChange(HostId host) const;

    Port MakePort(const Ptr<Node>& host, const Given& given) const;
    void CheckReachable() const;
    void CheckPacketTimes();
    void CheckRoutes() const;

    NodeContainer m_hosts;
    uint16_t m_mtu;
    NodeGraph m_graph;
    double m_packetTimeError{0};       ///< see GetPacketTimeError()
    mutable std::vector<Port> m_ports; ///< hosts, by number
    std::map<Ipv4Address, HostId> m_hostOf;
};

} // namespace ns3::coflow

#endif // COFLOW_INSTALLED_NETWORK_H
