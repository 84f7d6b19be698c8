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

/// A coflow scheduler on the hosts of a network, with all its parts: TCP's parameters; a source of
/// flows, a sink of flows and an agent on every host; a coordinator where the scheduler has one; a
/// driver that can play a workload; a tracker that keeps the results.
///
/// CoflowHelper uses this class on the nodes of a script, and PacketCluster on a Fabric. The order
/// of calls is: constructor, Configure(), Install(), and then Play() or PlayCopy() where a workload
/// is to be played. A network that is not built yet is built between Configure() and Install(),
/// with the queue disc of GetQueueDisc() and the MTU of GetMtu().
class CoflowInstallation : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param scheduler name of a scheduler, see GetSchedulerTypes()
    /// @param parts the parts of a run in the packet engine, with their values
    /// @throws ::coflow::InputError where a name or value is not allowed
    CoflowInstallation(const std::string& scheduler, RunParts parts);

    /// Configures scheduler and transport for a network; to be called once.
    /// @param network the network. Its hosts, rates and paths must be known, but it need not be
    ///        built yet
    void Configure(const HostNetwork& network);

    /// @return the queue disc that every port needs, see Scheduler::GetQueueDisc(); known after
    ///         Configure()
    std::string GetQueueDisc() const;

    /// @return size of the IPv4 packet of a full segment, in bytes; known after Configure()
    uint16_t GetMtu() const;

    /// Installs everything on all hosts; to be called once, after Configure().
    /// @param network the network, which is built
    void Install(Ptr<HostNetwork> network);

    /// Makes the driver play a workload, and the tracker record it; to be called once, after
    /// Install().
    /// @param workload the workload, which must exist until the end of the run. Its hosts are the
    ///        hosts of the network
    void Play(const ::coflow::Workload& workload);

    /// Does the same as Play(), with a copy of a workload.
    /// @param workload the workload, which is copied. Its hosts are the hosts of the network
    /// @throws ::coflow::InputError where the workload has more hosts than the network
    void PlayCopy(::coflow::Workload workload);

    /// @param stop whether the simulation stops when all coflows of the workload have finished or
    ///        were refused; the default is true
    void SetStopWhenComplete(bool stop)
    {
        m_stopWhenComplete = stop;
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

    /// @return the sink of every host
    std::vector<Ptr<const CoflowSink>> GetSinks() const;

    /// @return the scheduler's agent of every host
    const std::vector<Ptr<HostAgent>>& GetAgents() const
    {
        return m_agents;
    }

    /// @param host a host
    /// @return the interface by which applications of this host register and transfer coflows
    Ptr<CoflowClient> GetClient(HostId host) const;

    /// @return the driver, which can play a workload
    Ptr<WorkloadDriver> GetDriver() const
    {
        return m_driver;
    }

    /// @return the tracker, which keeps the records of the workload
    Ptr<CoflowTracker> GetTracker() const
    {
        return m_tracker;
    }

    /// @return the workload of Play() or PlayCopy(); null before these calls
    const ::coflow::Workload* GetWorkload() const
    {
        return m_workload;
    }

    /// @return the limits of short and narrow coflows in tables; the parameter shortBytes sets them
    ::coflow::BinLimits GetBinLimits() const;

    /// @return the parts with the values of their parameters
    const RunParts& GetParts() const
    {
        return m_parts;
    }

    /// @return the sizes of queues and TCP buffers, and the marking threshold; see NetworkSizes
    const NetworkSizes& GetSizes() const
    {
        return m_sizes;
    }

    /// @return one object of each installed class that has timers among its attributes, for
    ///         StallLimit
    std::vector<Ptr<const Object>> GetTimedParts() const;

    /// @param network a JSON object that describes the network
    /// @return the JSON object, to which the values of all attributes of all installed objects are
    ///         added
    ::coflow::Json Describe(::coflow::Json network) const;

    /// Adds the results so far to the result of a run: records, control messages, and counts of the
    /// network.
    /// @param result the result of the run, to which this function adds
    void Report(ExperimentResult& result) const;

  protected:
    void DoDispose() override;

  private:
    void InstallHost(HostId host);
    void StopIfComplete();

    std::string m_name; ///< name of the scheduler
    RunParts m_parts;
    std::vector<TypeId> m_schedulerParts;
    Scheduler::Cluster m_cluster;
    Ptr<Scheduler> m_scheduler;
    Ptr<WorkloadDriver> m_driver;
    Ptr<CoflowTracker> m_tracker;
    std::vector<Ptr<HostAgent>> m_agents;
    uint64_t m_queueLimit{0};                      ///< queue limit of ports at Install()
    NetworkSizes m_sizes;                          ///< sizes at Install()
    std::optional<::coflow::Workload> m_copy;      ///< PlayCopy()
    const ::coflow::Workload* m_workload{nullptr}; ///< workload of Play() or PlayCopy()
    bool m_stopWhenComplete{true};                 ///< SetStopWhenComplete()
};

} // namespace ns3::coflow

#endif // COFLOW_INSTALLATION_H
