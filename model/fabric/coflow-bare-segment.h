/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BARE_SEGMENT_H
#define COFLOW_BARE_SEGMENT_H

#include "ns3/coflow-lean-segment.h"

#include <cstddef>
#include <cstdint>

namespace ns3::coflow
{

/// A SegmentRoute::end with this bit belongs to no connection: its segments are stateless. The
/// network carries, queues, marks and drops a stateless segment as any other. The BareSegmentUser
/// of the network gets it, and no TCP.
constexpr uint32_t BARE_SEGMENT = 1U << 31;

/// Sends and receives the stateless segments of all hosts of a network.
class BareSegmentUser
{
  public:
    /// A stateless segment has arrived at its host.
    /// @param segment the segment
    /// @param end of its route
    virtual void ReceiveBare(const LeanSegmentHead& segment, uint32_t end) = 0;

    /// A stateless segment is lost.
    /// @param segment the segment
    /// @param end of its route
    virtual void LoseBare(const LeanSegmentHead& segment, uint32_t end) = 0;

    /// A stateless segment will arrive soon: brings to the cache the memory that this will touch.
    /// @param end of its route
    /// @param stage as LightEventKind::prefetch has them
    virtual void PrefetchBare(uint32_t end, std::size_t stage) const = 0;

  protected:
    ~BareSegmentUser() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_BARE_SEGMENT_H
