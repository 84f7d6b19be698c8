/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FIFO_LM_QUEUE_DISC_H
#define COFLOW_FIFO_LM_QUEUE_DISC_H

#include "ns3/coflow-discipline-queue-disc.h"

#include <cstdint>
#include <memory>

namespace ns3::coflow
{

/// Ports as in Baraat, by task ids that are the keys which hosts' PacketClassifiers give. See
/// FifoLmQueue.
class FifoLmQueueDisc : public DisciplineQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    FifoLmQueueDisc();
    ~FifoLmQueueDisc() override;

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

  private:
    uint32_t m_maxBytes;   ///< attribute MaxBytes
    uint64_t m_heavyBytes; ///< attribute HeavyBytes
};

} // namespace ns3::coflow

#endif // COFLOW_FIFO_LM_QUEUE_DISC_H
