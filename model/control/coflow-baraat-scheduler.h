/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BARAAT_SCHEDULER_H
#define COFLOW_BARAAT_SCHEDULER_H

#include "ns3/coflow-scheduler.h"

#include <cstdint>
#include <string>

namespace ns3::coflow
{

/// Baraat (Dogar et al., SIGCOMM 2014): tasks, that is, coflows, are served first in, first out
/// with limited multiplexing. Hosts write the number of a task into its packets, and every port
/// acts on that by itself; see FifoLm. Flows of one class share as TCP shares a queue, where the
/// paper has switches that hand out rates. There is no coordinator and no message.
///
/// Numbers come from WorkloadDriver, which has one or several counters for them. A coflow without
/// a number is served last.
class BaraatScheduler : public Scheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::string GetQueueDisc() const override;

  private:
    Ptr<HostAgent> CreateAgent(::coflow::HostId host) override;

    uint64_t m_heavyBytes; ///< attribute HeavyBytes
};

} // namespace ns3::coflow

#endif // COFLOW_BARAAT_SCHEDULER_H
