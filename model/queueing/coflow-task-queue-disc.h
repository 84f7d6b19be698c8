/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TASK_QUEUE_DISC_H
#define COFLOW_TASK_QUEUE_DISC_H

#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/queue-size.h"

#include <cstdint>
#include <string>

namespace ns3::coflow
{

/// What queues have in common that know tasks and which of them are heavy (Baraat).
class TaskQueueDisc : public DisciplineQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return what the attribute HeavyBytes means, for all attributes that mean it
    static std::string GetHeavyBytesHelp();

  protected:
    /// @return what is dropped and marked
    FifoLimits GetLimits() const;

    /// @return bytes sent that make a task heavy
    uint64_t GetHeavyBytes() const
    {
        return m_heavyBytes;
    }

  private:
    QueueSize m_maxSize;          ///< attribute MaxSize
    QueueSize m_markingThreshold; ///< attribute MarkingThreshold
    uint64_t m_heavyBytes;        ///< attribute HeavyBytes
};

} // namespace ns3::coflow

#endif // COFLOW_TASK_QUEUE_DISC_H
