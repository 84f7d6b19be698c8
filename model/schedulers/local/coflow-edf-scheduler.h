/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EDF_SCHEDULER_H
#define COFLOW_EDF_SCHEDULER_H

#include "ns3/coflow-priority-scheduler.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

namespace ns3::coflow
{

/// Per-flow earliest deadline first: the key of a packet is the absolute deadline of its coflow,
/// as pFabric has it for flows with deadlines (Alizadeh et al., SIGCOMM 2013, section 4.1). Flows
/// of equal deadlines go by their bytes left, and so do those without, which come last. There is
/// no coordinator and no message.
///
/// With Bands, what has less than FirstBand until its deadline is in band 0, less than ten times
/// that in band 1, and so on.
class EdfScheduler : public PriorityScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param deadline absolute; none: after all that have one
    /// @param unacknowledged bytes of the flow that are left
    /// @return the key: deadline in units of 1.024 us, up to 19 hours, then bytes left in KiB
    static uint64_t GetKey(std::optional<Time> deadline, uint64_t unacknowledged);

  private:
    Ptr<HostAgent> CreateAgent(::coflow::HostId host) override;

    Time m_firstBand; ///< attribute FirstBand
};

} // namespace ns3::coflow

#endif // COFLOW_EDF_SCHEDULER_H
