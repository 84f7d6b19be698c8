/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-event-wheel.h"

#include "ns3/coflow-intrusive-event.h"
#include "ns3/coflow-prefetch.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace ns3::coflow
{

EventWheel::EventWheel()
    : m_slots(SLOTS)
{
}

uint32_t
EventWheel::TakeChunk()
{
    if (m_freeChunk == NO_CHUNK)
    {
        m_chunks.emplace_back();
        m_nextChunk.push_back(NO_CHUNK);
        return static_cast<uint32_t>(m_chunks.size() - 1);
    }
    const uint32_t chunk = m_freeChunk;
    m_freeChunk = m_nextChunk[chunk];
    return chunk;
}

void
EventWheel::Add(uint64_t slot, const Entry& entry)
{
    const auto at = static_cast<uint32_t>(slot % SLOTS);
    Slot& s = m_slots[at];
    if (s.chunk == NO_CHUNK || s.n == CHUNK_ENTRIES)
    {
        const uint32_t added = TakeChunk();
        m_nextChunk[added] = s.chunk;
        s = {added, 0};
        m_used[at / 64] |= uint64_t{1} << (at % 64);
    }
    // The chunk is only written, so the processor does not wait for the cache.
    m_chunks[s.chunk].entries[s.n++] = entry;
    ++m_nNear;
}

void
EventWheel::InsertNow(const Entry& entry)
{
    if (m_now.size() - m_next > DENSE_SLOT && m_shift > 0)
    {
        // Ticks are much too long for the present density, and each insertion would move many
        // events.
        SetShift(m_shift - std::min(m_shift, 3U)); // sets m_size again, without the new event
        Push(entry);
        return;
    }
    ForgetTaken();
    // Most new events are near the first event or the last event. In front of the first event, the
    // position of a taken event is free.
    const auto first = m_now.begin() + static_cast<std::ptrdiff_t>(m_next);
    const auto middle = first + (m_now.end() - first) / 2;
    if (m_next > 0 && middle != m_now.end() && IsBefore(entry, *middle))
    {
        auto place = first;
        for (; IsBefore(*place, entry); ++place)
        {
            *(place - 1) = *place;
        }
        *(place - 1) = entry;
        --m_next;
        return;
    }
    auto place = m_now.end();
    while (place != first && IsAfter(*(place - 1), entry))
    {
        --place;
    }
    m_now.insert(place, entry);
}

void
EventWheel::ForgetTaken()
{
    if (m_next > DENSE_SLOT && 2 * m_next > m_now.size())
    {
        m_now.erase(m_now.begin(), m_now.begin() + static_cast<std::ptrdiff_t>(m_next));
        m_next = 0;
    }
}

void
EventWheel::PushFar(const Entry& entry)
{
    m_far.push_back(entry);
    std::ranges::push_heap(m_far, IsAfter);
    ++m_farPushes;
}

uint64_t
EventWheel::FindNext() const
{
    // The slots of the wheel begin after the base, because the base itself is empty.
    const auto from = static_cast<uint32_t>((m_base + 1) % SLOTS);
    constexpr uint32_t WORDS = SLOTS / 64;
    uint64_t word = m_used[from / 64] & (~uint64_t{0} << (from % 64));
    for (uint32_t i = from / 64;; i = (i + 1) % WORDS, word = m_used[i])
    {
        if (word != 0)
        {
            const uint32_t at = i * 64 + static_cast<uint32_t>(std::countr_zero(word));
            return m_base + 1 + (at + SLOTS - from) % SLOTS;
        }
    }
}

uint64_t
EventWheel::GetNextSlot() const
{
    const uint64_t near = m_nNear > 0 ? FindNext() : UINT64_MAX;
    return m_far.empty() ? near
                         : std::min(near, static_cast<uint64_t>(m_far.front().time) >> m_shift);
}

std::size_t
EventWheel::Empty(uint64_t slot)
{
    const auto at = static_cast<uint32_t>(slot % SLOTS);
    auto [chunk, n] = m_slots[at];
    std::size_t all = 0;
    m_emptied.clear();
    while (chunk != NO_CHUNK)
    {
        m_emptied.push_back({chunk, n});
        all += n;
        // The entries of the chunk stay unchanged until the next event is added.
        const uint32_t next = m_nextChunk[chunk];
        m_nextChunk[chunk] = m_freeChunk;
        m_freeChunk = chunk;
        chunk = next;
        n = CHUNK_ENTRIES;
    }
    m_nNear -= all;
    m_slots[at] = {};
    m_used[at / 64] &= ~(uint64_t{1} << (at % 64));
    return all;
}

void
EventWheel::Gather(uint64_t slot)
{
    Empty(slot);
    // The newest chunk is the first chunk of its slot.
    for (auto filled = m_emptied.rbegin(); filled != m_emptied.rend(); ++filled)
    {
        const auto first = m_chunks[filled->chunk].entries.begin();
        m_now.insert(m_now.end(), first, first + filled->n);
    }
}

void
EventWheel::GatherSorted(uint64_t slot)
{
    const std::size_t before = m_now.size();
    const std::size_t steps = std::size_t{1} << m_shift;
    const auto at = static_cast<uint32_t>(slot % SLOTS);
    // Events get their order when they are added. So the events of a slot are in this order, except
    // for a few events from the heap. A stable sort by time then leaves almost no work. If a slot
    // has few time steps, this is a counting sort.
    const bool many = m_slots[at].n == CHUNK_ENTRIES ||
                      (m_slots[at].chunk != NO_CHUNK && m_nextChunk[m_slots[at].chunk] != NO_CHUNK);
    if (many && steps <= MOST_STEPS)
    {
        const std::size_t all = Empty(slot);
        m_now.resize(before + all);
        std::array<uint32_t, MOST_STEPS + 1> place{};
        for (const Slot& filled : m_emptied)
        {
            const Entry* entries = m_chunks[filled.chunk].entries.data();
            for (uint32_t i = 0; i < filled.n; ++i)
            {
                ++place[(static_cast<uint64_t>(entries[i].time) & (steps - 1)) + 1];
            }
        }
        std::partial_sum(place.begin(),
                         place.begin() + static_cast<std::ptrdiff_t>(steps),
                         place.begin());
        for (auto filled = m_emptied.rbegin(); filled != m_emptied.rend(); ++filled)
        {
            const Entry* entries = m_chunks[filled->chunk].entries.data();
            for (uint32_t i = 0; i < filled->n; ++i)
            {
                const uint64_t step = static_cast<uint64_t>(entries[i].time) & (steps - 1);
                m_now[before + place[step]++] = entries[i];
            }
        }
    }
    else
    {
        Gather(slot);
        if (m_now.size() - before > MOST_INSERTED)
        {
            std::sort(m_now.begin() + static_cast<std::ptrdiff_t>(before), m_now.end(), IsBefore);
        }
    }
    // An insertion sort, which only reads the events that are in order.
    for (std::size_t i = before + 1; i < m_now.size(); ++i)
    {
        if (IsBefore(m_now[i], m_now[i - 1]))
        {
            const Entry entry = m_now[i];
            std::size_t to = i;
            for (; to > before && IsBefore(entry, m_now[to - 1]); --to)
            {
                m_now[to] = m_now[to - 1];
            }
            m_now[to] = entry;
        }
    }
}

void
EventWheel::Advance()
{
    m_now.clear();
    m_next = 0;
    if (m_gathered == SLOTS)
    {
        Adapt();
        if (!m_now.empty())
        {
            return;
        }
    }
    // The wheel advances to the next event, which may have been beyond the wheel before.
    Append(GetNextSlot());
    for (std::size_t i = 0; i < std::min(m_now.size(), AHEAD_EVENT); ++i)
    {
        ::coflow::Prefetch(m_now[i].event);
    }
}

void
EventWheel::LookAhead()
{
    if (m_nNear == 0 || m_gathered == SLOTS)
    {
        return;
    }
    const uint64_t next = FindNext();
    const bool farFirst =
        !m_far.empty() && static_cast<uint64_t>(m_far.front().time) >> m_shift <= next;
    // An event that is scheduled before the end of the slot is inserted in m_now, which is slow if
    // m_now is long.
    if (!farFirst && next - (static_cast<uint64_t>(m_time) >> m_shift) <= AHEAD_SLOTS)
    {
        ForgetTaken();
        Append(next);
    }
}

void
EventWheel::Append(uint64_t slot)
{
    m_base = slot;
    while (!m_far.empty() &&
           (static_cast<uint64_t>(m_far.front().time) >> m_shift) - m_base < SLOTS)
    {
        const Entry entry = m_far.front();
        std::ranges::pop_heap(m_far, IsAfter);
        m_far.pop_back();
        Add(static_cast<uint64_t>(entry.time) >> m_shift, entry);
    }
    const std::size_t before = m_now.size();
    GatherSorted(m_base);
    ++m_gathered;
    m_gatheredEvents += m_now.size() - before;
    // The events of the next slot were written some time ago, and are no longer in the cache.
    m_fetch = m_nNear > 0 ? m_slots[FindNext() % SLOTS].chunk : NO_CHUNK;
}

void
EventWheel::PrefetchAhead()
{
    if (m_fetch != NO_CHUNK)
    {
        ::coflow::Prefetch(&m_chunks[m_fetch], sizeof(Chunk));
        m_fetch = m_nextChunk[m_fetch];
    }
    const std::size_t event = m_next + AHEAD_EVENT;
    if (event < m_now.size())
    {
        ::coflow::Prefetch(m_now[event].event);
    }
    static_assert(AHEAD_STAGE.size() == IntrusiveEventKind::STAGES);
    for (std::size_t stage = 0; stage < AHEAD_STAGE.size(); ++stage)
    {
        const std::size_t soon = m_next + AHEAD_STAGE[stage];
        if (soon < m_now.size())
        {
            const IntrusiveEvent& next = *m_now[soon].event;
            if (const auto prefetch = next.kind->prefetch[stage])
            {
                prefetch(next);
            }
        }
    }
}

void
EventWheel::Adapt()
{
    constexpr uint64_t DENSE = 64;   // events per slot from which sorting is slow
    constexpr uint64_t SPARSE = 4;   // events per slot below which there are few events to prefetch
    constexpr uint32_t LONGEST = 24; // 17 ms
    const bool dense = m_gatheredEvents > DENSE * m_gathered;
    const bool sparse =
        m_gatheredEvents < SPARSE * m_gathered || m_farPushes * 4 > m_gatheredEvents;
    m_gathered = 0;
    m_gatheredEvents = 0;
    m_farPushes = 0;
    if (dense && m_shift > 0)
    {
        SetShift(m_shift - 1);
    }
    else if (sparse && !dense && m_shift < LONGEST)
    {
        SetShift(m_shift + 1);
    }
}

void
EventWheel::SetShift(uint32_t shift)
{
    m_now.erase(m_now.begin(), m_now.begin() + static_cast<std::ptrdiff_t>(m_next));
    for (uint32_t at = 0; at < SLOTS; ++at)
    {
        Gather(at);
    }
    m_now.insert(m_now.end(), m_far.begin(), m_far.end());
    m_far.clear();
    std::vector<Entry> entries;
    entries.swap(m_now);
    std::ranges::sort(entries, IsBefore);
    m_next = 0;
    m_size = 0;
    m_shift = shift;
    m_base = static_cast<uint64_t>(m_time) >> m_shift;
    for (const Entry& entry : entries)
    {
        const auto slot = static_cast<uint64_t>(entry.time) >> m_shift;
        if (slot <= m_base)
        {
            m_now.push_back(entry);
            ++m_size;
        }
        else
        {
            Push(entry);
        }
    }
    m_farPushes = 0;
}

} // namespace ns3::coflow
