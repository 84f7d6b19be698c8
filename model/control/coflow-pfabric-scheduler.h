/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PFABRIC_SCHEDULER_H
#define COFLOW_PFABRIC_SCHEDULER_H

#include "ns3/coflow-priority-scheduler.h"

#include <cstdint>

namespace ns3::coflow
{

/// Shortest remaining flow first, as pFabric does it (Alizadeh et al., SIGCOMM 2013): the key of a
/// packet is the number of bytes of its flow that are not acknowledged when it leaves its host, a
/// retransmission's also. There is no coordinator and no message.
///
/// With Bands, flows with less than FirstBand left are in band 0, less than ten times that in
/// band 1, and so on.
class PfabricScheduler : public PriorityScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

  private:
    Ptr<HostAgent> CreateAgent(::coflow::HostId host) override;

    uint64_t m_firstBand; ///< attribute FirstBand
};

} // namespace ns3::coflow

#endif // COFLOW_PFABRIC_SCHEDULER_H
