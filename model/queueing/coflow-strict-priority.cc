/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-strict-priority.h"

#include "ns3/boolean.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-named-type.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace ns3::coflow
{

COFLOW_REGISTER(StrictPriorityQueueDisc,
                "bands by DSCP; the first band with packets is served; FIFO within a band");

StrictPriority::StrictPriority(uint32_t bands,
                               const FifoLimits& limits,
                               const DscpBands& bandOfDscp,
                               bool keepOrder)
    : m_bands(bands),
      m_limits(limits),
      m_bandOfDscp(bandOfDscp),
      m_keepOrder(keepOrder)
{
}

uint32_t
StrictPriority::GetNBands() const
{
    return static_cast<uint32_t>(m_bands.size());
}

uint8_t
StrictPriority::GetBand(const PortItem& item) const
{
    const uint8_t band = m_bandOfDscp[item.dsField >> 2];
    if (!m_keepOrder)
    {
        return band;
    }
    const auto waiting = m_waiting.find(item.flowHash);
    return waiting == m_waiting.end() ? band : std::max(band, waiting->second.band);
}

PortItem*
StrictPriority::Enqueue(PortItem* item)
{
    const uint8_t number = StrictPriority::GetBand(*item);
    PortFifo& band = m_bands[number];
    item->next = nullptr;
    item->band = number;
    if (!m_limits.Admits(band.GetPackets(), band.GetBytes(), item->bytes))
    {
        return item;
    }
    if (m_limits.Marks(band.GetPackets(), band.GetBytes(), item->bytes))
    {
        item->Mark();
    }
    if (m_keepOrder)
    {
        Waiting& waiting = m_waiting[item->flowHash];
        ++waiting.packets;
        waiting.band = number;
    }
    band.Push(item);
    return nullptr;
}

PortItem*
StrictPriority::Dequeue()
{
    for (PortFifo& band : m_bands)
    {
        if (!band.IsEmpty())
        {
            PortItem* item = band.Pop();
            if (m_keepOrder)
            {
                const auto waiting = m_waiting.find(item->flowHash);
                if (--waiting->second.packets == 0)
                {
                    m_waiting.erase(waiting);
                }
            }
            return item;
        }
    }
    return nullptr;
}

TypeId
StrictPriorityQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::StrictPriorityQueueDisc")
            .SetParent<DisciplineQueueDisc>()
            .SetGroupName("Coflow")
            .AddConstructor<StrictPriorityQueueDisc>()
            .AddAttribute("Bands",
                          "Number of bands; band 0 is served first",
                          UintegerValue(8),
                          MakeUintegerAccessor(&StrictPriorityQueueDisc::m_bands),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute(
                "BandMap",
                "Bands of DSCPs, such as '46:0 10:1'; all other DSCPs have the last band. Empty: "
                "by class selector, band 7 - DSCP / 8, but at most the last band",
                StringValue(""),
                MakeStringAccessor(&StrictPriorityQueueDisc::m_bandMap),
                MakeStringChecker())
            .AddAttribute("BandSize",
                          "Largest queue of each band, in packets or bytes; the default is raised "
                          "to four times rate x round trip of the network",
                          QueueSizeValue(QueueSize("256KiB")),
                          MakeQueueSizeAccessor(&StrictPriorityQueueDisc::m_bandSize),
                          MakeQueueSizeChecker())
            .AddAttribute("MarkingThreshold",
                          "An arriving ECN-capable packet is marked if, with it, more packets or "
                          "bytes than this wait in its band; the default is raised to rate x round "
                          "trip of the network. 0B: no marks",
                          QueueSizeValue(QueueSize("30000B")),
                          MakeQueueSizeAccessor(&StrictPriorityQueueDisc::m_markingThreshold),
                          MakeQueueSizeChecker())
            .AddAttribute(
                "KeepOrder",
                "Whether a flow that changes its class keeps its packets in order: while an "
                "earlier packet of the flow waits in a band, later ones join no more urgent band",
                BooleanValue(false),
                MakeBooleanAccessor(&StrictPriorityQueueDisc::m_keepOrder),
                MakeBooleanChecker());
    return tid;
}

DscpBands
StrictPriorityQueueDisc::GetBandOfDscp() const
{
    DscpBands bands{};
    const auto last = static_cast<uint8_t>(m_bands - 1);
    for (std::size_t dscp = 0; dscp < bands.size(); ++dscp)
    {
        bands[dscp] = m_bandMap.empty() ? std::min(static_cast<uint8_t>(7 - dscp / 8), last) : last;
    }
    std::istringstream map(m_bandMap);
    for (std::string part; map >> part;)
    {
        uint32_t dscp = 0;
        uint32_t band = 0;
        const char* end = part.data() + part.size();
        const auto first = std::from_chars(part.data(), end, dscp);
        const bool colon = first.ec == std::errc() && first.ptr != end && *first.ptr == ':';
        const auto second = std::from_chars(colon ? first.ptr + 1 : end, end, band);
        if (second.ec != std::errc() || second.ptr != end || dscp >= bands.size() ||
            band >= m_bands)
        {
            throw ::coflow::InputError(
                GetInstanceTypeId().GetName() + "::BandMap has '" + part +
                "'; allowed: DSCP:BAND with a DSCP from 0 to 63 and a band from 0 to " +
                std::to_string(m_bands - 1));
        }
        bands[dscp] = static_cast<uint8_t>(band);
    }
    return bands;
}

std::unique_ptr<PortDiscipline>
StrictPriorityQueueDisc::CreateDiscipline() const
{
    return std::make_unique<StrictPriority>(m_bands,
                                            FifoLimits(m_bandSize, m_markingThreshold),
                                            GetBandOfDscp(),
                                            m_keepOrder);
}

} // namespace ns3::coflow
