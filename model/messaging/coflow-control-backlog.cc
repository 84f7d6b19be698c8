/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-control-backlog.h"

#include <algorithm>
#include <iterator>

namespace ns3::coflow
{

uint32_t
ControlBacklog::Add(const std::vector<Ptr<Packet>>& frames, uint16_t messageType, bool renews)
{
    // Without the flag the message goes to the end.
    const auto earlier =
        renews ? std::find_if(m_entries.begin(),
                              m_entries.end(),
                              [=](const Entry& it) { return it.whole && it.type == messageType; })
               : m_entries.end();
    uint32_t lost = 0;
    auto place = earlier;
    for (bool last = place == m_entries.end(); !last; ++place)
    {
        lost += place->frame->GetSize();
        last = place->last;
    }
    place = m_entries.erase(earlier, place);
    std::vector<Entry> entries;
    for (const auto& frame : frames)
    {
        entries.push_back({frame, messageType, renews && entries.empty(), false});
    }
    entries.back().last = true;
    m_entries.insert(place, entries.begin(), entries.end());
    return lost;
}

bool
ControlBacklog::Has(uint16_t messageType) const
{
    return std::any_of(m_entries.begin(), m_entries.end(), [=](const Entry& it) {
        return it.type == messageType;
    });
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
