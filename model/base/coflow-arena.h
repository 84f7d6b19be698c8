/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ARENA_H
#define COFLOW_ARENA_H

#include <cstddef>

namespace coflow
{

/// Memory for the many small objects that a simulation accesses at random, such as connections,
/// their state and queues. Memory comes in whole cache lines, side by side, from large pages where
/// the operating system has them, because a TLB miss takes longer than a memory access. Freed
/// memory is used again for objects of the same size, the newest first, and is never returned to
/// the operating system. With the address sanitizer, the arena is ordinary memory.
///
/// There is one arena per process, for the thread that simulates.
class Arena
{
  public:
    /// @param bytes number of bytes, at least 1
    /// @return memory aligned to a cache line
    static void* Allocate(std::size_t bytes);

    /// Frees memory.
    /// @param memory return value of Allocate(); null: no effect
    /// @param bytes argument of Allocate()
    static void Free(void* memory, std::size_t bytes);

    static constexpr std::size_t CACHE_LINE = 64; ///< bytes
};

/// Base of a class whose objects are allocated in the Arena, one by one.
class InArena
{
  public:
    static void* operator new(std::size_t bytes)
    {
        return Arena::Allocate(bytes);
    }

    static void operator delete(void* memory, std::size_t bytes)
    {
        Arena::Free(memory, bytes);
    }

  protected:
    ~InArena() = default;
};

/// Allocator of containers whose memory comes from the Arena.
template <typename T>
struct ArenaAllocator
{
    using value_type = T;

    ArenaAllocator() = default;

    template <typename U>
    ArenaAllocator(const ArenaAllocator<U>&)
    {
    }

    T* allocate(std::size_t n)
    {
        return static_cast<T*>(Arena::Allocate(n * sizeof(T)));
    }

    void deallocate(T* memory, std::size_t n)
    {
        Arena::Free(memory, n * sizeof(T));
    }

    template <typename U>
    bool operator==(const ArenaAllocator<U>&) const
    {
        return true;
    }
};

} // namespace coflow

#endif // COFLOW_ARENA_H
