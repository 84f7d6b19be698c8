/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BARAAT_SCHEDULER_H
#define COFLOW_BARAAT_SCHEDULER_H

#include "ns3/coflow-fifo-lm.h"
#include "ns3/coflow-host-network.h"
#include "ns3/coflow-scheduler.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::coflow
{

class BaraatRateAgent;

/// Baraat (Dogar et al., SIGCOMM 2014): tasks, that is, coflows, are served first in, first out
/// with limited multiplexing. There is no coordinator: hosts write the arrival number of a task
/// into its packets, and every port decides by this number.
///
/// In the mode PRIORITY, ports order packets (FifoLm). Flows of the active class share equally, or
/// as TCP shares a FIFO queue. In the mode EXPLICIT_RATE, flows request rates from ports, as in the
/// paper (RateAllocator, BaraatRateAgent).
///
/// WorkloadDriver gives coflows their arrival numbers, with one counter per entry point. A coflow
/// without a number is served last.
class BaraatScheduler : public Scheduler
{
  public:
    /// The function of ports.
    enum Mode
    {
        PRIORITY,     ///< ports order packets
        EXPLICIT_RATE ///< ports allocate rates to flows
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetQueueDisc() const override;
    void Configure(const HostNetwork& network, uint32_t mtu) override;
    ControlTotals GetControlTotals() const override;

  protected:
    void DoDispose() override;

  private:
    void Prepare(const Cluster& cluster) override;
    Ptr<HostAgent> CreateAgent(::coflow::HostId host) override;

    Mode m_mode;                    ///< attribute BaraatMode
    uint64_t m_heavyBytes;          ///< attribute HeavyBytes
    FifoLm::Sharing m_classSharing; ///< attribute ClassSharing
    Time m_minPeriod;               ///< attribute MinPeriod
    uint32_t m_segmentBytes{0};
    double m_wirePerByte{1};    ///< IPv4 bytes of a full packet per application byte
    Ptr<HostNetwork> m_network; ///< network of the cluster
    std::vector<Ptr<BaraatRateAgent>> m_agents;
};

} // namespace ns3::coflow

#endif // COFLOW_BARAAT_SCHEDULER_H
