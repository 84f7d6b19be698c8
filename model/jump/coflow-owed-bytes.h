/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_OWED_BYTES_H
#define COFLOW_OWED_BYTES_H

#include <cstdint>

namespace ns3::coflow
{

/// Bits per second times nanoseconds, in a byte.
constexpr uint64_t BIT_NANOSECONDS = 8'000'000'000;

/// @param bitsPerSecond a rate
/// @param steps how long, ns
/// @param rest what was owed before, and becomes what is owed now, in parts of a byte: 8e9 make one
/// @return whole bytes that are owed
inline uint64_t
TakeOwedBytes(uint64_t bitsPerSecond, int64_t steps, uint64_t& rest)
{
    __extension__ using Product = unsigned __int128;
    const auto owed = static_cast<Product>(bitsPerSecond) * static_cast<uint64_t>(steps) + rest;
    rest = static_cast<uint64_t>(owed % BIT_NANOSECONDS);
    return static_cast<uint64_t>(owed / BIT_NANOSECONDS);
}

} // namespace ns3::coflow

#endif // COFLOW_OWED_BYTES_H
