/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EXPLICIT_RATE_H
#define COFLOW_EXPLICIT_RATE_H

#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/coflow-port-fifo.h"
#include "ns3/coflow-rate-allocator.h"
#include "ns3/coflow-task-queue-disc.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>

namespace ns3::coflow
{

/// A port that allocates rates. A packet with a request (RateSignal::REQUEST) is handled when it
/// arrives, see RateAllocator. Requests and echoes (ECHO) are sent before data. All other packets
/// are first in, first out. The task of a packet is its key (PacketPriority::key). The task of a
/// request is in the field of the coflow.
///
/// Requests, echoes and acknowledgements need an unknown share of the wire, and TCP exceeds its
/// rate when it retransmits. So the port reduces the allocated rate by the bytes in its queue: the
/// queue becomes empty, except for a few packets, within a millisecond. At least half of the rate
/// is always allocated.
class ExplicitRate : public PortDiscipline
{
  public:
    /// @param limits rule for drops and marks of data packets
    /// @param heavyBytes number of sent bytes from which a task is heavy
    /// @param utilisation share of the wire's rate that is allocated
    /// @param timeout time without a request after which a flow is removed
    ExplicitRate(const FifoLimits& limits, uint64_t heavyBytes, double utilisation, Time timeout);

    void SetLinkRate(DataRate rate) override;
    PortItem* Enqueue(PortItem* item) override;
    PortItem* Dequeue() override;

  private:
    /// Sets the rate that the allocator may allocate now.
    void UpdateCapacity();

    FifoLimits m_limits;
    double m_utilisation;
    double m_bitsPerSecond{0}; ///< allocated rate with an empty queue
    RateAllocator m_allocator;
    PortFifo m_signals;
    PortFifo m_data;
};

/// A queue disc whose port allocates rates to tasks (Baraat). See ExplicitRate.
class ExplicitRateQueueDisc : public TaskQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

  private:
    double m_utilisation; ///< attribute Utilisation
    Time m_entryTimeout;  ///< attribute EntryTimeout
};

} // namespace ns3::coflow

#endif // COFLOW_EXPLICIT_RATE_H
