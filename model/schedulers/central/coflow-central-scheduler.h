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

/// Runs any policy that decides in one place with real messages: a CentralCoordinator on one host,
/// a CentralDaemon on every host, and a ControlPlane between them. Users name it by its policy,
/// such as "varys": all registered policies with Control::CENTRAL are found that way.
class CentralScheduler : public CoordinatedScheduler
{
  public:
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

  protected:
    void DoDispose() override;

  private:
    /// Who does what the coordinator has decided.
    enum class EnforceAt
    {
        POLICY, ///< what the policy has by default
        SENDER, ///< keeps a flow to its rate
        NETWORK ///< ports serve classes strictly: hosts are told an order, and no rates
    };

    Ptr<Coordinator> CreateCoordinator(const Cluster& cluster) override;
    Ptr<Daemon> CreateDaemon(HostId host) override;
    void CompleteDaemon(HostId host, Ptr<Daemon> daemon) override;
    void DescribeMore(::coflow::Json& control) const override;

    /// @param daemon one that was created
    /// @throws ::coflow::InputError where it, or the coordinator, is taken for dead between two
    ///         heartbeats
    void CheckTimeouts(const CentralDaemon& daemon) const;

    /// Sees that what the coordinator waits for is told.
    /// @throws ::coflow::InputError where it is not
    void CheckReports(const CentralDaemon& daemon) const;

    /// @return who serves what is decided; never POLICY
    EnforceAt GetEnforcement() const;

    /// @return class of the daemons: what it can know follows from what the policy may know
    TypeId GetDaemonType() const;

    EnforceAt m_enforceAt;             ///< attribute EnforceAt
    uint32_t m_classes;                ///< attribute Classes
    bool m_keepOrder;                  ///< attribute KeepOrder
    std::optional<SizeAccess> m_sizes; ///< of a clairvoyant policy
    /// How often hosts have to report; NEVER: not before flows are done.
    ::coflow::Nanoseconds m_reportPeriod{::coflow::NEVER};
    bool m_choosesPaths{false};     ///< the coordinator or its policy gives flows paths
    Ptr<ScheduleLatency> m_latency; ///< how late schedules come
    Ptr<HostNetwork> m_network;     ///< whose ports daemons look at, each at its own
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_SCHEDULER_H
