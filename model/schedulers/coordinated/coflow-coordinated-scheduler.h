/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COORDINATED_SCHEDULER_H
#define COFLOW_COORDINATED_SCHEDULER_H

#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-coordinator.h"
#include "ns3/coflow-daemon.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-scheduler.h"
#include "ns3/simulator.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// A scheduler that runs a policy with a Coordinator on one host, a Daemon on every host, and a
/// ControlPlane between them. Subclasses define the work of the coordinator and the daemons.
class CoordinatedScheduler : public Scheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ControlTotals GetControlTotals() const override;
    ControlCounts GetSentByType() const override;
    ::coflow::Json DescribeControl() const override;

    /// @return sum of Daemon::GetTimesAlone() over all daemons
    uint64_t GetTimesAlone() const;
    Time GetLastPlanned() const override;
    Time GetLongestMessageDelay() const override;

    /// @return the control plane; during CreateCoordinator() and afterwards
    Ptr<ControlPlane> GetControl() const;

    /// @return host of the coordinator; after Install()
    HostId GetCoordinatorHost() const;

    /// Schedules the death of the coordinator.
    /// @param at time until the death
    /// @param downTime duration until the coordinator is back; Time::Max(): for ever
    void FailCoordinator(Time at, Time downTime = Time::Max());

    /// Schedules the death of a daemon; to be called after Install().
    /// @param host its host
    /// @param at time until the death
    /// @param downTime duration until the daemon is back; Time::Max(): for ever
    void FailDaemon(HostId host, Time at, Time downTime = Time::Max());

  protected:
    void DoDispose() override;

    /// @return name of the policy
    const std::string& GetPolicy() const;

    /// @return parameters of the policy as given, each NAME=VALUE
    std::vector<std::string> GetPolicyParameters() const;

    /// @return factor for the defaults of policy parameters that scale with the workload
    double GetPolicyScale() const;

    /// @return the coordinator; after CreateCoordinator()
    Ptr<Coordinator> GetCoordinatorProcess() const;

    /// @return the daemons, by host; after Install()
    const std::vector<Ptr<Daemon>>& GetDaemons() const;

  private:
    void Prepare(const Cluster& cluster) final;
    void CompleteAgent(HostId host, Ptr<HostAgent> agent) final;

    /// Creates the coordinator, which is set up and installed afterwards, and the objects that
    /// daemons need.
    /// @param cluster the cluster
    /// @return the coordinator
    virtual Ptr<Coordinator> CreateCoordinator(const Cluster& cluster) = 0;

    /// Creates a daemon, which is set up afterwards.
    /// @param host its host
    /// @return the daemon
    virtual Ptr<Daemon> CreateDaemon(HostId host) = 0;

    /// Completes a daemon; called after its set-up and before its start.
    /// @param host its host
    /// @param daemon the daemon
    virtual void CompleteDaemon(HostId host, Ptr<Daemon> daemon) = 0;

    Ptr<HostAgent> CreateAgent(HostId host) final;

    /// Schedules the death of a coordinator or a daemon.
    /// @param part object with Fail() and Recover()
    /// @param at time until the death
    /// @param downTime duration; Time::Max(): for ever
    /// @throws ::coflow::InputError where the death is at time 0, before anything has started
    template <class Part>
    void FailFor(Ptr<Part> part, Time at, Time downTime)
    {
        if (!(Simulator::Now() + at).IsStrictlyPositive())
        {
            throw ::coflow::InputError("a coordinator or daemon dies at time 0, before it has "
                                       "started; allowed: a later time, such as 1ns");
        }
        Simulator::Schedule(at, &Part::Fail, part);
        m_lastPlanned = Max(m_lastPlanned, Simulator::Now() + at);
        if (downTime != Time::Max())
        {
            Simulator::Schedule(at + downTime, &Part::Recover, part);
            m_lastPlanned = Max(m_lastPlanned, Simulator::Now() + at + downTime);
        }
    }

    /// Adds members to DescribeControl().
    /// @param control the JSON object of DescribeControl()
    virtual void DescribeMore(::coflow::Json& control) const = 0;

    std::string m_policy;           ///< attribute Policy
    std::string m_policyParameters; ///< attribute PolicyParameters
    double m_policyScale;           ///< attribute PolicyScale
    Time m_lastPlanned;             ///< GetLastPlanned()
    int32_t m_coordinatorHost;      ///< attribute CoordinatorHost
    Time m_coordinatorFailAt;       ///< attribute CoordinatorFailAt
    Time m_coordinatorDownTime;     ///< attribute CoordinatorDownTime
    Time m_messageTime;             ///< attribute MessageTime

    HostId m_host{0};                   ///< host of the coordinator
    Ptr<ControlPlane> m_control;        ///< control plane
    Ptr<Coordinator> m_coordinator;     ///< coordinator
    std::vector<Ptr<Daemon>> m_daemons; ///< daemons by host
};

} // namespace ns3::coflow

#endif // COFLOW_COORDINATED_SCHEDULER_H
