/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-contention-count.h"

#include <bit>

namespace coflow
{

void
ContentionCount::Compute(const CoflowLoads& loads, std::span<const std::uint8_t> group)
{
    const std::size_t rows = group.size();
    const std::size_t words = (rows + 63) / 64;
    const auto bit = [](std::size_t row) { return std::uint64_t{1} << (row % 64); };
    m_users.assign(2 * loads.Hosts() * words, 0);
    m_members.assign(256 * words, 0);
    for (std::size_t r = 0; r < rows; ++r)
    {
        for (const PortDemand& d : loads.Of(r))
        {
            m_users[d.port * words + r / 64] |= bit(r);
        }
        m_members[group[r] * words + r / 64] |= bit(r);
    }
    m_count.assign(rows, 0);
    for (std::size_t r = 0; r < rows; ++r)
    {
        m_met.assign(words, 0);
        for (const PortDemand& d : loads.Of(r))
        {
            for (std::size_t w = 0; w < words; ++w)
            {
                m_met[w] |= m_users[d.port * words + w];
            }
        }
        m_met[r / 64] &= ~bit(r); // a row is not counted with itself
        for (std::size_t w = 0; w < words; ++w)
        {
            m_count[r] += std::popcount(m_met[w] & m_members[group[r] * words + w]);
        }
    }
}

} // namespace coflow
