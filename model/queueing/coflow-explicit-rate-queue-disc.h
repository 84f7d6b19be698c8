/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EXPLICIT_RATE_QUEUE_DISC_H
#define COFLOW_EXPLICIT_RATE_QUEUE_DISC_H

#include "ns3/coflow-task-queue-disc.h"
#include "ns3/nstime.h"

#include <memory>

namespace ns3::coflow
{

/// A queue whose port hands out rates to tasks (Baraat). See ExplicitRate.
class ExplicitRateQueueDisc : public TaskQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    ExplicitRateQueueDisc();
    ~ExplicitRateQueueDisc() override;

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

  private:
    double m_utilisation; ///< attribute Utilisation
    Time m_entryTimeout;  ///< attribute EntryTimeout
};

} // namespace ns3::coflow

#endif // COFLOW_EXPLICIT_RATE_QUEUE_DISC_H
