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

/// Base class of queue discs that know tasks and heavy tasks (Baraat).
class TaskQueueDisc : public DisciplineQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @return help text of the attribute HeavyBytes
    static std::string GetHeavyBytesHelp();

  protected:
    /// @return rule for drops and marks
    FifoLimits GetLimits() const;

    /// @return number of sent bytes from which a task is heavy
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
