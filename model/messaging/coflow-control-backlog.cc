/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-backlog.h"

#include <algorithm>

namespace ns3::coflow
{

uint32_t
ControlBacklog::Add(const Ptr<Packet>& frame, uint16_t messageType, bool renews)
{
    const auto earlier = renews
                             ? std::ranges::find_if(m_entries,
                                                    [=](const Entry& it) {
                                                        return it.whole && it.type == messageType;
                                                    })
                             : m_entries.end();
    if (earlier == m_entries.end())
    {
        m_entries.push_back({frame, messageType, renews});
        return 0;
    }
    const auto lost = earlier->frame->GetSize();
    earlier->frame = frame;
    return lost;
}

bool
ControlBacklog::Has(uint16_t messageType) const
{
    return std::ranges::any_of(m_entries, [=](const Entry& it) { return it.type == messageType; });
}

void
ControlBacklog::PopFront()
{
    m_entries.pop_front();
}

void
ControlBacklog::TrimFront(uint32_t bytes)
{
    auto& entry = m_entries.front();
    entry.frame = entry.frame->CreateFragment(bytes, entry.frame->GetSize() - bytes);
    entry.whole = false;
}

void
ControlBacklog::Clear()
{
    m_entries.clear();
}

} // namespace ns3::coflow
