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

/// What a frame carries, which no port looks at.
struct FrameLoad
{
    Ptr<Packet> packet; ///< the packet, IPv4 header first; or a datagram's payload; or none
    uint64_t uid{0};    ///< without a packet: names the frame
};

/// A packet on its way through an express fabric, and the event of its next arrival in one: it
/// is scheduled anew at every hop, so that a hop allocates nothing.
///
/// What switches need to know stands here, read off the IPv4 header when the packet left its
/// host. ECN marks are written back into the header at delivery.
///
/// It has three cache lines. A hop through a first-in first-out port touches the second one only:
/// the last fields of PortItem, IntrusiveEvent, and the first fields here. Once a link has changed
/// it looks at the epoch as well.
struct alignas(::coflow::Arena::CACHE_LINE) Frame final : public FrameLoad,
                                                          public PortItem,
                                                          public IntrusiveEvent
{
    uint32_t index{0};                           ///< of this frame in its pool
    int64_t start{0};                            ///< when its last transmission began, time steps
    std::array<LinkPort, MAX_PATH_PORTS> path{}; ///< ends at NO_PORT where it leads nowhere
    uint8_t hop{0};                              ///< index of the current port in path
    uint8_t hops{0};                             ///< number of ports in path
    uint8_t ttl{0};                              ///< time to live as the host sent it
    bool stale : 1 {false};      ///< this event was replaced by another; it has nothing to do
    bool scheduled : 1 {false};  ///< it is in the event list
    bool isPacket : 1 {false};   ///< it has a packet; else it is a segment or a datagram
    bool isDatagram : 1 {false}; ///< it has the payload of a UDP datagram, and its ports in segment
    bool holds : 1 {false};      ///< time is not jumped over while it is on its way
    uint32_t end{0}; ///< number of the connection's end that a segment is for; 0: unknown

    LeanSegmentHead segment;    ///< what it is where there is no packet
    HostId dst{0};              ///< receiving host
    uint32_t sack{0};           ///< place of the segment's SACK blocks in the pool, if it has any
    uint32_t epoch{0};          ///< state of the topology that path was made for
    uint16_t identification{0}; ///< of the IPv4 header, by which packets are sprayed
    uint16_t label{0};          ///< by which switches choose its path; 0: its flow's hash

    /// @return the sending host
    HostId GetSource() const
    {
        return path[0] / 2; // see Topology::GetUplink()
    }

    /// @return whether it arrives at its receiver next: a path that leads nowhere has NO_PORT last
    bool IsLastHop() const
    {
        return hop + 1 == hops;
    }

    /// Forbids jumps over time until the frame is returned.
    void HoldTime();

    /// Goes on in another frame's place, whose event then does nothing.
    void TakeOver(Frame& other);
};

static_assert(sizeof(FrameLoad) + sizeof(PortItem) == 72 &&
              sizeof(Frame) == 3 * ::coflow::Arena::CACHE_LINE);

/// Frames for reuse, the one that was returned last first. A frame can be taken again as soon as it
/// was returned, even from within its event.
class FramePool
{
  public:
    /// @param channel whose frames they are
    explicit FramePool(FabricChannel* channel);
    /// Frames that are still in the event list go when that lets go of them.
    ~FramePool();

    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;

    /// @return a frame, unmarked and not stale, of which all else is undefined
    Frame* Take();

    /// @param frame a frame of this pool that is no longer used
    void Return(Frame* frame);

    /// @param index Frame::index
    Frame* Get(uint32_t index);

    /// Keeps the SACK blocks of a segment while its frame is under way.
    void KeepSack(Frame& frame, const LeanSegment& segment);

    /// @param frame one with a segment
    /// @return the whole segment
    LeanSegment GetSegment(const Frame& frame) const;

  private:
    class Store;

    Store* m_store;                               ///< frees itself when no event needs it
    std::vector<Frame*> m_free;                   ///< returned ones
    std::vector<LeanSegment::SackBlocks> m_sacks; ///< from 1 on
    std::vector<uint32_t> m_freeSacks;
};

} // namespace ns3::coflow

#endif // COFLOW_FRAME_H
