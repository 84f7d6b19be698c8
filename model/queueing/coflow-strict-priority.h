/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_STRICT_PRIORITY_H
#define COFLOW_STRICT_PRIORITY_H

#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/queue-size.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::coflow
{

/// The band of each DSCP, band 0 being the first to be served.
using DscpBands = std::array<uint8_t, 64>;

/// Strict priority between bands; first in, first out within each. Every band has a queue of its
/// own with limits of its own, so that a low band cannot take the room of a high one.
///
/// A flow whose packets change to a more urgent band overtakes its own packets that wait in the
/// band before, and TCP takes that for a loss. Where order is kept, a packet joins no more urgent
/// band than one in which an earlier packet of its flow waits (as pCoflow does in switches:
/// arXiv 2007.02624).
class StrictPriority : public PortDiscipline
{
  public:
    /// @param bands number of bands, at least 1
    /// @param limits which packets each band drops and marks
    /// @param bandOfDscp the band of each DSCP, below bands
    /// @param keepOrder whether packets of a flow stay in order
    StrictPriority(uint32_t bands,
                   const FifoLimits& limits,
                   const DscpBands& bandOfDscp,
                   bool keepOrder = false);

    PortItem* Enqueue(PortItem* item) override;
    PortItem* Dequeue() override;
    uint32_t GetNBands() const override;
    uint8_t GetBand(const PortItem& item) const override;

  private:
    /// A queue, linked by PortItem::next.
    struct Band
    {
        PortItem* first{nullptr};
        PortItem* last{nullptr};
        uint32_t packets{0};
        uint32_t bytes{0};
    };

    /// What waits of a flow.
    struct Waiting
    {
        uint32_t packets{0}; ///< in all bands
        uint8_t band{0};     ///< the least urgent one in which packets have waited since
    };

    std::vector<Band> m_bands;
    FifoLimits m_limits;
    DscpBands m_bandOfDscp;
    bool m_keepOrder;
    std::unordered_map<uint64_t, Waiting> m_waiting; ///< where order is kept: by PortItem::flowHash
};

/// Strict priority between bands, by the DSCP in the DS field of a packet's IPv4 header (which is
/// Socket::SetIpTos() divided by 4), through a map that is an attribute. See StrictPriority.
class StrictPriorityQueueDisc : public DisciplineQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

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

#endif // COFLOW_STRICT_PRIORITY_H
