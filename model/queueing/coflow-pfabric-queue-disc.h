/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PFABRIC_QUEUE_DISC_H
#define COFLOW_PFABRIC_QUEUE_DISC_H

#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/queue-size.h"

#include <memory>

namespace ns3::coflow
{

/// The queue of pFabric, by the key that hosts give their packets (PacketClassifier). See
/// PfabricQueue.
class PfabricQueueDisc : public DisciplineQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    PfabricQueueDisc();
    ~PfabricQueueDisc() override;

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

  private:
    QueueSize m_maxSize;          ///< attribute MaxSize
    QueueSize m_markingThreshold; ///< attribute MarkingThreshold
};

} // namespace ns3::coflow

#endif // COFLOW_PFABRIC_QUEUE_DISC_H
