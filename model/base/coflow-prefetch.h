/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PREFETCH_H
#define COFLOW_PREFETCH_H

#include <cstddef>

namespace coflow
{

/// Brings memory to the cache before it is needed.
/// @param object first byte; the address need not be valid
/// @param bytes number of bytes; at least the first cache line is brought
inline void
Prefetch(const void* object, std::size_t bytes = 1)
{
    constexpr std::size_t CACHE_LINE = 64;
    const auto* first = static_cast<const char*>(object);
    for (std::size_t i = 0; i < bytes; i += CACHE_LINE)
    {
        __builtin_prefetch(first + i);
    }
    // GCC removes calls of a function that only prefetches, because the function has no side
    // effect. The empty assembly statement keeps the calls.
    asm volatile("");
}

} // namespace coflow

#endif // COFLOW_PREFETCH_H
