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

/// An event list: a timing wheel for what is near, and a heap for what is far.
///
/// The wheel has a slot for each tick. The events of a slot are sorted shortly before its time
/// comes, so that the order is exact whatever a tick is: by time, then by order. A tick is made
/// shorter or longer as events are dense or sparse. Since events are known before they run, what
/// they will touch is brought to the cache in time.
class EventWheel
{
  public:
    /// An event in the list.
    struct Entry
    {
        int64_t time;          ///< in time steps of ns-3
        uint64_t order;        ///< among events of the same time: the smaller is first
        IntrusiveEvent* event; ///< what happens
    };

    EventWheel();

    /// Adds an event.
    /// @param entry not earlier than the last one that was taken
    void Push(const Entry& entry)
    {
        ++m_size;
        const auto slot = static_cast<uint64_t>(entry.time) >> m_shift;
        // Also what comes before the base, which there is only before the first event was taken.
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

    /// @return whether nothing is in the list
    bool IsEmpty() const
    {
        return m_size == 0;
    }

    /// @return number of events in the list
    std::size_t GetSize() const
    {
        return m_size;
    }

    /// @return the first event; there is one
    const Entry& Front()
    {
        if (m_next == m_now.size())
        {
            Advance();
        }
        return m_now[m_next];
    }

    /// @param time in time steps
    /// @param order among events of that time
    /// @return whether an event comes before the one that would be there. Unlike Front(), it does
    ///         not turn the wheel to what comes later, so that what is added for a time before
    ///         that is added as fast as ever
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

    /// Takes the first event out.
    /// @return it; there is one
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
        PrefetchAhead();
        return entry;
    }

    /// @return log2 of the length of a tick in time steps; for tests
    uint32_t GetShift() const
    {
        return m_shift;
    }

  private:
    static constexpr uint32_t SLOTS = 4096;      ///< a power of two
    static constexpr uint32_t CHUNK_ENTRIES = 8; ///< which fill three lines of the cache
    static constexpr uint32_t NO_CHUNK = UINT32_MAX;
    static constexpr std::size_t AHEAD_EVENT = 16; ///< so many events ahead the event is fetched
    /// So many events ahead each stage of IntrusiveEventKind::prefetch brings what the event
    /// touches.
    static constexpr std::array<std::size_t, 4> AHEAD_STAGE{10, 7, 4, 2};
    static constexpr uint64_t AHEAD_SLOTS = 8; ///< events in so many slots may be known before

    /// Some entries of a slot; all but the first chunk of a slot are full.
    struct Chunk
    {
        std::array<Entry, CHUNK_ENTRIES> entries;
    };

    /// What lies in a slot; or in one of its chunks.
    struct Slot
    {
        uint32_t chunk{NO_CHUNK}; ///< the first one
        uint32_t n{0};            ///< entries in that
    };

    /// More events of a slot than this are too many to insert another one among them.
    static constexpr std::size_t DENSE_SLOT = 512;
    /// A slot of so many time steps is sorted by counting.
    static constexpr std::size_t MOST_STEPS = 64;
    /// So many events of a longer slot are sorted by insertion.
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
    /// Adds an event to the slot whose time is now.
    void InsertNow(const Entry& entry);
    /// Adds an event beyond the wheel.
    void PushFar(const Entry& entry);
    /// Goes on to the next slot that has events, when those of the present one were taken.
    void Advance();
    /// Takes the events of the next slot to those of now, if it is near.
    void LookAhead();
    /// Takes the events of a slot to those of now, which they come after.
    void Append(uint64_t slot);
    /// Gives room of events that were taken back.
    void ForgetTaken();
    /// @return the next slot of the wheel that has events; there is one
    uint64_t FindNext() const;
    /// @return the next slot that has events, near or far, but for the one whose time is now;
    ///         there is one
    uint64_t GetNextSlot() const;
    /// Takes the events out of a slot, to be copied from the chunks in m_emptied.
    /// @return how many they are
    std::size_t Empty(uint64_t slot);
    /// Takes the events of a slot to those of now, as they were added.
    void Gather(uint64_t slot);
    /// Takes the events of a slot to those of now, sorted.
    void GatherSorted(uint64_t slot);
    /// Changes the length of a tick.
    /// @param shift log2 of the new length
    void SetShift(uint32_t shift);
    /// Looks whether ticks have the right length.
    void Adapt();
    /// Brings to the cache what is needed soon.
    void PrefetchAhead();
    uint32_t TakeChunk();

    uint32_t m_shift{7};
    uint64_t m_base{0};                        ///< the last slot whose events are in m_now
    std::vector<Entry> m_now;                  ///< from m_next on: events up to that slot, sorted
    std::size_t m_next{0};                     ///< first of them that was not taken
    int64_t m_time{0};                         ///< of the last event that was taken
    std::size_t m_size{0};                     ///< all events in the list
    std::size_t m_nNear{0};                    ///< those in slots
    std::vector<Slot> m_slots;                 ///< by number modulo SLOTS
    std::vector<Slot> m_emptied;               ///< chunks that were taken out last, newest first
    std::array<uint64_t, SLOTS / 64> m_used{}; ///< bit by bit: slots that have events
    std::vector<Chunk, ::coflow::ArenaAllocator<Chunk>> m_chunks;
    /// By chunk, another one of its slot, or of the free ones. Apart from the chunks, so that those
    /// that follow can be fetched before the first one has come to the cache.
    std::vector<uint32_t> m_nextChunk;
    uint32_t m_freeChunk{NO_CHUNK};
    uint32_t m_fetch{NO_CHUNK};   ///< chunk of the next slot that is to be fetched
    std::vector<Entry> m_far;     ///< a heap, the first event on top
    uint32_t m_gathered{0};       ///< slots gathered since ticks were looked at
    uint64_t m_gatheredEvents{0}; ///< events in them
    uint64_t m_farPushes{0};      ///< events that were too far for the wheel, since then
};

} // namespace ns3::coflow

#endif // COFLOW_EVENT_WHEEL_H
