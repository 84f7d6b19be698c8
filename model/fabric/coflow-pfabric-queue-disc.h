/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PFABRIC_QUEUE_DISC_H
#define COFLOW_PFABRIC_QUEUE_DISC_H

#include "ns3/coflow-discipline-queue-disc.h"

#include <cstdint>
#include <memory>

namespace ns3::coflow
{

/// Ports as in pFabric, by the keys that hosts' PacketClassifiers give. See PFabricQueue.
class PFabricQueueDisc : public DisciplineQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    PFabricQueueDisc();
    ~PFabricQueueDisc() override;

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

  private:
    uint32_t m_maxBytes; ///< attribute MaxBytes
};

} // namespace ns3::coflow

#endif // COFLOW_PFABRIC_QUEUE_DISC_H
