/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas-announcements.h"

#include "ns3/coflow-dcas-protocol.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>
#include <vector>

namespace ns3::coflow
{

namespace DcasProtocol = ::coflow::DcasProtocol;

void
DcasAnnouncements::Note(Ipv4Address sender, Time desired, Time expiry)
{
    ForgetExpired(expiry);
    const Time now = Simulator::Now();
    if (m_bySender.empty())
    {
        m_oldest = now;
    }
    const auto [entry, isNew] = m_bySender.try_emplace(sender.Get(), Announcement{desired, now});
    const Time before = isNew ? desired : std::exchange(entry->second, {desired, now}).desired;
    if (m_isKnown && before == m_answer && desired < before)
    {
        m_isKnown = false; // all other wanted times may be less
    }
    else if (m_isKnown)
    {
        m_answer = DcasProtocol::Psi(std::array{m_answer, desired});
    }
}

void
DcasAnnouncements::Forget(Ipv4Address sender, Time expiry)
{
    ForgetExpired(expiry);
    if (m_bySender.erase(sender.Get()) > 0)
    {
        m_isKnown = false;
    }
}

Time
DcasAnnouncements::GetAnswer()
{
    if (!m_isKnown)
    {
        std::vector<Time> desired;
        desired.reserve(m_bySender.size());
        for (const auto& announcement : std::views::values(m_bySender))
        {
            desired.push_back(announcement.desired);
        }
        m_answer = DcasProtocol::Psi(desired);
        m_isKnown = true;
    }
    return m_answer;
}

std::size_t
DcasAnnouncements::CountRemembered(Time expiry) const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(std::views::values(m_bySender), [expiry](const auto& announcement) {
            return IsRemembered(announcement, expiry);
        }));
}

bool
DcasAnnouncements::IsRemembered(const Announcement& announcement, Time expiry)
{
    return DcasProtocol::IsRemembered(announcement.received.GetNanoSeconds(),
                                      Simulator::Now().GetNanoSeconds(),
                                      expiry.GetNanoSeconds());
}

void
DcasAnnouncements::ForgetExpired(Time expiry)
{
    if (m_bySender.empty() || IsRemembered({Time(), m_oldest}, expiry))
    {
        return; // no announcement can have expired
    }
    const auto forgotten = std::erase_if(m_bySender, [expiry](const auto& entry) {
        return !IsRemembered(entry.second, expiry);
    });
    m_isKnown = m_isKnown && forgotten == 0;
    m_oldest = Simulator::Now();
    for (const auto& announcement : std::views::values(m_bySender))
    {
        m_oldest = std::min(m_oldest, announcement.received);
    }
}

} // namespace ns3::coflow
