/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RING_H
#define COFLOW_RING_H

#include "ns3/coflow-arena.h"
#include "ns3/coflow-prefetch.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace coflow
{

/// A queue of plain values with access by index. A new queue takes no memory. A full queue doubles
/// its memory.
/// @tparam T a type that can be copied byte by byte
template <typename T>
class Ring
{
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Ring() = default;

    ~Ring()
    {
        Arena::Free(m_values, m_capacity * sizeof(T));
    }

    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;

    Ring(Ring&& other) noexcept
        : m_values(other.m_values),
          m_capacity(other.m_capacity),
          m_head(other.m_head),
          m_size(other.m_size)
    {
        other.m_values = nullptr;
        other.m_capacity = 0;
        other.m_size = 0;
    }

    Ring& operator=(Ring&&) = delete;

    bool IsEmpty() const
    {
        return m_size == 0;
    }

    uint32_t GetSize() const
    {
        return m_size;
    }

    /// @param i index below the size; 0 is the front
    T& operator[](std::size_t i)
    {
        return m_values[(m_head + i) & (m_capacity - 1)];
    }

    const T& operator[](std::size_t i) const
    {
        return m_values[(m_head + i) & (m_capacity - 1)];
    }

    T& Front()
    {
        return (*this)[0];
    }

    const T& Front() const
    {
        return (*this)[0];
    }

    T& Back()
    {
        return (*this)[m_size - 1];
    }

    void PushBack(const T& value)
    {
        if (m_size == m_capacity)
        {
            const T copy = value; // `value` may refer to an element of this queue
            Grow();
            m_values[(m_head + m_size++) & (m_capacity - 1)] = copy;
            return;
        }
        m_values[(m_head + m_size++) & (m_capacity - 1)] = value;
    }

    void PopFront(std::size_t n = 1)
    {
        m_head = static_cast<uint32_t>((m_head + n) & (m_capacity - 1));
        m_size -= static_cast<uint32_t>(n);
    }

    void PopBack()
    {
        --m_size;
    }

    /// Inserts a value before the value at an index.
    /// @param i index of the new value, at most the size
    void Insert(std::size_t i, const T& value)
    {
        const T copy = value;
        PushBack(copy);
        for (std::size_t k = m_size - 1; k > i; --k)
        {
            (*this)[k] = (*this)[k - 1];
        }
        (*this)[i] = copy;
    }

    /// Removes the value at an index below the size.
    void Erase(std::size_t i)
    {
        for (std::size_t k = i; k + 1 < m_size; ++k)
        {
            (*this)[k] = (*this)[k + 1];
        }
        --m_size;
    }

    void Clear()
    {
        m_head = 0;
        m_size = 0;
    }

    /// Prefetches the front of the queue, a value about one cache line after it, and the position
    /// behind the back.
    void PrefetchEnds() const
    {
        if (m_values)
        {
            constexpr uint32_t LINE = Arena::CACHE_LINE / sizeof(T);
            Prefetch(&m_values[m_head]);
            Prefetch(&m_values[(m_head + LINE - 1) & (m_capacity - 1)]);
            Prefetch(&m_values[(m_head + m_size) & (m_capacity - 1)]);
        }
    }

  private:
    void Grow()
    {
        // The first capacity is about one cache line, and at least two values.
        constexpr auto FIRST = static_cast<uint32_t>(
            std::bit_floor(std::size_t{2} + (Arena::CACHE_LINE - 1) / sizeof(T)));
        const uint32_t capacity = m_capacity == 0 ? FIRST : 2 * m_capacity;
        auto* values = static_cast<T*>(Arena::Allocate(capacity * sizeof(T)));
        for (uint32_t i = 0; i < m_size; ++i)
        {
            values[i] = (*this)[i];
        }
        Arena::Free(m_values, m_capacity * sizeof(T));
        m_values = values;
        m_capacity = capacity;
        m_head = 0;
    }

    T* m_values{nullptr};
    uint32_t m_capacity{0}; ///< a power of two, or 0
    uint32_t m_head{0};     ///< position of the first value
    uint32_t m_size{0};
};

} // namespace coflow

#endif // COFLOW_RING_H
