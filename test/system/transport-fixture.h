/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TRANSPORT_FIXTURE_H
#define COFLOW_TRANSPORT_FIXTURE_H

#include "ns3/boolean.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/ipv4-list-routing-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/node-container.h"
#include "ns3/object-ptr-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/pointer.h"
#include "ns3/ppp-header.h"
#include "ns3/queue-disc.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ns3::coflow::test
{

/// A few hosts around one router, each on a point-to-point link with a device queue of one packet
/// under a FIFO queue disc, each with a CoflowSource and a CoflowSink.
class Star
{
  public:
    struct Finished
    {
        FlowKey key;
        uint64_t bytes;
        Time firstByte;
        Time at;
    };

    struct Options
    {
        uint32_t hosts{2};
        std::string rate{"1Gbps"};
        Time linkDelay{MicroSeconds(5)};
        std::string queue{"1000p"};
        bool marking{false};     ///< the router's queues mark ECN above 20 packets
        bool applications{true}; ///< a source and a sink on every host
    };

    explicit Star(const Options& options, Ptr<TransportProfile> given = nullptr)
        : profile(given ? given : CreateObject<TransportProfile>())
    {
        // The same random numbers whichever tests ran before.
        RngSeedManager::ResetNextStreamIndex();
        hosts.Create(options.hosts);
        router.Create(1);
        InternetStackHelper internet;
        internet.SetIpv6StackInstall(false);
        internet.SetRoutingHelper(Ipv4StaticRoutingHelper());
        internet.Install(hosts);
        internet.Install(router);
        profile->Install(hosts);

        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue(options.rate));
        link.SetDeviceAttribute("Mtu", UintegerValue(profile->GetRequiredMtu()));
        link.SetChannelAttribute("Delay", TimeValue(options.linkDelay));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
        TrafficControlHelper discs;
        discs.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue(options.queue));
        TrafficControlHelper marking;
        marking.SetRootQueueDisc("ns3::RedQueueDisc",
                                 "MaxSize",
                                 StringValue(options.queue),
                                 "MinTh",
                                 DoubleValue(20),
                                 "MaxTh",
                                 DoubleValue(20),
                                 "QW",
                                 DoubleValue(1),
                                 "UseEcn",
                                 BooleanValue(true),
                                 "UseHardDrop",
                                 BooleanValue(false),
                                 "LinkBandwidth",
                                 StringValue(options.rate));
        Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
        for (uint32_t i = 0; i < options.hosts; ++i)
        {
            auto devices = link.Install(hosts.Get(i), router.Get(0));
            discs.Install(devices.Get(0));
            routerQueue.push_back(
                (options.marking ? marking : discs).Install(devices.Get(1)).Get(0));
            auto interfaces = addresses.Assign(devices);
            addresses.NewNetwork();
            address.push_back(interfaces.GetAddress(0));
            hostDevice.push_back(DynamicCast<PointToPointNetDevice>(devices.Get(0)));
            Ipv4StaticRoutingHelper()
                .GetStaticRouting(hosts.Get(i)->GetObject<Ipv4>())
                ->SetDefaultRoute(interfaces.GetAddress(1), 1);
        }
        for (uint32_t i = 0; options.applications && i < options.hosts; ++i)
        {
            AddApplications(i);
        }
    }

    ~Star()
    {
        Simulator::Destroy();
    }

    struct Connection
    {
        Ptr<Socket> listener;
        Ptr<CoflowTcpSocket> client;
        Ptr<Socket> accepted;
    };

    /// Opens a connection of the profile's sockets from host 0 to host 1, in 10 ms from now.
    Connection Connect()
    {
        Connection connection{profile->CreateSocket(hosts.Get(1)),
                              profile->CreateSocket(hosts.Get(0)),
                              nullptr};
        connection.listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), 80));
        connection.listener->Listen();
        connection.listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>(
                [&](Ptr<Socket> socket, const Address&) { connection.accepted = socket; }));
        Simulator::ScheduleNow(
            [&] { connection.client->Connect(InetSocketAddress(address[1], 80)); });
        Run(Simulator::Now() + MilliSeconds(10));
        connection.listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            MakeNullCallback<void, Ptr<Socket>, const Address&>());
        return connection;
    }

    void AddApplications(uint32_t host)
    {
        auto sink = CreateObject<CoflowSink>();
        sink->SetAttribute("Profile", PointerValue(profile));
        sink->TraceConnectWithoutContext("FlowFinished", MakeCallback(&Star::OnFinished, this));
        sink->TraceConnectWithoutContext("FlowInterrupted",
                                         MakeCallback(&Star::OnInterrupted, this));
        sink->TraceConnectWithoutContext("ProtocolViolation",
                                         MakeCallback(&Star::OnViolation, this));
        hosts.Get(host)->AddApplication(sink);
        sinks.push_back(sink);
        auto source = CreateObject<CoflowSource>();
        source->SetAttribute("Profile", PointerValue(profile));
        source->TraceConnectWithoutContext("FlowSent", MakeCallback(&Star::OnSent, this));
        source->TraceConnectWithoutContext("Retransmission",
                                           MakeCallback(&Star::OnRetransmission, this));
        source->TraceConnectWithoutContext("ConnectionFailed",
                                           MakeCallback(&Star::OnConnectionFailed, this));
        hosts.Get(host)->AddApplication(source);
        sources.push_back(source);
    }

    void SetSourceAttribute(const std::string& name, const AttributeValue& value)
    {
        for (auto& source : sources)
        {
            source->SetAttribute(name, value);
        }
    }

    /// Starts flow (1, flowId).
    void Start(uint32_t src,
               uint32_t dst,
               uint32_t flowId,
               uint64_t bytes,
               RateLimit rateLimit = RateLimit::Unlimited())
    {
        sources[src]->StartFlow({1, flowId, address[dst], bytes, rateLimit});
    }

    /// Loses packets to hosts with a probability.
    void LosePackets(double probability)
    {
        for (auto& device : hostDevice)
        {
            auto loss = CreateObject<RateErrorModel>();
            loss->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            loss->SetRate(probability);
            device->SetReceiveErrorModel(loss);
        }
    }

    void Run(Time until)
    {
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
    }

    /// Number of TCP sockets that a host keeps.
    std::size_t CountSockets(uint32_t host) const
    {
        ObjectPtrContainerValue sockets;
        hosts.Get(host)->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
        return sockets.GetN();
    }

    /// One packet as it leaves a host.
    struct Sent
    {
        uint32_t ipBytes;
        Ipv4Header ip;
        TcpHeader tcp;
        uint32_t payload;
    };

    /// Records every packet that a host sends from now on.
    void Capture(uint32_t host, std::vector<Sent>& packets)
    {
        hostDevice[host]->TraceConnectWithoutContext(
            "PhyTxBegin",
            Callback<void, Ptr<const Packet>>([&packets](Ptr<const Packet> packet) {
                auto copy = packet->Copy();
                Sent entry;
                PppHeader ppp;
                copy->RemoveHeader(ppp);
                entry.ipBytes = copy->GetSize();
                copy->RemoveHeader(entry.ip);
                copy->RemoveHeader(entry.tcp);
                entry.payload = copy->GetSize();
                packets.push_back(entry);
            }));
    }

    /// The flow with an id of coflow 1, which must have finished exactly once.
    Finished Get(uint32_t flowId) const
    {
        std::vector<Finished> found;
        for (const auto& flow : finished)
        {
            if (flow.key == FlowKey{1, flowId})
            {
                found.push_back(flow);
            }
        }
        EXPECT_EQ(found.size(), 1U) << "flow " << flowId;
        return found.empty() ? Finished{} : found.front();
    }

    Ptr<TransportProfile> profile;
    NodeContainer hosts;
    NodeContainer router;
    std::vector<Ipv4Address> address;
    std::vector<Ptr<PointToPointNetDevice>> hostDevice;
    std::vector<Ptr<QueueDisc>> routerQueue; ///< towards each host
    std::vector<Ptr<CoflowSink>> sinks;
    std::vector<Ptr<CoflowSource>> sources;

    std::vector<Finished> finished;
    std::vector<FlowKey> sent;
    std::vector<std::pair<FlowKey, uint64_t>> interrupted;
    std::vector<std::string> violations;
    std::vector<std::string> failures;
    uint64_t retransmissions{0};
    uint64_t retransmissionsOfSent{0};

  private:
    void OnFinished(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t bytes, Time first)
    {
        finished.push_back({{coflow, flow}, bytes, first, Simulator::Now()});
    }

    void OnInterrupted(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t received)
    {
        interrupted.push_back({{coflow, flow}, received});
    }

    void OnViolation(const Address& /* peer */, const std::string& reason)
    {
        violations.push_back(reason);
    }

    void OnSent(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t, uint64_t again)
    {
        sent.push_back({coflow, flow});
        retransmissionsOfSent += again;
    }

    void OnRetransmission(::coflow::CoflowId, ::coflow::FlowId)
    {
        ++retransmissions;
    }

    void OnConnectionFailed(Ipv4Address, const std::string& reason)
    {
        failures.push_back(reason);
    }
};

} // namespace ns3::coflow::test

#endif // COFLOW_TRANSPORT_FIXTURE_H
