/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCLAS_FIXTURE_H
#define DCLAS_FIXTURE_H

#include "central-fixture.h"

#include "ns3/coflow-hybrid-scheduler.h"

#include <algorithm>

namespace ns3::coflow::test
{

/// Switch of which only host ports of 100 Mbit/s limit, and control that costs nothing and comes
/// every millisecond, a hundredth of a unit.
inline ExperimentConfig
HybridConfig(const std::string& scheduler, ::coflow::HostId hosts, const Attributes& more = {})
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.topology = "big-switch";
    config.attributes = {{"hosts", std::to_string(hosts)},
                         {"linkRate", "100Mbps"},
                         {"controlTransport", "ideal"},
                         {"delta", "0.001"}};
    for (const auto& attribute : more)
    {
        const auto same =
            std::find_if(config.attributes.begin(),
                         config.attributes.end(),
                         [&](const auto& entry) { return entry.first == attribute.first; });
        if (same != config.attributes.end())
        {
            same->second = attribute.second;
        }
        else
        {
            config.attributes.push_back(attribute);
        }
    }
    config.stop = 1000 * UNIT;
    return config;
}

/// Number of bytes as an option.
inline std::string
UnitsText(double units)
{
    return std::to_string(static_cast<::coflow::Bytes>(units * UNIT_BYTES));
}

/// A cluster under Aalo or Graviton, and what became of its flows.
class HybridCluster
{
  public:
    explicit HybridCluster(const ExperimentConfig& config)
        : m_cluster(config)
    {
        for (const auto& host : m_cluster.GetHosts())
        {
            host.sink->TraceConnectWithoutContext(
                "FlowFinished",
                Callback<void, ::coflow::CoflowId, ::coflow::FlowId, uint64_t, Time>(
                    [this](::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t, Time) {
                        finished[{coflow, flow}] = Simulator::Now();
                    }));
        }
    }

    Ptr<HybridScheduler> GetScheduler() const
    {
        return DynamicCast<HybridScheduler>(m_cluster.GetScheduler());
    }

    Ptr<HybridDaemon> CentralDaemon(HostId host) const
    {
        return GetScheduler()->GetDaemon(host);
    }

    const PacketCluster& Get() const
    {
        return m_cluster;
    }

    /// At a time, registers a coflow on its first sender's host, and puts its flows.
    void Play(double at,
              ::coflow::CoflowId id,
              const std::vector<UnitFlow>& flows,
              const std::vector<::coflow::CoflowId>& parents = {})
    {
        Simulator::Schedule(Seconds(at * 0.1), [this, id, flows, parents] {
            CoflowOptions options;
            options.id = id;
            options.parents = parents;
            m_cluster.GetClient(flows.front().src)
                ->Register(static_cast<uint32_t>(flows.size()),
                           options,
                           [this, flows](const CoflowHandle& handle) {
                               handles[handle.id] = handle;
                               registered[handle.id] = Simulator::Now();
                               for (std::size_t i = 0; i < flows.size(); ++i)
                               {
                                   const auto& flow = flows[i];
                                   m_cluster.GetClient(flow.src)->Put(
                                       handle,
                                       static_cast<::coflow::FlowId>(i),
                                       Fabric::GetHostAddress(flow.dst),
                                       static_cast<uint64_t>(flow.size * UNIT_BYTES));
                               }
                           });
        });
    }

    /// Runs until a time in units.
    void Run(double until)
    {
        Simulator::Stop(Seconds(until * 0.1) - Simulator::Now());
        Simulator::Run();
    }

    /// @return when a flow had arrived, in units; -1: not yet
    double When(::coflow::CoflowId coflow, ::coflow::FlowId flow = 0) const
    {
        const auto found = finished.find({coflow, flow});
        return found == finished.end() ? -1 : found->second.GetSeconds() / 0.1;
    }

    std::map<::coflow::CoflowId, CoflowHandle> handles;
    std::map<::coflow::CoflowId, Time> registered;
    std::map<FlowKey, Time> finished;

  private:
    PacketCluster m_cluster;
};

} // namespace ns3::coflow::test

#endif // DCLAS_FIXTURE_H
