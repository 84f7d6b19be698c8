/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COORDINATED_SCHEDULER_H
#define COFLOW_COORDINATED_SCHEDULER_H

#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-scheduler.h"
#include "ns3/simulator.h"

#include <string>
#include <vector>

namespace ns3::coflow
{

/// A scheduler with a coordinator on one host, a daemon on every host, and a ControlPlane between
/// them, which runs a policy. What the coordinator and the daemons do is for subclasses to say.
class CoordinatedScheduler : public Scheduler
{
  public:
    static TypeId GetTypeId();

    CoordinatedScheduler();
    ~CoordinatedScheduler() override;

    ControlTotals GetControlTotals() const override;
    ControlCounts GetSentByType() const override;
    ::coflow::Json DescribeControl() const override;
    Time GetLastPlanned() const override;

    /// @return the control plane; in PrepareCoordinator() and after
    Ptr<ControlPlane> GetControl() const;

    /// @return host of the coordinator; after Install()
    HostId GetCoordinatorHost() const;

    /// Lets the coordinator die.
    /// @param at when, counted from now
    /// @param downTime how long until it is back; Time::Max(): for good
    virtual void FailCoordinator(Time at, Time downTime = Time::Max()) = 0;

    /// Lets a daemon die. After Install().
    /// @param host its host
    /// @param at when, counted from now
    /// @param downTime how long until it is back; Time::Max(): for good
    virtual void FailDaemon(HostId host, Time at, Time downTime = Time::Max()) = 0;

  protected:
    void DoDispose() override;

    /// @return name of the policy
    const std::string& GetPolicy() const;

    /// @return parameters of the policy as they were given, NAME=VALUE each
    std::vector<std::string> GetPolicyParameters() const;

    /// @return what defaults of the policy's parameters that scale are multiplied by
    double GetPolicyScale() const;

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

  private:
    void Prepare(const Cluster& cluster) final;

    /// Makes the coordinator.
    /// @param cluster where to
    virtual void PrepareCoordinator(const Cluster& cluster) = 0;

    /// Adds to what DescribeControl() says.
    virtual void DescribeMore(::coflow::Json& control) const = 0;

    std::string m_policy;           ///< attribute Policy
    std::string m_policyParameters; ///< attribute PolicyParameters
    double m_policyScale;           ///< attribute PolicyScale
    Time m_lastPlanned;             ///< GetLastPlanned()
    int32_t m_coordinatorHost;      ///< attribute CoordinatorHost
    Time m_coordinatorFailAt;       ///< attribute CoordinatorFailAt
    Time m_coordinatorDownTime;     ///< attribute CoordinatorDownTime

    HostId m_host{0};            ///< of the coordinator
    Ptr<ControlPlane> m_control; ///< where messages travel
};

} // namespace ns3::coflow

#endif // COFLOW_COORDINATED_SCHEDULER_H
