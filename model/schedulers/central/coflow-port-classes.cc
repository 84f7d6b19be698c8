/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-port-classes.h"

#include <algorithm>

namespace ns3::coflow
{

void
PortClasses::SetNumber(uint32_t classes)
{
    m_classes = classes;
}

void
PortClasses::Take(const CoflowOrderMessage& order)
{
    m_places.clear();
    for (const auto& record : order.records)
    {
        m_places.emplace(record.coflow, record.place);
    }
}

void
PortClasses::Clear()
{
    m_places.clear();
}

PacketPriority
PortClasses::PriorityOf(::coflow::CoflowId coflow) const
{
    if (m_classes == 0)
    {
        return {};
    }
    const auto known = m_places.find(coflow);
    const uint32_t last = m_classes - 1;
    const uint32_t place = known == m_places.end() ? last : std::min(known->second, last);
    return {PacketPriority::LEAST_URGENT, static_cast<uint8_t>(1 + place)};
}

} // namespace ns3::coflow
