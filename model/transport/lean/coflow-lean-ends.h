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

/// The lean connections of the process by number. A segment carries the number of the end that it
/// is for, so that this is found without a search, and in time for the cache. A number is used
/// again when its connection is gone: who finds one by its number has to see whether it is the
/// right one.
class LeanEnds
{
  public:
    /// @return the connection's number from now on; not 0
    static uint32_t Add(LeanConnection& connection);

    /// The connection is gone.
    static void Remove(uint32_t number);

    /// @param number one that there was, or 0
    /// @return the connection that has it now; or null
    static LeanConnection* Get(uint32_t number);

    /// A segment for an end will arrive soon: brings to the cache what it will touch.
    /// @param stage as IntrusiveEventKind::prefetch has them
    static void Prefetch(uint32_t number, std::size_t stage);
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_ENDS_H
