/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EVENT_WHEEL_H
#define COFLOW_EVENT_WHEEL_H

#include "ns3/coflow-arena.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::coflow
{

struct IntrusiveEvent;

/// An event list: a timing wheel for near events, and a heap for far events.
///
/// The wheel has a slot for each tick. The events of a slot are sorted by time, then by order,
/// shortly before the time of the slot. So the order of events is exact for any length of a tick.
/// Ticks become shorter where events are dense, and longer where events are sparse. The next events
/// are known. If the list is long, the wheel prefetches the memory that these events will touch.
class EventWheel
{
  public:
    /// An event in the list.
    struct Entry
    {
        int64_t time;          ///< time in time steps of ns-3
        uint64_t order;        ///< among events of the same time, smaller ones are first
        IntrusiveEvent* event; ///< the event
    };

    EventWheel();

    /// Adds an event.
    /// @param entry the event, not earlier than the last event that was taken
    void Push(const Entry& entry)
    {
        ++m_size;
        const auto slot = static_cast<uint64_t>(entry.time) >> m_shift;
        // Also events before the base, which exist only before the first event was taken.
        if (slot <= m_base)
        {
            InsertNow(entry);
        }
        else if (slot - m_base < SLOTS)
        {
            Add(slot, entry);
        }
        else
        {
            PushFar(entry);
        }
    }

    /// @return whether the list is empty
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /// @return number of events in the list
    std::size_t GetSize() const
    {
        return m_size;
    }

    /// @return the first event; the list must not be empty
    const Entry& Front()
    {
        if (m_next == m_now.size())
        {
            Advance();
        }
        return m_now[m_next];
    }

    /// @param time a time, in time steps
    /// @param order order among events of that time
    /// @return whether the list has an event before this time and order. Unlike Front(), this call
    ///         does not advance the wheel past `time`, so that adding earlier events stays fast
    bool HasOneBefore(int64_t time, uint64_t order)
    {
        if (m_next == m_now.size())
        {
            if (m_size == 0 || GetNextSlot() > static_cast<uint64_t>(time) >> m_shift)
            {
                return false;
            }
            Advance();
        }
        return IsBefore(m_now[m_next], {time, order, nullptr});
    }

    /// Removes the first event.
    /// @return the event; the list must not be empty
    Entry Pop()
    {
        const Entry entry = Front();
        ++m_next;
        --m_size;
        m_time = entry.time;
        if (m_now.size() - m_next <= AHEAD_EVENT)
        {
            LookAhead();
        }
        if (m_size > FEW_EVENTS)
        {
            PrefetchAhead();
        }
        return entry;
    }

    /// @return log2 of the length of a tick in time steps; for tests
    uint32_t GetShift() const
    {
        return m_shift;
    }

  private:
    static constexpr uint32_t SLOTS = 4096;      ///< number of slots, a power of two
    static constexpr uint32_t CHUNK_ENTRIES = 8; ///< entries, three cache lines
    static constexpr uint32_t NO_CHUNK = UINT32_MAX;
    static constexpr std::size_t AHEAD_EVENT = 16; ///< events ahead at which one is fetched
    /// Number of events ahead at which each stage of IntrusiveEventKind::prefetch is called.
    static constexpr std::array<std::size_t, 4> AHEAD_STAGE{10, 7, 4, 2};
    /// Up to this number of events, the memory that they touch stays in the cache.
    static constexpr std::size_t FEW_EVENTS = 4096;
    static constexpr uint64_t AHEAD_SLOTS = 8; ///< number of slots whose events are known ahead

    /// Some entries of a slot. All chunks of a slot except the first one are full.
    struct Chunk
    {
        std::array<Entry, CHUNK_ENTRIES> entries;
    };

    /// The content of a slot, or of one of its chunks.
    struct Slot
    {
        uint32_t chunk{NO_CHUNK}; ///< the first chunk
        uint32_t n{0};            ///< number of entries in the first chunk
    };

    /// A slot with more events is too long for an insertion.
    static constexpr std::size_t DENSE_SLOT = 512;
    /// Slots of at most this number of time steps are sorted by counting.
    static constexpr std::size_t MOST_STEPS = 64;
    /// Up to this number of events of a longer slot are sorted by insertion.
    static constexpr std::size_t MOST_INSERTED = 16;

    /// @return whether a comes before b
    static bool IsBefore(const Entry& a, const Entry& b)
    {
        return a.time != b.time ? a.time < b.time : a.order < b.order;
    }

    /// @return whether a comes after b
    static bool IsAfter(const Entry& a, const Entry& b)
    {
        return a.time != b.time ? a.time > b.time : a.order > b.order;
    }

    /// Adds an event to a slot of the wheel.
    void Add(uint64_t slot, const Entry& entry);
    /// Adds an event to the present slot.
    void InsertNow(const Entry& entry);
    /// Adds an event beyond the wheel.
    void PushFar(const Entry& entry);
    /// Advances to the next slot with events, when all events of the present slot were taken.
    void Advance();
    /// Adds the events of the next slot to m_now, if the slot is near.
    void LookAhead();
    /// Appends the events of a slot to m_now.
    void Append(uint64_t slot);
    /// Frees the memory of events that were taken.
    void ForgetTaken();
    /// @return the next slot of the wheel that has events, which must exist
    uint64_t FindNext() const;
    /// @return the next slot that has events, near or far, without the present slot; it must exist
    uint64_t GetNextSlot() const;
    /// Empties a slot. The caller copies the events from the chunks in m_emptied.
    /// @return number of events
    std::size_t Empty(uint64_t slot);
    /// Appends the events of a slot to m_now, in the order in which they were added.
    void Gather(uint64_t slot);
    /// Appends the events of a slot to m_now, sorted.
    void GatherSorted(uint64_t slot);
    /// Changes the length of a tick.
    /// @param shift log2 of the new length
    void SetShift(uint32_t shift);
    /// Adapts the length of ticks to the density of events.
    void Adapt();
    /// Prefetches the memory of the next events.
    void PrefetchAhead();
    uint32_t TakeChunk();

    uint32_t m_shift{7};
    uint64_t m_base{0};          ///< the last slot whose events are in m_now
    std::vector<Entry> m_now;    ///< from m_next on: events up to slot m_base, sorted
    std::size_t m_next{0};       ///< index of the first event of m_now that was not taken
    int64_t m_time{0};           ///< time of the last event that was taken
    std::size_t m_size{0};       ///< number of events in the list
    std::size_t m_nNear{0};      ///< number of events in slots
    std::vector<Slot> m_slots;   ///< slots by number modulo SLOTS
    std::vector<Slot> m_emptied; ///< the chunks of the last Empty(), newest first
    std::array<uint64_t, SLOTS / 64> m_used{}; ///< one bit per slot: slots with events
    std::vector<Chunk, ::coflow::ArenaAllocator<Chunk>> m_chunks;
    /// By chunk: the next chunk of its slot, or the next free chunk. The list is not part of the
    /// chunks, so that later chunks can be fetched before the first chunk is in the cache.
    std::vector<uint32_t> m_nextChunk;
    uint32_t m_freeChunk{NO_CHUNK};
    uint32_t m_fetch{NO_CHUNK};   ///< next chunk to be fetched
    std::vector<Entry> m_far;     ///< heap of far events, the first on top
    uint32_t m_gathered{0};       ///< number of slots gathered since Adapt()
    uint64_t m_gatheredEvents{0}; ///< number of events in these slots
    uint64_t m_farPushes{0};      ///< number of events added beyond the wheel since Adapt()
};

} // namespace ns3::coflow

#endif // COFLOW_EVENT_WHEEL_H
