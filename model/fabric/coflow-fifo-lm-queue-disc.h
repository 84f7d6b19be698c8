/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FIFO_LM_QUEUE_DISC_H
#define COFLOW_FIFO_LM_QUEUE_DISC_H

#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <memory>

namespace ns3::coflow
{

/// First in, first out between tasks with limited multiplexing (Baraat), by the key that hosts
/// give their packets (PacketClassifier). See FifoLm.
class FifoLmQueueDisc : public DisciplineQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    FifoLmQueueDisc();
    ~FifoLmQueueDisc() override;

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

  private:
    QueueSize m_maxSize;          ///< attribute MaxSize
    QueueSize m_markingThreshold; ///< attribute MarkingThreshold
    uint64_t m_heavyBytes;        ///< attribute HeavyBytes
};

} // namespace ns3::coflow

#endif // COFLOW_FIFO_LM_QUEUE_DISC_H
