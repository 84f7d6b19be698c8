/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A scheduler in a script: every host sends the coflows that arrived first, so many at a time, and
// lets the others wait. It is found by its name like those of the module, and compared with them.
// doc/how-to/own-network.md shows what it prints.
//
//     coflow-own-scheduler --atOnce=2

#include "ns3/coflow-helper.h"
#include "ns3/coflow-named-type.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-module.h"

#include <iostream>
#include <iterator>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::coflow;

namespace
{

/// What runs on a host. It commands the flows of its own host only.
class FewAtATimeAgent : public HostAgent
{
  public:
    explicit FewAtATimeAgent(uint32_t atOnce)
        : m_atOnce(atOnce)
    {
    }

    /// A task of this host has data to send.
    void Put(const CoflowHandle& coflow, CoflowSource::FlowRequest flow) override
    {
        const FlowKey key{flow.coflowId, flow.flowId};
        if (NotePut(key))
        {
            m_waiting[coflow.arrivalNumber].insert(key);
            flow.rateLimit = RateLimit::Paused();
            GetSource().StartFlow(flow); // it connects, and waits for Choose()
            Choose();
        }
    }

  private:
    void StartApplication() override
    {
        GetSource().TraceConnectWithoutContext("FlowSent",
                                               MakeCallback(&FewAtATimeAgent::OnSent, this));
    }

    /// The last byte of a flow was acknowledged.
    void OnSent(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t, uint64_t)
    {
        for (auto entry = m_waiting.begin(); entry != m_waiting.end();)
        {
            entry->second.erase({coflow, flow});
            entry = entry->second.empty() ? m_waiting.erase(entry) : std::next(entry);
        }
        Choose();
    }

    /// Lets the first few coflows send.
    void Choose()
    {
        uint32_t place = 0;
        for (const auto& [arrival, flows] : m_waiting)
        {
            const bool sends = place++ < m_atOnce;
            for (const auto& key : flows)
            {
                GetSource().SetRateLimit(key, sends ? RateLimit::Unlimited() : RateLimit::Paused());
            }
        }
    }

    uint32_t m_atOnce;
    std::map<uint64_t, std::set<FlowKey>> m_waiting; ///< by arrival: flows that are not sent yet
};

/// What puts these agents on hosts. Its name is its class: few-at-a-time.
class FewAtATimeScheduler : public ns3::coflow::Scheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::coflow::FewAtATimeScheduler")
                .SetParent<ns3::coflow::Scheduler>()
                .AddConstructor<FewAtATimeScheduler>()
                .AddAttribute("AtOnce",
                              "Number of coflows that a host sends at the same time",
                              UintegerValue(1),
                              MakeUintegerAccessor(&FewAtATimeScheduler::m_atOnce),
                              MakeUintegerChecker<uint32_t>(1));
        return tid;
    }

  private:
    Ptr<HostAgent> CreateAgent(HostId) override
    {
        return CreateObject<FewAtATimeAgent>(m_atOnce);
    }

    uint32_t m_atOnce;
};

COFLOW_REGISTER(FewAtATimeScheduler, "hosts send the coflows that arrived first");

/// @return mean CCT in seconds of five coflows, each larger than the one before
double
Run(CoflowHelper& coflows)
{
    NodeContainer hosts(6);
    NodeContainer center(1);
    InternetStackHelper stack;
    stack.Install(NodeContainer(hosts, center));
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
    NetDeviceContainer devices;
    for (uint32_t i = 0; i < hosts.GetN(); ++i)
    {
        const auto ends = link.Install(hosts.Get(i), center.Get(0));
        addresses.Assign(ends);
        addresses.NewNetwork();
        devices.Add(ends);
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    ::coflow::Workload workload;
    workload.hosts = hosts.GetN();
    for (uint32_t id = 1; id <= 5; ++id)
    {
        ::coflow::Coflow coflow;
        coflow.id = id;
        coflow.arrival = id * 250'000; // ns
        for (uint32_t i = 0; i < 3; ++i)
        {
            coflow.flows.push_back({i, i, 3 + i, id * 500'000});
        }
        workload.coflows.push_back(coflow);
    }
    coflows.InstallQueueDiscs(devices);
    coflows.Install(hosts);
    coflows.AssignStreams(1);
    coflows.InstallWorkload(workload, hosts);
    Simulator::Stop(Seconds(100));
    Simulator::Run();
    const double mean = coflows.GetOutcome().summary.cct.mean;
    Simulator::Destroy();
    return mean;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t atOnce = 1;
    CommandLine cmd(__FILE__);
    cmd.AddValue("atOnce", "number of coflows that a host sends at the same time", atOnce);
    cmd.Parse(argc, argv);

    CoflowHelper fair;
    std::cout << "fair: mean CCT " << 1e3 * Run(fair) << " ms\n";
    CoflowHelper own;
    own.SetScheduler("few-at-a-time", "AtOnce", UintegerValue(atOnce));
    std::cout << "few-at-a-time: mean CCT " << 1e3 * Run(own) << " ms\n";
}
