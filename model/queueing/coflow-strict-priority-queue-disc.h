/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_STRICT_PRIORITY_QUEUE_DISC_H
#define COFLOW_STRICT_PRIORITY_QUEUE_DISC_H

#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/coflow-strict-priority.h"
#include "ns3/queue-size.h"

#include <memory>
#include <string>

namespace ns3::coflow
{

/// Strict priority between bands, by the DSCP in the DS field of a packet's IPv4 header (which is
/// Socket::SetIpTos() divided by 4), through a map that is an attribute. See StrictPriority.
class StrictPriorityQueueDisc : public DisciplineQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    StrictPriorityQueueDisc();
    ~StrictPriorityQueueDisc() override;

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

    /// Throws ::coflow::InputError where an attribute has a value that cannot be.
    /// @return the band of each DSCP, as the attributes Bands and BandMap say
    DscpBands GetBandOfDscp() const;

  private:
    uint32_t m_bands;             ///< attribute Bands
    std::string m_bandMap;        ///< attribute BandMap
    QueueSize m_bandSize;         ///< attribute BandSize
    QueueSize m_markingThreshold; ///< attribute MarkingThreshold
    bool m_keepOrder;             ///< attribute KeepOrder
};

} // namespace ns3::coflow

#endif // COFLOW_STRICT_PRIORITY_QUEUE_DISC_H
