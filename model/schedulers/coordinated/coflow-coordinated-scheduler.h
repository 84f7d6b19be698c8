/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COORDINATED_SCHEDULER_H
#define COFLOW_COORDINATED_SCHEDULER_H

#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-coordinator.h"
#include "ns3/coflow-daemon.h"
#include "ns3/coflow-scheduler.h"
#include "ns3/simulator.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// A scheduler with a Coordinator on one host, a Daemon on every host, and a ControlPlane between
/// them, which runs a policy. Subclasses define what the coordinator and the daemons do.
class CoordinatedScheduler : public Scheduler
{
  public:
    static TypeId GetTypeId();

    ControlTotals GetControlTotals() const override;
    ControlCounts GetSentByType() const override;
    ::coflow::Json DescribeControl() const override;
    Time GetLastPlanned() const override;
    Time GetLongestMessageDelay() const override;

    /// @return the control plane; in CreateCoordinator() and after
    Ptr<ControlPlane> GetControl() const;

    /// @return host of the coordinator; after Install()
    HostId GetCoordinatorHost() const;

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

    /// @return name of the policy
    const std::string& GetPolicy() const;

    /// @return parameters of the policy as they were given, NAME=VALUE each
    std::vector<std::string> GetPolicyParameters() const;

    /// @return what defaults of the policy's parameters that scale are multiplied by
    double GetPolicyScale() const;

    /// @return the coordinator; after CreateCoordinator()
    Ptr<Coordinator> GetCoordinatorProcess() const;

    /// @return the daemons, by host; after Install()
    const std::vector<Ptr<Daemon>>& GetDaemons() const;

  private:
    void Prepare(const Cluster& cluster) final;
    void CompleteAgent(HostId host, Ptr<HostAgent> agent) final;

    /// Makes the coordinator, which is set up and installed afterwards, and what daemons need.
    /// @param cluster where to
    virtual Ptr<Coordinator> CreateCoordinator(const Cluster& cluster) = 0;

    /// Makes a daemon, which is set up afterwards.
    /// @param host its host
    virtual Ptr<Daemon> CreateDaemon(HostId host) = 0;

    /// Completes a daemon; called when it is set up and before it starts.
    virtual void CompleteDaemon(HostId host, Ptr<Daemon> daemon) = 0;

    Ptr<HostAgent> CreateAgent(HostId host) final;

    /// Lets a coordinator or a daemon be dead for a time.
    /// @param part has Fail() and Recover()
    /// @param at when, counted from now
    /// @param downTime how long; Time::Max(): for good
    template <class Part>
    void FailFor(Ptr<Part> part, Time at, Time downTime)
    {
        Simulator::Schedule(at, &Part::Fail, part);
        m_lastPlanned = Max(m_lastPlanned, Simulator::Now() + at);
        if (downTime != Time::Max())
        {
            Simulator::Schedule(at + downTime, &Part::Recover, part);
            m_lastPlanned = Max(m_lastPlanned, Simulator::Now() + at + downTime);
        }
    }

    /// Adds to what DescribeControl() says.
    virtual void DescribeMore(::coflow::Json& control) const = 0;

    std::string m_policy;           ///< attribute Policy
    std::string m_policyParameters; ///< attribute PolicyParameters
    double m_policyScale;           ///< attribute PolicyScale
    Time m_lastPlanned;             ///< GetLastPlanned()
    int32_t m_coordinatorHost;      ///< attribute CoordinatorHost
    Time m_coordinatorFailAt;       ///< attribute CoordinatorFailAt
    Time m_coordinatorDownTime;     ///< attribute CoordinatorDownTime
    Time m_messageTime;             ///< attribute MessageTime

    HostId m_host{0};                   ///< of the coordinator
    Ptr<ControlPlane> m_control;        ///< where messages travel
    Ptr<Coordinator> m_coordinator;     ///< decides
    std::vector<Ptr<Daemon>> m_daemons; ///< by host
};

} // namespace ns3::coflow

#endif // COFLOW_COORDINATED_SCHEDULER_H
