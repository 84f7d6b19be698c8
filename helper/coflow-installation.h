/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_INSTALLATION_H
#define COFLOW_INSTALLATION_H

#include "ns3/coflow-client.h"
#include "ns3/coflow-experiment.h"
#include "ns3/coflow-host-network.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-network-sizes.h"
#include "ns3/coflow-run-parts.h"
#include "ns3/coflow-scheduler.h"
#include "ns3/coflow-tracker.h"
#include "ns3/coflow-workload-driver.h"
#include "ns3/object.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// A coflow scheduler with all that belongs to it, on the hosts of a network: TCP's parameters, a
/// source and a sink of flows and an agent on every host, a coordinator where the scheduler has
/// one, a driver that can play a workload, and a tracker that keeps the results.
///
/// Whoever has made the network, this is the only way by which a scheduler comes onto hosts:
/// CoflowHelper uses it on nodes of a script, PacketCluster on a Fabric. Life: construct,
/// Configure(), have the network built with queues as GetQueueDisc() and GetMtu() say, Install(),
/// and perhaps Play() or PlayCopy().
class CoflowInstallation : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param scheduler name of a scheduler, see GetSchedulerTypes()
    /// @param parts the parts of a run in the packet engine, with their values
    /// @throws ::coflow::InputError where a name or value is not allowed
    CoflowInstallation(const std::string& scheduler, RunParts parts);

    /// Has scheduler and transport fit a network; to be called once.
    /// @param network of which hosts, rates and paths are known; it may have to be built yet
    void Configure(const HostNetwork& network);

    /// @return the queue that every port has to have, as Scheduler::GetQueueDisc(); after
    /// Configure()
    std::string GetQueueDisc() const;

    /// @return bytes of the IPv4 packet of a full segment; after Configure()
    uint16_t GetMtu() const;

    /// Installs everything on all hosts; to be called once, after Configure().
    /// @param network built
    void Install(Ptr<HostNetwork> network);

    /// Has the driver play a workload, and the tracker follow it; to be called once, after
    /// Install().
    /// @param workload kept by reference; its hosts are those of the network
    void Play(const ::coflow::Workload& workload);

    /// The same with a workload that is kept.
    /// @param workload a copy of it is kept; its hosts are those of the network
    /// @throws ::coflow::InputError where the workload has more hosts than the network
    void PlayCopy(::coflow::Workload workload);

    /// @param stop whether the simulation stops when all coflows of the workload that is played
    ///        have finished or were refused; otherwise it goes on. The default is true
    void SetStopWhenComplete(bool stop)
    {
        m_stopWhenComplete = stop;
    }

    /// @return name of the scheduler
    const std::string& GetSchedulerName() const
    {
        return m_name;
    }

    /// @return the network
    Ptr<HostNetwork> GetNetwork() const
    {
        return m_cluster.network;
    }

    /// @return the scheduler
    Ptr<Scheduler> GetScheduler() const
    {
        return m_scheduler;
    }

    /// @return TCP's parameters
    Ptr<TransportProfile> GetProfile() const
    {
        return m_cluster.profile;
    }

    /// @return source and sink of every host
    const std::vector<Scheduler::Host>& GetHosts() const
    {
        return m_cluster.hosts;
    }

    /// @return the scheduler's agent of every host
    const std::vector<Ptr<HostAgent>>& GetAgents() const
    {
        return m_agents;
    }

    /// @param host a host
    /// @return what applications of that host call
    Ptr<CoflowClient> GetClient(HostId host) const;

    /// @return what can play a workload
    Ptr<WorkloadDriver> GetDriver() const
    {
        return m_driver;
    }

    /// @return what keeps the records of the workload that is played
    Ptr<CoflowTracker> GetTracker() const
    {
        return m_tracker;
    }

    /// @return the workload that is played; null: none yet
    const ::coflow::Workload* GetWorkload() const
    {
        return m_workload;
    }

    /// @return what tables call short and narrow, as the parameter shortBytes says
    ::coflow::BinLimits GetBinLimits() const;

    /// @return the parts with the values of their parameters
    const RunParts& GetParts() const
    {
        return m_parts;
    }

    /// @return what ports and connections are sized by
    const NetworkSizes& GetSizes() const
    {
        return m_sizes;
    }

    /// @return an object of every class of which something is installed, with its attributes
    std::vector<Ptr<const Object>> GetTimedParts() const;

    /// @param network an object that describes the network
    /// @return the same with the values of all attributes of what is installed
    ::coflow::Json Describe(::coflow::Json network) const;

    /// Adds what has happened so far to the result of a run: records, control messages, and what
    /// the network did.
    /// @param result what is added to
    void Report(ExperimentResult& result) const;

  protected:
    void DoDispose() override;

  private:
    void InstallHost(HostId host);
    void StopIfComplete();

    std::string m_name; ///< of the scheduler
    RunParts m_parts;
    std::vector<TypeId> m_schedulerParts;
    Scheduler::Cluster m_cluster;
    Ptr<Scheduler> m_scheduler;
    Ptr<WorkloadDriver> m_driver;
    Ptr<CoflowTracker> m_tracker;
    std::vector<Ptr<HostAgent>> m_agents;
    uint64_t m_queueLimit{0};                      ///< at Install()
    NetworkSizes m_sizes;                          ///< at Install()
    std::optional<::coflow::Workload> m_copy;      ///< PlayCopy()
    const ::coflow::Workload* m_workload{nullptr}; ///< that is played
    bool m_stopWhenComplete{true};                 ///< SetStopWhenComplete()
};

} // namespace ns3::coflow

#endif // COFLOW_INSTALLATION_H
