/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_ENDS_H
#define COFLOW_LEAN_ENDS_H

#include <cstddef>
#include <cstdint>

namespace ns3::coflow
{

class LeanConnection;

/// The lean connections of the process by number. A segment carries the number of its destination
/// end. So the end is found without a search, early enough for a prefetch. A number is used again
/// after the end of its connection. A caller of Get() must check that the connection is the right
/// one.
class LeanEnds
{
  public:
    /// @return the number of the connection; not 0
    static uint32_t Add(LeanConnection& connection);

    /// Releases the number of a connection that no longer exists.
    static void Remove(uint32_t number);

    /// @param number a number that Add() has returned, or 0
    /// @return the connection that has the number now; null: none
    static LeanConnection* Get(uint32_t number);

    /// A segment for an end will arrive soon. Prefetches the memory that the segment will touch.
    /// @param number number of the end
    /// @param stage stage of IntrusiveEventKind::prefetch
    static void Prefetch(uint32_t number, std::size_t stage);
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_ENDS_H
