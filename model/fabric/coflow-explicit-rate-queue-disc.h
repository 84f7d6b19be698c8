/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EXPLICIT_RATE_QUEUE_DISC_H
#define COFLOW_EXPLICIT_RATE_QUEUE_DISC_H

#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/nstime.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <memory>

namespace ns3::coflow
{

/// A queue whose port hands out rates to tasks (Baraat). See ExplicitRate.
class ExplicitRateQueueDisc : public DisciplineQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ExplicitRateQueueDisc();
    ~ExplicitRateQueueDisc() override;

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

  private:
    QueueSize m_maxSize;          ///< attribute MaxSize
    QueueSize m_markingThreshold; ///< attribute MarkingThreshold
    uint64_t m_heavyBytes;        ///< attribute HeavyBytes
    double m_utilisation;         ///< attribute Utilisation
    Time m_entryTimeout;          ///< attribute EntryTimeout
};

} // namespace ns3::coflow

#endif // COFLOW_EXPLICIT_RATE_QUEUE_DISC_H
