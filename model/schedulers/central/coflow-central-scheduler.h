/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CENTRAL_SCHEDULER_H
#define COFLOW_CENTRAL_SCHEDULER_H

#include "ns3/coflow-central-coordinator.h"
#include "ns3/coflow-central-daemon.h"
#include "ns3/coflow-coordinated-scheduler.h"
#include "ns3/coflow-schedule-latency.h"
#include "ns3/coflow-size-access.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// Runs any policy that decides in one place, with real messages: a CentralCoordinator on one host,
/// a CentralDaemon on every host, and a ControlPlane between them. Users name the scheduler by its
/// policy, such as "varys". The policies are those with Control::CENTRAL.
class CentralScheduler : public CoordinatedScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    CentralScheduler();

    std::vector<TypeId> GetPartTypes() const override;
    std::string GetQueueDisc() const override;
    bool GivesRates(const CoflowOptions& coflow) const override;
    std::string DescribeWait(::coflow::CoflowId coflow) const override;

    /// @return the coordinator; after Install()
    Ptr<CentralCoordinator> GetCoordinator() const;

    /// @param host a host
    /// @return its daemon; after Install()
    Ptr<CentralDaemon> GetDaemon(HostId host) const;

    /// @return longest time between two reports of a host, in ns; NEVER: only reports of flows that
    ///         are done
    ::coflow::Nanoseconds GetReportPeriod() const
    {
        return m_reportPeriod;
    }

  protected:
    void DoDispose() override;

  private:
    /// The place at which the decisions of the coordinator are enforced.
    enum class EnforceAt
    {
        POLICY, ///< default of the policy
        SENDER, ///< senders limit the rates of flows
        NETWORK ///< ports serve classes strictly: hosts get an order and no rates
    };

    Ptr<Coordinator> CreateCoordinator(const Cluster& cluster) override;
    Ptr<Daemon> CreateDaemon(HostId host) override;
    void CompleteDaemon(HostId host, Ptr<Daemon> daemon) override;
    void DescribeMore(::coflow::Json& control) const override;

    /// Checks the timeouts of the coordinator and the daemons.
    /// @param daemon a daemon that was created
    /// @throws ::coflow::InputError where a timeout is not longer than the time between two
    ///         heartbeats
    void CheckTimeouts(const CentralDaemon& daemon) const;

    /// Checks that daemons send the reports that the coordinator needs.
    /// @param daemon a daemon that was created
    /// @throws ::coflow::InputError where they do not
    void CheckReports(const CentralDaemon& daemon) const;

    /// @return the place of enforcement; never POLICY
    EnforceAt GetEnforcement() const;

    /// @return class of the daemons, which follows from the policy's Knowledge
    TypeId GetDaemonType() const;

    EnforceAt m_enforceAt;             ///< attribute EnforceAt
    uint32_t m_classes;                ///< attribute Classes
    bool m_keepOrder;                  ///< attribute KeepOrder
    std::optional<SizeAccess> m_sizes; ///< access to sizes, of a clairvoyant policy
    /// Longest time between two reports of a host; NEVER: only reports of flows that are done.
    ::coflow::Nanoseconds m_reportPeriod{::coflow::NEVER};
    bool m_choosesPaths{false};     ///< the coordinator or its policy gives flows paths
    Ptr<ScheduleLatency> m_latency; ///< measures the delay of schedules
    Ptr<HostNetwork> m_network;     ///< network whose ports the daemons check
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_SCHEDULER_H
