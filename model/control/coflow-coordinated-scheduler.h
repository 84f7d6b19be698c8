/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COORDINATED_SCHEDULER_H
#define COFLOW_COORDINATED_SCHEDULER_H

#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-coordinator.h"
#include "ns3/coflow-daemon.h"
#include "ns3/coflow-schedule-latency.h"
#include "ns3/coflow-scheduler.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// Runs any policy that decides in one place with real messages: a Coordinator on one host, a
/// Daemon on every host, and a ControlPlane between them. Users name it by its policy, such as
/// "varys": all registered policies with Control::COORDINATOR are found that way.
class CoordinatedScheduler : public Scheduler
{
  public:
    static TypeId GetTypeId();

    CoordinatedScheduler();
    ~CoordinatedScheduler() override;

    std::vector<TypeId> GetPartTypes() const override;
    ControlTotals GetControlTotals() const override;
    ::coflow::Json DescribeControl() const override;

    /// @return host of the coordinator; after Install()
    HostId GetCoordinatorHost() const;

    /// @return the coordinator; after Install()
    Ptr<Coordinator> GetCoordinator() const;

    /// @param host a host
    /// @return its daemon; after Install()
    Ptr<Daemon> GetDaemon(HostId host) const;

    /// Lets the coordinator die.
    /// @param at when, counted from now
    /// @param downTime how long until it is back; Time::Max(): for good
    void FailCoordinator(Time at, Time downTime = Time::Max());

    /// Lets a daemon die. After Install().
    /// @param host its host
    /// @param at when, counted from now
    /// @param downTime how long until it is back; Time::Max(): for good
    void FailDaemon(HostId host, Time at, Time downTime = Time::Max());

  protected:
    void DoDispose() override;

  private:
    void Prepare(const Cluster& cluster) override;
    Ptr<HostAgent> CreateAgent(HostId host) override;
    void CompleteAgent(HostId host, Ptr<HostAgent> agent) override;

    std::string m_policy;           ///< attribute Policy
    std::string m_policyParameters; ///< attribute PolicyParameters
    int32_t m_coordinatorHost;      ///< attribute CoordinatorHost
    Time m_coordinatorFailAt;       ///< attribute CoordinatorFailAt
    Time m_coordinatorDownTime;     ///< attribute CoordinatorDownTime

    HostId m_host{0};                   ///< of the coordinator
    bool m_sayBytes{true};              ///< whether the policy may know sizes
    Ptr<ControlPlane> m_control;        ///< where messages travel
    Ptr<Coordinator> m_coordinator;     ///< decides
    std::vector<Ptr<Daemon>> m_daemons; ///< by host
    Ptr<ScheduleLatency> m_latency;     ///< how late schedules come
};

} // namespace ns3::coflow

#endif // COFLOW_COORDINATED_SCHEDULER_H
