/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COORDINATED_SCHEDULER_H
#define COFLOW_COORDINATED_SCHEDULER_H

#include "ns3/coflow-central-scheduler.h"
#include "ns3/coflow-coordinator.h"
#include "ns3/coflow-daemon.h"
#include "ns3/coflow-schedule-latency.h"
#include "ns3/coflow-size-knowledge.h"

#include <optional>
#include <vector>

namespace ns3::coflow
{

/// Runs any policy that decides in one place with real messages: a Coordinator on one host, a
/// Daemon on every host, and a ControlPlane between them. Users name it by its policy, such as
/// "varys": all registered policies with Control::COORDINATOR are found that way.
class CoordinatedScheduler : public CentralScheduler
{
  public:
    static TypeId GetTypeId();

    CoordinatedScheduler();
    ~CoordinatedScheduler() override;

    std::vector<TypeId> GetPartTypes() const override;
    std::string DescribeWait(::coflow::CoflowId coflow) const override;
    void FailCoordinator(Time at, Time downTime = Time::Max()) override;
    void FailDaemon(HostId host, Time at, Time downTime = Time::Max()) override;

    /// @return the coordinator; after Install()
    Ptr<Coordinator> GetCoordinator() const;

    /// @param host a host
    /// @return its daemon; after Install()
    Ptr<Daemon> GetDaemon(HostId host) const;

  protected:
    void DoDispose() override;

  private:
    void PrepareCoordinator(const Cluster& cluster) override;
    Ptr<HostAgent> CreateAgent(HostId host) override;
    void CompleteAgent(HostId host, Ptr<HostAgent> agent) override;
    void DescribeMore(::coflow::Json& control) const override;

    /// @return class of the daemons: what it can know follows from what the policy may know
    TypeId GetDaemonType() const;

    EnforceAt m_enforceAt;                ///< attribute EnforceAt
    std::optional<SizeKnowledge> m_sizes; ///< of a clairvoyant policy
    Ptr<Coordinator> m_coordinator;       ///< decides
    std::vector<Ptr<Daemon>> m_daemons;   ///< by host
    Ptr<ScheduleLatency> m_latency;       ///< how late schedules come
};

} // namespace ns3::coflow

#endif // COFLOW_COORDINATED_SCHEDULER_H
