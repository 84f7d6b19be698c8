/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOSTS_WITH_RATES_H
#define COFLOW_HOSTS_WITH_RATES_H

#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace coflow::test
{

/// Flows with rates, without a scheduler that changes them.
class HostsWithRates
{
  public:
    /// @param jump whether time is jumped over
    /// @param topology big-switch of four hosts, or fat-tree with k=4
    /// @param options others, by name and value
    explicit HostsWithRates(bool jump,
                            const std::string& topology = "big-switch",
                            const std::vector<std::pair<std::string, std::string>>& options = {})
        : m_cluster(MakeConfig(jump, topology, options))
    {
        for (const auto& host : m_cluster.GetHosts())
        {
            host.sink->TraceConnectWithoutContext(
                "FlowFinished",
                ns3::Callback<void, ::coflow::CoflowId, ::coflow::FlowId, uint64_t, ns3::Time>(
                    [this](::coflow::CoflowId, ::coflow::FlowId flow, uint64_t, ns3::Time) {
                        m_finished.resize(std::max<std::size_t>(m_finished.size(), flow + 1));
                        m_finished[flow] = ns3::Simulator::Now();
                    }));
        }
    }

    static ns3::coflow::ExperimentConfig MakeConfig(
        bool jump,
        const std::string& topology,
        const std::vector<std::pair<std::string, std::string>>& options)
    {
        ns3::RngSeedManager::ResetNextStreamIndex();
        ns3::coflow::ExperimentConfig config;
        config.topology = topology;
        config.attributes = {{"linkRate", "1Gbps"},
                             {"jump", jump ? "true" : "false"},
                             {"ratePhase", "spread"}};
        config.attributes.emplace_back(topology == "fat-tree" ? "k" : "hosts", "4");
        config.attributes.insert(config.attributes.end(), options.begin(), options.end());
        return config;
    }

    /// Starts a flow with a rate.
    void Send(::coflow::FlowId flow,
              ::coflow::HostId from,
              ::coflow::HostId to,
              uint64_t bytes,
              uint64_t megabits)
    {
        const ns3::DataRate rate(megabits * 1'000'000);
        Start(flow, from, to, bytes, ns3::coflow::RateLimit::Rate(rate));
    }

    /// Starts flows 0 and 1, to host 2, whose rates are more than its port carries: 600 Mbit/s
    /// each.
    void SendTooMuch(uint64_t bytes, uint64_t bytesOfOther)
    {
        Send(0, 0, 2, bytes, 600);
        Send(1, 1, 2, bytesOfOther, 600);
    }

    /// Starts a flow that TCP alone decides about.
    void SendUnlimited(::coflow::FlowId flow,
                       ::coflow::HostId from,
                       ::coflow::HostId to,
                       uint64_t bytes)
    {
        Start(flow, from, to, bytes, ns3::coflow::RateLimit::Unlimited());
    }

    void Allow(::coflow::FlowId flow,
               ::coflow::HostId from,
               const ns3::coflow::RateLimit& rateLimit)
    {
        m_cluster.GetHosts()[from].source->SetRateLimit({1, flow}, rateLimit);
    }

    static void Run(double until)
    {
        ns3::Simulator::Stop(ns3::Seconds(until) - ns3::Simulator::Now());
        ns3::Simulator::Run();
    }

    double GetFinish(::coflow::FlowId flow) const
    {
        return flow < m_finished.size() ? m_finished[flow].GetSeconds() : 0;
    }

    const ns3::coflow::PacketCluster& Get() const
    {
        return m_cluster;
    }

  private:
    void Start(::coflow::FlowId flow,
               ::coflow::HostId from,
               ::coflow::HostId to,
               uint64_t bytes,
               const ns3::coflow::RateLimit& rateLimit)
    {
        ns3::coflow::CoflowSource::FlowRequest request;
        request.coflowId = 1;
        request.flowId = flow;
        request.dst = ns3::coflow::Fabric::GetHostAddress(to);
        request.bytes = bytes;
        request.rateLimit = rateLimit;
        m_cluster.GetHosts()[from].source->StartFlow(request);
    }

    ns3::coflow::PacketCluster m_cluster;
    std::vector<ns3::Time> m_finished;
};

} // namespace coflow::test

#endif // COFLOW_HOSTS_WITH_RATES_H
