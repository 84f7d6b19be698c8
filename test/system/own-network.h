/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_OWN_NETWORK_H
#define COFLOW_OWN_NETWORK_H

#include "ns3/coflow-experiment.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-helper.h"
#include "ns3/coflow-transform.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace coflow::test
{

/// A network that a script makes with ns-3's own helpers; ends the simulation with itself.
class OwnNetwork
{
  public:
    OwnNetwork()
    {
        link.SetDeviceAttribute("DataRate", ns3::StringValue("1Gbps"));
        link.SetChannelAttribute("Delay", ns3::StringValue("5us"));
        m_addresses.SetBase("10.1.0.0", "255.255.255.252");
    }

    ~OwnNetwork()
    {
        ns3::Simulator::Destroy();
    }

    OwnNetwork(const OwnNetwork&) = delete;
    OwnNetwork& operator=(const OwnNetwork&) = delete;

    /// @return nodes with a stack
    static ns3::NodeContainer Create(uint32_t number)
    {
        ns3::NodeContainer nodes;
        nodes.Create(number);
        ns3::InternetStackHelper().Install(nodes);
        return nodes;
    }

    /// Connects two nodes.
    void Connect(ns3::Ptr<ns3::Node> one, ns3::Ptr<ns3::Node> other)
    {
        const auto pair = link.Install(one, other);
        m_addresses.Assign(pair);
        m_addresses.NewNetwork();
        devices.Add(pair);
    }

    /// Hosts around one switch, as the topology big-switch has them.
    void MakeStar(uint32_t number)
    {
        hosts = Create(number);
        const auto center = Create(1);
        for (uint32_t i = 0; i < number; ++i)
        {
            Connect(hosts.Get(i), center.Get(0));
        }
        ns3::Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }

    ns3::PointToPointHelper link;
    ns3::NodeContainer hosts;
    ns3::NetDeviceContainer devices;

  private:
    ns3::Ipv4AddressHelper m_addresses;
};

/// @param hosts number of hosts
/// @param coflows number of coflows
/// @param size what flows of 20 to 120 kB are multiplied by
/// @return coflows of all four bins, with small sizes
inline Workload
MakeMix(uint32_t hosts, uint32_t coflows, double size = 1)
{
    const auto bytes = [size](const std::string& name, double most) {
        return name + "=" + std::to_string(static_cast<int64_t>(size * most));
    };
    auto workload = Generate("varys-mix",
                             {"hosts=" + std::to_string(hosts),
                              "coflows=" + std::to_string(coflows),
                              bytes("minBytes", 20'000),
                              bytes("shortBytes", 100'000),
                              bytes("maxBytes", 120'000),
                              "seed=3"});
    workload.scale = 0.01 * size;
    return workload;
}

/// Coflows of one flow each, all of which arrive at time 0: source, destination, bytes.
inline Workload
MakeFlows(const std::vector<std::tuple<HostId, HostId, int64_t>>& flows)
{
    Workload workload;
    for (const auto& [src, dst, bytes] : flows)
    {
        Coflow coflow;
        coflow.id = workload.coflows.size() + 1;
        coflow.flows = {{0, src, dst, bytes}};
        workload.coflows.push_back(coflow);
        workload.hosts = std::max({workload.hosts, src + 1, dst + 1});
    }
    return workload;
}

/// @return CCTs in seconds, in the order of the workload
inline std::vector<double>
GetCcts(const ns3::coflow::CoflowHelper& helper)
{
    std::vector<double> ccts;
    for (const auto& record : helper.GetCoflowRecords())
    {
        EXPECT_TRUE(record.IsFinished()) << record.id;
        ccts.push_back(static_cast<double>(record.finish - record.arrival) * 1e-9);
    }
    return ccts;
}

} // namespace coflow::test

#endif // COFLOW_OWN_NETWORK_H
