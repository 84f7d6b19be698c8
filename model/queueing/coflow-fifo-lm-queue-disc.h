/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FIFO_LM_QUEUE_DISC_H
#define COFLOW_FIFO_LM_QUEUE_DISC_H

#include "ns3/coflow-fifo-lm.h"
#include "ns3/coflow-task-queue-disc.h"

#include <memory>

namespace ns3::coflow
{

/// First in, first out between tasks with limited multiplexing (Baraat), by the key that hosts
/// give their packets (PacketClassifier). See FifoLm.
class FifoLmQueueDisc : public TaskQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// What the attribute ClassSharing means, for all attributes that mean it.
    static constexpr const char* SHARING_HELP =
        "How flows of the tasks that a port serves at a time share: fair-queueing, equally; "
        "arrival, first in, first out, as TCP then shares";

    /// @return what the attribute ClassSharing may be, for all attributes that mean it
    static Ptr<const AttributeChecker> MakeSharingChecker();

    FifoLmQueueDisc();
    ~FifoLmQueueDisc() override;

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

  private:
    FifoLm::Sharing m_sharing; ///< attribute ClassSharing
};

} // namespace ns3::coflow

#endif // COFLOW_FIFO_LM_QUEUE_DISC_H
