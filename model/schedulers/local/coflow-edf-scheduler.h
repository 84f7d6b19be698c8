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

/// Per-flow earliest deadline first. The key of a packet is the absolute deadline of its coflow, as
/// in pFabric for flows with deadlines (Alizadeh et al., SIGCOMM 2013, section 4.1). Among flows
/// with equal deadlines, the flow with the fewest bytes left is first. Flows without a deadline
/// come last, in the same order. There is no coordinator, and there are no messages.
///
/// With Bands, packets with less than FirstBand until their deadline are in band 0, packets with
/// less than ten times FirstBand in band 1, and so on.
class EdfScheduler : public PriorityScheduler
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param deadline absolute deadline; none: after all deadlines
    /// @param unacknowledged bytes of the flow that are not acknowledged
    /// @return the key. The upper bits are the deadline, in units of 1.024 us for deadlines within
    ///         73 minutes, and in larger units for later deadlines. The lower 28 bits are the
    ///         unacknowledged bytes, in KiB
    static uint64_t GetKey(std::optional<Time> deadline, uint64_t unacknowledged);

  private:
    Ptr<HostAgent> CreateAgent(::coflow::HostId host) override;

    Time m_firstBand; ///< attribute FirstBand
};

} // namespace ns3::coflow

#endif // COFLOW_EDF_SCHEDULER_H
