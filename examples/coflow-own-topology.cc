/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A topology of one's own with hosts of different rates, a coordinator on a node beside the hosts,
// several schedulers one after the other, and an application that starts its coflows itself.
// doc/how-to/own-network.md is about such networks.
//
//     rack 0: hosts 0..3, 1 Gb/s ─┐
//     rack 1: hosts 4..7, 1 Gb/s ─┼─ spine ── coordinator
//     rack 2: hosts 8..9, 2 Gb/s ─┘            (links of racks: 2 Gb/s, half of what they need)
//
//     coflow-own-topology --schedulers=fair,varys,aalo,dcas

#include "ns3/coflow-helper.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-module.h"

#include <iostream>
#include <sstream>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// The network, as ns-3's helpers make it.
struct Network
{
    NodeContainer hosts{10};
    NodeContainer racks{3};
    NodeContainer spine{1};
    NodeContainer coordinator{1};
    NetDeviceContainer devices;

    Network()
    {
        InternetStackHelper stack;
        for (const auto& nodes : {hosts, racks, spine, coordinator})
        {
            stack.Install(nodes);
        }
        for (uint32_t i = 0; i < hosts.GetN(); ++i)
        {
            Connect(hosts.Get(i), racks.Get(i / 4), i < 8 ? "1Gbps" : "2Gbps");
        }
        for (uint32_t i = 0; i < racks.GetN(); ++i)
        {
            Connect(racks.Get(i), spine.Get(0), "2Gbps");
        }
        Connect(coordinator.Get(0), spine.Get(0), "100Mbps");
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }

  private:
    void Connect(Ptr<Node> one, Ptr<Node> other, const std::string& rate)
    {
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue(rate));
        link.SetChannelAttribute("Delay", StringValue("10us"));
        const auto ends = link.Install(one, other);
        m_addresses.Assign(ends);
        m_addresses.NewNetwork();
        devices.Add(ends);
    }

    Ipv4AddressHelper m_addresses{"10.1.0.0", "255.255.255.0"};
};

/// A job: hosts send their results to one host, which then tells how long that took.
class Gather
{
  public:
    /// @param receiver who gets all
    /// @param senders who send
    /// @param bytes of every sender
    Gather(Ptr<Node> receiver, const NodeContainer& senders, uint64_t bytes)
        : m_receiver(CoflowHelper::GetClient(receiver)),
          m_bytes(bytes)
    {
        for (auto node = senders.Begin(); node != senders.End(); ++node)
        {
            m_senders.push_back(CoflowHelper::GetClient(*node));
        }
    }

    /// The driver, on the receiver's host, registers the coflow.
    void Begin()
    {
        m_begin = Simulator::Now();
        m_missing = m_senders.size();
        CoflowOptions options;
        options.bottleneckBytes = m_bytes * m_senders.size();
        m_receiver->Register(m_missing, options, [this](const CoflowHandle& coflow) {
            // Now its tasks begin: senders put their flows, the receiver gets them.
            for (uint32_t flow = 0; flow < m_senders.size(); ++flow)
            {
                m_senders[flow]->Put(coflow, flow, m_receiver->GetAddress(), m_bytes);
                m_receiver->Get(coflow, flow, [this, coflow] { Receive(coflow); });
            }
        });
    }

    /// @return how long it took; 0: it has not finished
    Time GetDuration() const
    {
        return m_duration;
    }

  private:
    void Receive(const CoflowHandle& coflow)
    {
        if (--m_missing == 0)
        {
            m_receiver->Unregister(coflow);
            m_duration = Simulator::Now() - m_begin;
        }
    }

    Ptr<CoflowClient> m_receiver;
    std::vector<Ptr<CoflowClient>> m_senders;
    uint64_t m_bytes;
    uint32_t m_missing{0};
    Time m_begin;
    Time m_duration;
};

void
Run(const std::string& scheduler)
{
    Network network;
    CoflowHelper coflows;
    coflows.SetScheduler(scheduler);
    coflows.SetScale(0.1); // sizes are a tenth of what thresholds are for
    coflows.SetCoordinator(network.coordinator.Get(0)); // of schedulers that have one
    coflows.InstallQueueDiscs(network.devices);
    coflows.Install(network.hosts);

    // A large job to host 9, and a little later a small one to host 8, over the same rack's link.
    const auto& hosts = network.hosts;
    NodeContainer many;
    for (uint32_t i = 0; i < 8; ++i)
    {
        many.Add(hosts.Get(i));
    }
    Gather large(hosts.Get(9), many, 4'000'000);
    Gather small(hosts.Get(8), NodeContainer(hosts.Get(0), hosts.Get(4)), 2'000'000);
    Simulator::Schedule(MilliSeconds(10), &Gather::Begin, &large);
    Simulator::Schedule(MilliSeconds(30), &Gather::Begin, &small);
    Simulator::Stop(Seconds(20)); // heartbeats go on for a minute without work
    Simulator::Run();
    std::cout << scheduler << ": large job " << large.GetDuration().As(Time::MS) << ", small job "
              << small.GetDuration().As(Time::MS) << "\n";
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string schedulers = "fair,varys,aalo,dcas";
    CommandLine cmd(__FILE__);
    cmd.AddValue("schedulers", "names of schedulers, separated by commas", schedulers);
    cmd.Parse(argc, argv);
    std::istringstream names(schedulers);
    for (std::string name; std::getline(names, name, ',');)
    {
        Run(name);
    }
}
