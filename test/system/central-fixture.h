/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COORDINATED_FIXTURE_H
#define COORDINATED_FIXTURE_H

#include "checked-experiment.h"

#include "ns3/coflow-central-scheduler.h"
#include "ns3/coflow-experiment.h"
#include "ns3/coflow-fluid.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-packet-experiment.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/simulator.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow::test
{

/// Attributes as options give them.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// Unit of the tests: 0.1 s, and what a port of 100 Mbit/s moves in that time. Flows are hundreds
/// of segments, and round trips are nothing against them.
inline constexpr ::coflow::Nanoseconds UNIT = 100'000'000;
inline constexpr ::coflow::Bytes UNIT_BYTES = 1'250'000;
inline constexpr double KAPPA = 0.94;

/// Types of the messages by which a coflow comes, is scheduled and goes, and daemons live.
inline constexpr std::array ORDINARY_MESSAGES{"RegisterCoflow",
                                              "RegisteredCoflow",
                                              "UnregisterCoflow",
                                              "AddFlows",
                                              "GetFlows",
                                              "GotFlowDescs",
                                              "FlowProgress",
                                              "UpdatedRates",
                                              "Heartbeat"};

/// A flow in units.
struct UnitFlow
{
    ::coflow::HostId src;
    ::coflow::HostId dst;
    double size;
};

/// A coflow in units.
inline ::coflow::Coflow
MakeCoflow(::coflow::CoflowId id, const std::vector<UnitFlow>& flows, double arrival = 0)
{
    ::coflow::Coflow coflow;
    coflow.id = id;
    coflow.arrival = static_cast<::coflow::Nanoseconds>(arrival * UNIT);
    for (const auto& flow : flows)
    {
        coflow.flows.push_back({static_cast<::coflow::FlowId>(coflow.flows.size()),
                                flow.src,
                                flow.dst,
                                static_cast<::coflow::Bytes>(flow.size * UNIT_BYTES)});
    }
    return coflow;
}

/// Whether a scheduler, known by the name of its policy, is clairvoyant.
inline bool
MayKnowSizes(const std::string& scheduler)
{
    return ::coflow::Policies::Find(scheduler).knowledge == ::coflow::Knowledge::CLAIRVOYANT;
}

/// What has hosts keep flows to rates under a scheduler whose order ports serve otherwise.
inline Attributes
ByRates(const std::string& scheduler)
{
    const bool central = ::coflow::Policies::All().contains(scheduler);
    return central && ::coflow::MakePolicy(scheduler)->PrefersOrder()
               ? Attributes{{"enforceAt", "sender"}}
               : Attributes{};
}

/// Switch of which only host ports of 100 Mbit/s limit, and control that costs nothing; every
/// packet is looked at.
inline ExperimentConfig
IdealConfig(const std::string& scheduler, ::coflow::HostId hosts, const Attributes& attributes = {})
{
    ExperimentConfig config;
    config.scheduler = scheduler;
    config.topology = "big-switch";
    config.attributes = {{"hosts", std::to_string(hosts)}, {"linkRate", "100Mbps"}};
    if (scheduler != "fair")
    {
        config.attributes.insert(
            config.attributes.end(),
            {{"controlTransport", "ideal"}, {"controlBatch", "0s"}, {"minFlowRate", "1kbps"}});
        if (MayKnowSizes(scheduler))
        {
            config.attributes.emplace_back("bypassBytes", "0");
        }
        const Attributes rates = ByRates(scheduler);
        config.attributes.insert(config.attributes.end(), rates.begin(), rates.end());
    }
    config.attributes.insert(config.attributes.end(), attributes.begin(), attributes.end());
    config.stop = 1000 * UNIT;
    return Checked(config);
}

/// The same workload as a fluid on what TCP leaves of the ports.
inline ::coflow::FluidResult
RunFluidAtGoodput(const ::coflow::Workload& workload,
                  const std::string& scheduler,
                  const std::vector<std::string>& parameters = {})
{
    const auto policy = ::coflow::MakePolicy(scheduler, parameters);
    return ::coflow::RunFluid(workload,
                              ::coflow::PortRates::Uniform(workload.hosts, KAPPA * 12.5e6),
                              *policy);
}

/// Names of all schedulers that a coordinator runs.
inline std::vector<std::string>
CentralSchedulers()
{
    std::vector<std::string> names;
    for (const auto& type : GetSchedulerTypes())
    {
        if (type.typeId == CentralScheduler::GetTypeId())
        {
            names.push_back(type.name);
        }
    }
    return names;
}

/// Completion times in units, by coflow id; -1: not finished.
inline std::map<::coflow::CoflowId, double>
Ccts(const ExperimentResult& result)
{
    std::map<::coflow::CoflowId, double> ccts;
    for (const auto& record : result.coflows)
    {
        ccts[record.id] = record.IsFinished() ? record.CctSeconds() / 0.1 : -1;
    }
    return ccts;
}

/// A cluster under a coordinator, the clients of its hosts, and what became of its coflows.
class CentralCluster
{
  public:
    explicit CentralCluster(const ExperimentConfig& config)
        : m_cluster(config)
    {
        GetCoordinator()->TraceConnectWithoutContext(
            "CoflowState",
            Callback<void, ::coflow::CoflowId, ::coflow::CoflowState>(
                [this](::coflow::CoflowId coflow, ::coflow::CoflowState state) {
                    states[coflow].push_back(ToString(state));
                }));
        for (std::size_t host = 0; host < m_cluster.GetHosts().size(); ++host)
        {
            m_cluster.GetHosts()[host].sink->TraceConnectWithoutContext(
                "FlowFinished",
                Callback<void, ::coflow::CoflowId, ::coflow::FlowId, uint64_t, Time>(
                    [this](::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t bytes, Time) {
                        finished[{coflow, flow}] = Simulator::Now();
                        delivered += bytes;
                    }));
        }
    }

    Ptr<CentralScheduler> GetScheduler() const
    {
        return DynamicCast<CentralScheduler>(m_cluster.GetScheduler());
    }

    Ptr<CentralCoordinator> GetCoordinator() const
    {
        return GetScheduler()->GetCoordinator();
    }

    Ptr<CoflowClient> Client(HostId host) const
    {
        return m_cluster.GetClient(host);
    }

    const PacketCluster& Get() const
    {
        return m_cluster;
    }

    /// Registers a coflow on host 0 at a time.
    void Register(Time at,
                  ::coflow::CoflowId id,
                  uint32_t numFlows,
                  std::function<void(const CoflowHandle&)> then)
    {
        Simulator::Schedule(at, [this, id, numFlows, then] {
            CoflowOptions options;
            options.id = id;
            Client(0)->Register(numFlows, options, [this, id, then](const CoflowHandle& handle) {
                handles[id] = handle;
                then(handle);
            });
        });
    }

    void Put(const CoflowHandle& handle,
             ::coflow::FlowId flow,
             HostId src,
             HostId dst,
             uint64_t bytes) const
    {
        Client(src)->Put(handle, flow, Fabric::GetHostAddress(dst), bytes);
    }

    /// Puts and gets a flow.
    void Move(const CoflowHandle& handle,
              ::coflow::FlowId flow,
              HostId src,
              HostId dst,
              uint64_t bytes) const
    {
        Put(handle, flow, src, dst, bytes);
        Client(dst)->Get(handle, flow);
    }

    void Run(Time until)
    {
        Simulator::Stop(until - Simulator::Now());
        Simulator::Run();
    }

    bool IsFinished(::coflow::CoflowId coflow, ::coflow::FlowId flow) const
    {
        return finished.count({coflow, flow}) > 0;
    }

    std::map<::coflow::CoflowId, std::vector<std::string>> states; ///< in the order of their times
    std::map<::coflow::CoflowId, CoflowHandle> handles;            ///< of Register()
    std::map<FlowKey, Time> finished;                              ///< when
    uint64_t delivered{0};                                         ///< bytes

  private:
    PacketCluster m_cluster;
};

} // namespace ns3::coflow::test

#endif // COORDINATED_FIXTURE_H
