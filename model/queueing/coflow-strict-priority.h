/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_STRICT_PRIORITY_H
#define COFLOW_STRICT_PRIORITY_H

#include "ns3/coflow-discipline-queue-disc.h"
#include "ns3/coflow-fifo-queue-disc.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/coflow-port-fifo.h"
#include "ns3/queue-size.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::coflow
{

/// The band of each DSCP. Band 0 is served first.
using DscpBands = std::array<uint8_t, 64>;

/// Strict priority between bands; first in, first out within each band. Every band has its own
/// queue with its own limits, so that a low band cannot take space from a high band.
///
/// Where the packets of a flow change to a more urgent band, they overtake earlier packets of the
/// flow in the former band, and TCP assumes a loss. With order kept, a packet does not join a band
/// that is more urgent than the band of a waiting earlier packet of its flow (as pCoflow does in
/// switches: arXiv 2007.02624).
class StrictPriority : public PortDiscipline
{
  public:
    /// @param bands number of bands, at least 1
    /// @param limits rule for drops and marks in each band
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
    /// The waiting packets of a flow.
    struct Waiting
    {
        uint32_t packets{0}; ///< packets in all bands
        uint8_t band{0};     ///< least urgent band of packets since the flow began to wait
    };

    std::vector<PortFifo> m_bands;
    FifoLimits m_limits;
    DscpBands m_bandOfDscp;
    bool m_keepOrder;
    /// Flows with waiting packets, by PortItem::flowHash; empty where m_keepOrder is false.
    std::unordered_map<uint64_t, Waiting> m_waiting;
};

/// Strict priority between bands. An attribute maps the DSCP in the DS field of a packet's IPv4
/// header to a band. The DSCP is the value of Socket::SetIpTos() divided by 4. See StrictPriority.
class StrictPriorityQueueDisc : public DisciplineQueueDisc
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    std::unique_ptr<PortDiscipline> CreateDiscipline() const override;

    /// @return the band of each DSCP, from the attributes Bands and BandMap
    /// @throws ::coflow::InputError where an attribute has a value that is not allowed
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
