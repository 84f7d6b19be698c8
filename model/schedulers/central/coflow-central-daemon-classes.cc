/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How a CentralDaemon gives its flows classes, where ports serve classes strictly and nobody has
// a rate (Sincronia).

#include "ns3/coflow-central-daemon.h"
#include "ns3/coflow-packet-classifier.h"

#include <algorithm>

namespace ns3::coflow
{

using ::coflow::CoflowId;

void
CentralDaemon::EnforceInNetwork(uint32_t classes)
{
    m_classes = classes;
}

void
CentralDaemon::PrepareClasses()
{
    const auto classifier = GetNode()->GetObject<PacketClassifier>();
    if (m_classes > 0 && classifier)
    {
        // Before all classes, as control messages are.
        classifier->SetAcknowledgementPriority({PacketPriority::LEAST_URGENT, 0});
    }
}

PacketPriority
CentralDaemon::PriorityOf(CoflowId coflow) const
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

void
CentralDaemon::Classify()
{
    for (auto& [key, sending] : m_sending)
    {
        const auto priority = PriorityOf(key.coflowId);
        if (sending.priority != priority)
        {
            sending.priority = priority;
            GetSource().SetPriority(key, priority);
        }
    }
}

void
CentralDaemon::OnOrder(const CoflowOrderMessage& message)
{
    if (m_classes == 0 || message.schedule <= m_schedule)
    {
        return;
    }
    m_schedule = message.schedule;
    m_places.clear();
    for (const auto& record : message.records)
    {
        m_places.emplace(record.coflow, record.place);
    }
    Classify();
    m_scheduleAppliedTrace(m_schedule);
}

} // namespace ns3::coflow
