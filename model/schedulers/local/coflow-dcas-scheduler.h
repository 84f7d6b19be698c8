/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_SCHEDULER_H
#define COFLOW_DCAS_SCHEDULER_H

#include "ns3/coflow-dcas-rules.h"
#include "ns3/coflow-priority-scheduler.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::coflow
{

class DcasAgent;

/// D-CAS (Luo et al.): senders and receivers of a coflow agree on its urgency without a
/// coordinator. See DcasAgent for the protocol, ::coflow::Dcas for the same in the fluid engine.
class DcasScheduler : public PriorityScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    DcasScheduler();
    ~DcasScheduler() override;

    /// Replaces what agents compute; before Install().
    void SetRules(const DcasRules& rules);

    ControlTotals GetControlTotals() const override;

  protected:
    void DoDispose() override;

  private:
    void Prepare(const Cluster& cluster) override;
    Ptr<HostAgent> CreateAgent(::coflow::HostId host) override;

    Time m_delta;            ///< attribute Delta
    Time m_patience;         ///< attribute T
    Time m_expiry;           ///< attribute Expiry
    Time m_minWait;          ///< attribute MinWait
    Time m_feedbackDelay;    ///< attribute FeedbackDelay
    uint64_t m_threshold;    ///< attribute Threshold
    bool m_finAnnouncements; ///< attribute FinAnnouncements
    bool m_urgentMessages;   ///< attribute UrgentMessages
    double m_lossRate;       ///< attribute LossRate
    uint16_t m_port;         ///< attribute Port
    DcasRules m_rules;
    Ptr<Topology> m_topology; ///< of the cluster
    std::vector<Ptr<DcasAgent>> m_agents;
};

} // namespace ns3::coflow

#endif // COFLOW_DCAS_SCHEDULER_H
