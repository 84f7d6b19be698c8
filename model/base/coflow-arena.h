/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ARENA_H
#define COFLOW_ARENA_H

#include <cstddef>

namespace coflow
{

/// Memory for what a simulation has many of and touches at random: connections and what they
/// remember, queues. It comes in whole cache lines, side by side, out of large pages where the
/// operating system has them, since the processor looks up the place of a page more slowly than it
/// reads memory. What is given back is used again for what has the same size, the newest first,
/// and is never given to the operating system. Built with the address sanitizer, it is ordinary
/// memory.
///
/// All is of the process, and for the one thread that simulates.
class Arena
{
  public:
    /// @param bytes how many, at least 1
    /// @return memory aligned to a cache line
    static void* Allocate(std::size_t bytes);

    /// Gives memory back.
    /// @param memory what Allocate() gave; null: no effect
    /// @param bytes what it was asked for
    static void Free(void* memory, std::size_t bytes);

    static constexpr std::size_t CACHE_LINE = 64; ///< bytes
};

/// Base of a class whose objects lie in the Arena, each by itself.
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

/// For containers whose memory comes from the Arena.
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
