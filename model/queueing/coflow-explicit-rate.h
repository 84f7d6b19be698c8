/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EXPLICIT_RATE_H
#define COFLOW_EXPLICIT_RATE_H

#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/coflow-rate-allocator.h"
#include "ns3/coflow-task-queue-disc.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>

namespace ns3::coflow
{

/// A port that hands out rates: packets that ask for one (RateSignal::REQUEST) are answered as they
/// arrive, see RateAllocator. They and the answers of others (ECHO) are sent before data, all else
/// first in, first out. The task of a packet is its key (PacketPriority::key), that of a request is
/// in place of the coflow.
///
/// Requests, answers and acknowledgements need an unknown part of the wire, and
/// TCP sends more than its rate when it repeats. What then waits at the port is handed out
/// less: as much as empties the queue, but for a few packets, within a millisecond. At least half
/// of the rate is handed out always.
class ExplicitRate : public PortDiscipline
{
  public:
    /// @param limits which data packets are dropped and marked
    /// @param heavyBytes bytes of a task sent that make it heavy
    /// @param utilisation share of the wire's rate that is handed out
    /// @param timeout flows that have not asked for so long are forgotten
    ExplicitRate(const FifoLimits& limits, uint64_t heavyBytes, double utilisation, Time timeout);

    void SetLinkRate(DataRate rate) override;
    PortItem* Enqueue(PortItem* item) override;
    PortItem* Dequeue() override;

  private:
    /// A queue, linked by PortItem::next.
    struct Queue
    {
        PortItem* first{nullptr};
        PortItem* last{nullptr};
        uint32_t packets{0};
        uint32_t bytes{0};

        void Push(PortItem* item);
        PortItem* Pop();
    };

    /// Tells the allocator what may be handed out at this moment.
    void UpdateCapacity();

    FifoLimits m_limits;
    double m_utilisation;
    double m_bitsPerSecond{0}; ///< that may be handed out where nothing waits
    RateAllocator m_allocator;
    Queue m_signals;
    Queue m_data;
};

/// A queue whose port hands out rates to tasks (Baraat). See ExplicitRate.
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
