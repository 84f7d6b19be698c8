/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-arena.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

#ifdef __SANITIZE_ADDRESS__
#define COFLOW_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COFLOW_ADDRESS_SANITIZER
#endif
#endif

namespace coflow
{

namespace
{

constexpr std::size_t LINE = Arena::CACHE_LINE;
constexpr std::size_t LARGE_PAGE = std::size_t{2} << 20;
constexpr std::size_t FIRST_SLAB = std::size_t{64} << 10;
/// Largest number of cache lines of a block from a slab. Larger blocks are allocated one by one.
constexpr std::size_t MOST_LINES = 256;

/// Allocates memory from the C library, in large pages where the memory is larger than half a large
/// page. Throws std::bad_alloc where there is no memory.
void*
AllocateSlab(std::size_t bytes)
{
    const bool large = bytes > LARGE_PAGE / 2;
    const std::size_t unit = large ? LARGE_PAGE : LINE;
    const std::size_t whole = (bytes + unit - 1) / unit * unit;
    void* memory = std::aligned_alloc(unit, whole);
    if (!memory)
    {
        throw std::bad_alloc();
    }
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (large)
    {
        // A hint to the kernel. Without large pages, the memory works too, but access is slower.
        madvise(memory, whole, MADV_HUGEPAGE);
    }
#endif
    return memory;
}

#ifndef COFLOW_ADDRESS_SANITIZER

/// A freed block, in a linked list of freed blocks of the same size.
struct Given
{
    Given* next;
};

struct State
{
    std::array<Given*, MOST_LINES + 1> free{}; ///< freed blocks, by number of cache lines
    char* next{nullptr};                       ///< first unused byte of the newest slab
    std::size_t left{0};
    std::size_t slab{FIRST_SLAB}; ///< size of the next slab, in bytes
};

State g_state;

#endif

} // namespace

#ifdef COFLOW_ADDRESS_SANITIZER

void*
Arena::Allocate(std::size_t bytes)
{
    return ::operator new(bytes, std::align_val_t(CACHE_LINE));
}

void
Arena::Free(void* memory, std::size_t /* bytes */)
{
    ::operator delete(memory, std::align_val_t(CACHE_LINE));
}

#else

void*
Arena::Allocate(std::size_t bytes)
{
    const std::size_t lines = (bytes + LINE - 1) / LINE;
    if (lines > MOST_LINES)
    {
        return AllocateSlab(bytes);
    }
    State& state = g_state;
    if (auto* memory = state.free[lines])
    {
        state.free[lines] = memory->next;
        return memory;
    }
    const std::size_t whole = lines * LINE;
    if (state.left < whole)
    {
        // The rest of the newest slab goes to the lists of freed blocks.
        while (state.left > 0)
        {
            const std::size_t part = std::min(state.left / LINE, MOST_LINES);
            Free(state.next, part * LINE);
            state.next += part * LINE;
            state.left -= part * LINE;
        }
        state.next = static_cast<char*>(AllocateSlab(state.slab));
        state.left = state.slab;
        state.slab = std::min(2 * state.slab, LARGE_PAGE);
    }
    void* memory = state.next;
    state.next += whole;
    state.left -= whole;
    return memory;
}

void
Arena::Free(void* memory, std::size_t bytes)
{
    if (!memory)
    {
        return;
    }
    const std::size_t lines = (bytes + LINE - 1) / LINE;
    if (lines > MOST_LINES)
    {
        std::free(memory);
        return;
    }
    auto* given = new (memory) Given;
    given->next = g_state.free[lines];
    g_state.free[lines] = given;
}

#endif

} // namespace coflow
