/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_SCHEDULER_H
#define COFLOW_DCAS_SCHEDULER_H

#include "ns3/coflow-priority-scheduler.h"

#include <vector>

namespace ns3::coflow
{

class DcasAgent;

/// D-CAS (Luo et al.): senders and receivers of a coflow agree on its urgency without a
/// coordinator. DcasAgent has the protocol and its parameters, ::coflow::Dcas is the policy in the
/// fluid engine, and ::coflow::DcasProtocol has the computations of both.
class DcasScheduler : public PriorityScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::vector<TypeId> GetPartTypes() const override;
    ControlTotals GetControlTotals() const override;

  protected:
    void DoDispose() override;

  private:
    void Prepare(const Cluster& cluster) override;
    Ptr<HostAgent> CreateAgent(::coflow::HostId host) override;

    Ptr<HostNetwork> m_network; ///< network of the cluster
    std::vector<Ptr<DcasAgent>> m_agents;
};

} // namespace ns3::coflow

#endif // COFLOW_DCAS_SCHEDULER_H
