/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-scoreboard.h"

#include <algorithm>

namespace ns3::coflow
{

void
LeanScoreboard::SetHead(uint32_t sequence)
{
    m_head = sequence;
    if (m_items.GetSize() > 0)
    {
        m_items[0].first = sequence;
    }
    ForgetHighest();
}

void
LeanScoreboard::ForgetHighest()
{
    m_hasHighest = false;
    m_highest = 0;
}

std::size_t
LeanScoreboard::Find(uint32_t sequence) const
{
    // The index of the item is in [low, high).
    std::size_t low = 0;
    for (std::size_t high = m_items.GetSize(); high - low > 1;)
    {
        const std::size_t middle = low + (high - low) / 2;
        (IsBefore(sequence, m_items[middle].first) ? high : low) = middle;
    }
    return low;
}

void
LeanScoreboard::Split(std::size_t i, uint32_t bytes)
{
    Item front = m_items[i];
    front.bytes = bytes;
    // As in TcpTxBuffer, the split-off part is a new item that does not count as delivered when it
    // arrives, unless it is sent again.
    front.delivered = true;
    m_items[i].first += bytes;
    m_items[i].bytes -= bytes;
    m_items.Insert(i, front);
}

void
LeanScoreboard::MergeWithNext(std::size_t i)
{
    Item& item = m_items[i];
    const Item& next = m_items[i + 1];
    if (item.again != next.again)
    {
        m_again -= item.again ? item.bytes : next.bytes;
        item.again = false;
    }
    item.bytes += next.bytes;
    m_items.Erase(i + 1);
}

std::size_t
LeanScoreboard::Cut(uint32_t sequence, uint32_t bytes)
{
    std::size_t i = Find(sequence);
    if (m_items[i].first != sequence)
    {
        Split(i, sequence - m_items[i].first);
        ++i;
    }
    while (m_items[i].bytes < bytes && i + 1 < m_items.GetSize())
    {
        MergeWithNext(i);
    }
    if (m_items[i].bytes > bytes)
    {
        Split(i, bytes);
    }
    return i;
}

LeanScoreboard::Sent
LeanScoreboard::Send(uint32_t sequence, uint32_t bytes)
{
    bytes = std::min(bytes, GetSizeFrom(sequence));
    const uint32_t end = m_head + m_sentSize;
    if (!IsBefore(sequence, end))
    {
        m_items.PushBack({.first = end, .bytes = bytes, .delivered = false});
        m_sentSize += bytes;
        return {bytes, false};
    }
    bytes = std::min(bytes, end - sequence);
    std::size_t i = Find(sequence);
    if (m_items[i].first == sequence)
    {
        // A segment extends into the next item only if the next item is not SACKed and equally lost
        // or not lost.
        uint32_t most = m_items[i].bytes;
        if (i + 1 < m_items.GetSize() && !m_items[i + 1].sacked &&
            m_items[i].lost == m_items[i + 1].lost)
        {
            most += m_items[i + 1].bytes;
        }
        bytes = std::min(bytes, most);
    }
    i = Cut(sequence, bytes);
    Item& item = m_items[i];
    if (!item.again)
    {
        m_again += item.bytes;
        item.again = true;
    }
    item.delivered = false;
    return {item.bytes, true};
}

std::optional<LeanScoreboard::Range>
LeanScoreboard::GetNext(bool recovering, uint32_t window) const
{
    std::optional<uint32_t> fallback;
    // Only lost items that were not retransmitted precede new data. If nothing is lost, which is
    // the usual case, no search is needed.
    if (m_lost > 0 || recovering)
    {
        for (std::size_t i = 0; i < m_items.GetSize(); ++i)
        {
            const Item& item = m_items[i];
            if (item.again || item.sacked || (m_hasHighest && !IsBefore(item.first, m_highest)))
            {
                continue;
            }
            if (item.lost)
            {
                return Range{item.first, UINT32_MAX};
            }
            if (recovering && !fallback.value_or(0))
            {
                fallback = item.first;
            }
        }
    }
    const uint32_t end = m_head + m_sentSize;
    if (GetSizeFrom(end) > 0)
    {
        if (m_sentSize >= window)
        {
            return std::nullopt;
        }
        return Range{end, window - m_sentSize};
    }
    if (fallback)
    {
        return Range{*fallback, UINT32_MAX};
    }
    return std::nullopt;
}

void
LeanScoreboard::Uncount(const Item& item, uint32_t bytes)
{
    m_sacked -= item.sacked ? bytes : 0;
    m_again -= item.again ? bytes : 0;
    m_lost -= item.lost ? bytes : 0;
}

uint32_t
LeanScoreboard::Acknowledge(uint32_t sequence)
{
    if (!IsBefore(m_head, sequence))
    {
        return 0;
    }
    uint32_t delivered = 0;
    uint32_t left = sequence - m_head;
    while (m_size > 0 && left > 0)
    {
        if (m_items.GetSize() == 0)
        {
            // The acknowledgement is for bytes that no longer count as sent.
            Send(m_head, left);
        }
        Item& item = m_items[0];
        const uint32_t part = std::min(left, item.bytes);
        m_size -= part;
        m_sentSize -= part;
        left -= part;
        m_head += part;
        Uncount(item, part);
        if (part == item.bytes)
        {
            delivered += item.delivered ? 0 : item.bytes;
            m_items.PopFront();
        }
        else
        {
            item.first += part;
            item.bytes -= part;
        }
    }
    if (m_size == 0)
    {
        m_head = sequence;
    }
    if (m_items.GetSize() > 0 && m_items[0].sacked)
    {
        // The receiver has dropped bytes that it had SACKed.
        m_items[0].sacked = false;
        m_sacked -= m_items[0].bytes;
        AddDuplicate();
        LoseHead();
    }
    if (!IsBefore(m_head, m_highest))
    {
        ForgetHighest();
    }
    return delivered;
}

LeanScoreboard::Update
LeanScoreboard::TakeSack(const LeanSegment& segment, uint32_t threshold)
{
    Update update{0, 0};
    for (uint32_t block = 0; block < segment.nSackBlocks; ++block)
    {
        const auto [first, end] = segment.sack[block];
        if (IsBefore(m_head + m_sentSize, first))
        {
            return update;
        }
        for (std::size_t i = 0; i < m_items.GetSize() && !IsBefore(end, m_items[i].End()); ++i)
        {
            Item& item = m_items[i];
            if (item.sacked || IsBefore(item.first, first))
            {
                continue;
            }
            if (item.lost)
            {
                item.lost = false;
                m_lost -= item.bytes;
            }
            item.sacked = true;
            m_sacked += item.bytes;
            update.sacked += item.bytes;
            if (!m_hasHighest || !IsBefore(item.End(), m_highest))
            {
                m_hasHighest = true;
                m_highest = item.first;
            }
            update.delivered += item.delivered ? 0 : item.bytes;
            item.delivered = true;
        }
    }
    if (update.sacked > 0)
    {
        UpdateLost(threshold);
    }
    return update;
}

void
LeanScoreboard::UpdateLost(uint32_t threshold)
{
    if (!m_hasHighest || m_items.GetSize() == 0)
    {
        return;
    }
    uint32_t sacked = 0;
    for (std::size_t i = Find(m_highest); i > 0; --i)
    {
        Item& item = m_items[i];
        sacked += item.sacked;
        if (sacked >= threshold && !item.sacked && !item.lost)
        {
            item.lost = true;
            m_lost += item.bytes;
        }
    }
    if (sacked >= threshold && !m_items[0].lost)
    {
        m_items[0].lost = true;
        m_lost += m_items[0].bytes;
    }
}

bool
LeanScoreboard::IsLost(uint32_t sequence) const
{
    if (!IsBefore(sequence, m_highest) || m_items.GetSize() == 0 || IsBefore(sequence, m_head))
    {
        return false;
    }
    const std::size_t i = Find(sequence);
    return IsBefore(sequence, m_items[i].End()) && m_items[i].lost;
}

bool
LeanScoreboard::IsSentAgainUpTo(uint32_t end) const
{
    if (m_again == 0 || m_items.GetSize() == 0 || !IsBefore(m_head, end) ||
        IsBefore(m_head + m_sentSize, end))
    {
        return false;
    }
    const Item& item = m_items[Find(end - 1)];
    return item.End() == end && !item.sacked && item.again;
}

bool
LeanScoreboard::IsHeadSentAgain() const
{
    return m_sentSize > 0 && m_items[0].again;
}

void
LeanScoreboard::LoseHead()
{
    if (m_items.GetSize() == 0)
    {
        return;
    }
    Item& head = m_items[0];
    if (head.sacked)
    {
        head.sacked = false;
        m_sacked -= head.bytes;
    }
    if (head.again)
    {
        head.again = false;
        m_again -= head.bytes;
    }
    if (!head.lost)
    {
        head.lost = true;
        m_lost += head.bytes;
    }
}

void
LeanScoreboard::AddDuplicate()
{
    for (std::size_t i = 1; i < m_items.GetSize(); ++i)
    {
        Item& item = m_items[i];
        if (!item.sacked)
        {
            item.sacked = true;
            m_sacked += item.bytes;
            m_hasHighest = true;
            m_highest = item.first;
            return;
        }
    }
}

void
LeanScoreboard::ForgetDuplicates()
{
    m_sacked = 0;
    for (std::size_t i = 0; i < m_items.GetSize(); ++i)
    {
        m_items[i].sacked = false;
    }
    ForgetHighest();
}

void
LeanScoreboard::LoseAll(bool forgetSack)
{
    m_again = 0;
    m_lost = 0;
    if (forgetSack)
    {
        m_sacked = 0;
        ForgetHighest();
    }
    for (std::size_t i = 0; i < m_items.GetSize(); ++i)
    {
        Item& item = m_items[i];
        item.sacked = item.sacked && !forgetSack;
        item.lost = item.lost || !item.sacked;
        m_lost += item.lost ? item.bytes : 0;
        item.again = false;
    }
}

void
LeanScoreboard::Restore(uint32_t bytes, uint32_t segment)
{
    m_lost = 0;
    m_again = 0;
    m_sacked = 0;
    ForgetHighest();
    for (std::size_t i = 0; i < m_items.GetSize(); ++i)
    {
        Item& item = m_items[i];
        item.lost = false;
        item.sacked = false;
        item.again = false;
    }
    if (m_sentSize < bytes)
    {
        m_items.PushBack({.first = m_head + m_sentSize, .bytes = bytes - m_sentSize});
        m_sentSize = bytes;
    }
    for (uint32_t done = 0; done < m_sentSize;)
    {
        const uint32_t wanted = std::min(segment, m_sentSize - done);
        done += m_items[Cut(m_head + done, wanted)].bytes;
    }
}

void
LeanScoreboard::UnsendLast()
{
    if (m_items.GetSize() == 0)
    {
        return;
    }
    const Item& last = m_items.Back();
    m_sentSize -= last.bytes;
    Uncount(last, last.bytes);
    m_items.PopBack();
}

} // namespace ns3::coflow
