/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FRAME_H
#define COFLOW_FRAME_H

#include "ns3/coflow-arena.h"
#include "ns3/coflow-intrusive-event.h"
#include "ns3/coflow-lean-segment.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/coflow-topology.h"
#include "ns3/packet.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::coflow
{

class FabricChannel;

/// The load of a frame, which ports do not read.
struct FrameLoad
{
    /// Packet, beginning with the IPv4 header; or payload of a datagram; or null.
    Ptr<Packet> packet;
    uint64_t uid{0}; ///< uid of a frame without a packet
};

/// A packet in an express fabric, which is also the event of its next arrival. The event is
/// scheduled again at every hop, so that a hop allocates nothing.
///
/// The fields for switches are read from the IPv4 header when the packet leaves its host. ECN marks
/// are written back into the header at delivery.
///
/// A frame has three cache lines. A hop through a first-in first-out port touches only the second
/// line: the last fields of PortItem, IntrusiveEvent, and the first fields of Frame. After a change
/// of a link, a hop also reads the epoch.
struct alignas(::coflow::Arena::CACHE_LINE) Frame final : public FrameLoad,
                                                          public PortItem,
                                                          public IntrusiveEvent
{
    uint32_t index{0};                           ///< index of this frame in its pool
    int64_t start{0};                            ///< begin of its last transmission, time steps
    std::array<LinkPort, MAX_PATH_PORTS> path{}; ///< ends with NO_PORT where there is no path
    uint8_t hop{0};                              ///< index of the current port in path
    uint8_t hops{0};                             ///< number of ports in path
    uint8_t ttl{0};                              ///< time to live as the host sent it
    bool stale : 1 {false};         ///< this event was replaced by another one, and does nothing
    bool scheduled : 1 {false};     ///< the event is in the event list
    bool isPacket : 1 {false};      ///< has a packet; otherwise a segment or a datagram
    bool isDatagram : 1 {false};    ///< has the payload of a UDP datagram, with ports in segment
    bool inhibitsJumps : 1 {false}; ///< prevents jumps over time while in flight
    uint32_t end{0}; ///< number of the connection's end that a segment is for; 0: unknown

    LeanSegmentHead segment;    ///< the segment, where there is no packet
    HostId dst{0};              ///< receiving host
    uint32_t sack{0};           ///< position of the segment's SACK blocks in the pool; 0: none
    uint32_t epoch{0};          ///< state of the topology that path was made for
    uint16_t identification{0}; ///< identification field of the IPv4 header, for packet spraying
    uint16_t label{0};          ///< label by which switches choose the path; 0: by the flow's hash

    /// @return the sending host
    HostId GetSource() const
    {
        return path[0] / 2; // see Topology::GetUplink()
    }

    /// @return whether the next arrival is at the receiver. Where there is no path, the last port
    ///         is NO_PORT
    bool IsLastHop() const
    {
        return hop + 1 == hops;
    }

    /// Prevents jumps over time until the frame is returned.
    void InhibitJumps();

    /// Replaces another frame, whose event then does nothing.
    void TakeOver(Frame& other);
};

static_assert(sizeof(FrameLoad) + sizeof(PortItem) == 72 &&
              sizeof(Frame) == 3 * ::coflow::Arena::CACHE_LINE);

/// A pool of frames. The frame that was returned last is used first. A frame can be taken again as
/// soon as it was returned, even in its own event.
class FramePool
{
  public:
    /// @param channel channel of the frames
    explicit FramePool(FabricChannel* channel);
    /// Frames that are still in the event list are destroyed when the event list drops them.
    ~FramePool();

    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;

    /// @return a frame, unmarked and not stale; all other fields are undefined
    Frame* Take();

    /// @param frame a frame of this pool that is no longer used
    void Return(Frame* frame);

    /// @param index Frame::index
    Frame* Get(uint32_t index);

    /// Stores the SACK blocks of a segment while its frame is in flight.
    void KeepSack(Frame& frame, const LeanSegment& segment);

    /// @param frame a frame with a segment
    /// @return the whole segment
    LeanSegment GetSegment(const Frame& frame) const;

  private:
    class Store;

    Store* m_store;             ///< destroys itself when no event uses it
    std::vector<Frame*> m_free; ///< returned frames
    /// SACK blocks of segments in flight; index 0 is not used.
    std::vector<LeanSegment::SackBlocks> m_sacks;
    std::vector<uint32_t> m_freeSacks;
};

} // namespace ns3::coflow

#endif // COFLOW_FRAME_H
