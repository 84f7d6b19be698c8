/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PACKET_CLUSTER_H
#define COFLOW_PACKET_CLUSTER_H

#include "ns3/coflow-client.h"
#include "ns3/coflow-experiment.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-installation.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-run-parts.h"
#include "ns3/coflow-scheduler.h"
#include "ns3/coflow-workload-driver.h"

#include <vector>

namespace ns3::coflow
{

class TimeJumper;

/// A simulated cluster with a coflow scheduler on it, made from names and attributes:
///
///     ExperimentConfig config;
///     config.scheduler = "varys";
///     config.topology = "big-switch";
///     config.attributes.emplace_back("hosts", "5");
///     PacketCluster cluster(config);
///     auto client = cluster.GetClient(0); // the interface for applications of host 0
///     Simulator::Schedule(..., [&] { client->Register(...); });
///     Simulator::Stop(Seconds(1)); // the heartbeats of schedulers do not end
///     Simulator::Run();
///
/// The destructor ends the simulation. A process may have only one PacketCluster at a time.
class PacketCluster
{
  public:
    /// Throws ::coflow::InputError where a name or value is not allowed.
    /// @param config names of all parts, and their attributes
    explicit PacketCluster(const ExperimentConfig& config);

    /// Ends the simulation.
    ~PacketCluster();

    PacketCluster(const PacketCluster&) = delete;
    PacketCluster& operator=(const PacketCluster&) = delete;

    /// @return the objects that are installed on the hosts
    Ptr<CoflowInstallation> GetInstallation() const
    {
        return m_installation;
    }

    /// @return the network
    Ptr<Fabric> GetFabric() const
    {
        return m_fabric;
    }

    /// @return the scheduler
    Ptr<Scheduler> GetScheduler() const;

    /// @return source and sink of every host
    const std::vector<Scheduler::Host>& GetHosts() const;

    /// @return the scheduler's agent of every host
    const std::vector<Ptr<HostAgent>>& GetAgents() const;

    /// @param host a host
    /// @return the interface by which applications of this host register and transfer coflows
    Ptr<CoflowClient> GetClient(HostId host) const;

    /// @return the object that jumps over time; null: the run does not jump
    Ptr<TimeJumper> GetTimeJumper() const;

    /// @return the driver, which can play a workload on this cluster
    Ptr<WorkloadDriver> GetDriver() const;

    /// @return the parts with the values of their parameters
    const RunParts& GetParts() const;

    /// @return one object of each class of the run that has timers among its attributes, for
    ///         StallLimit
    std::vector<Ptr<const Object>> GetTimedParts() const;

    /// @return the values of all attributes of all parts
    ::coflow::Json Describe() const;

  private:
    void Build(const ExperimentConfig& config);
    void InstallJumper();

    /// Ends the simulation, also where the constructor of PacketCluster throws.
    struct SimulationEnd
    {
        ~SimulationEnd();
    };

    SimulationEnd m_end;
    Ptr<CoflowInstallation> m_installation;
    Ptr<Fabric> m_fabric;
    Ptr<TimeJumper> m_jumper; ///< jumps over time; null: the run does not jump
};

} // namespace ns3::coflow

#endif // COFLOW_PACKET_CLUSTER_H
