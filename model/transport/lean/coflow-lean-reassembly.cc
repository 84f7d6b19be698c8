/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-reassembly.h"

#include <algorithm>

namespace ns3::coflow
{

void
LeanReassembly::SetFin(uint32_t sequence)
{
    m_hasFin = true;
    m_fin = sequence;
    if (m_next == m_fin)
    {
        ++m_next;
    }
}

bool
LeanReassembly::Add(uint32_t sequence, uint32_t bytes)
{
    uint32_t first = sequence;
    uint32_t end = sequence + bytes;
    if (IsBefore(first, m_next))
    {
        first = m_next;
    }
    if (!m_blocks.empty())
    {
        const uint32_t limit = m_blocks.front().first + m_capacity;
        if (IsBefore(limit, end))
        {
            end = limit;
        }
        if (IsBefore(end, first))
        {
            first = end;
        }
    }
    // Bytes that the buffer has already are cut off at both ends. A block within the new bytes is
    // replaced.
    for (std::size_t i = 0; i < m_blocks.size() && !IsBefore(end, m_blocks[i].first);)
    {
        const Block block = m_blocks[i];
        if (IsBefore(first, block.End()))
        {
            if (IsBefore(first, block.first) && IsBefore(block.End(), end))
            {
                m_size -= block.bytes;
                m_blocks.erase(m_blocks.begin() + static_cast<std::ptrdiff_t>(i));
                continue;
            }
            if (!IsBefore(first, block.first))
            {
                first = block.End();
            }
            if (!IsBefore(block.End(), end))
            {
                end = block.first;
            }
        }
        ++i;
    }
    if (!IsBefore(first, end))
    {
        return false;
    }
    const Block added{first, end - first};
    const auto place = std::ranges::find_if(m_blocks, [&](const Block& other) {
        return IsBefore(added.first, other.first);
    });
    m_blocks.insert(place, added);
    if (IsBefore(m_next, first))
    {
        AddSack(first, end);
    }
    m_size += added.bytes;
    for (const Block& block : m_blocks)
    {
        if (IsBefore(m_next, block.first))
        {
            break;
        }
        if (block.first == m_next)
        {
            m_next = block.End();
            m_readable += block.bytes;
            std::erase_if(m_sack,
                          [this](const auto& other) { return !IsBefore(m_next, other.second); });
        }
    }
    if (m_hasFin && m_next == m_fin)
    {
        ++m_next;
    }
    return true;
}

void
LeanReassembly::AddSack(uint32_t first, uint32_t end)
{
    // The new block becomes the first and merges with adjacent blocks. After each merge, the search
    // for adjacent blocks starts again.
    m_sack.insert(m_sack.begin(), {first, end});
    for (std::size_t i = 1; i < m_sack.size(); ++i)
    {
        auto& newest = m_sack.front();
        const auto other = m_sack[i];
        if (newest.first == other.second)
        {
            newest.first = other.first;
        }
        else if (newest.second == other.first)
        {
            newest.second = other.second;
        }
        else
        {
            continue;
        }
        m_sack.erase(m_sack.begin() + static_cast<std::ptrdiff_t>(i));
        i = 0;
    }
    if (m_sack.size() > LeanSegment::MAX_SACK_BLOCKS)
    {
        m_sack.pop_back();
    }
}

void
LeanReassembly::WriteSack(LeanSegment& segment) const
{
    const uint32_t room = segment.GetSackRoom();
    const auto blocks = static_cast<uint8_t>(std::min<std::size_t>(m_sack.size(), room));
    std::copy_n(m_sack.begin(), blocks, segment.sack.begin());
    segment.nSackBlocks = blocks;
}

uint32_t
LeanReassembly::Read(uint32_t bytes)
{
    bytes = std::min(bytes, m_readable);
    m_readable -= bytes;
    m_size -= bytes;
    std::size_t whole = 0;
    for (uint32_t left = bytes; left > 0;)
    {
        Block& block = m_blocks[whole];
        if (block.bytes > left)
        {
            block.first += left;
            block.bytes -= left;
            break;
        }
        left -= block.bytes;
        ++whole;
    }
    m_blocks.erase(m_blocks.begin(), m_blocks.begin() + static_cast<std::ptrdiff_t>(whole));
    return bytes;
}

} // namespace ns3::coflow
