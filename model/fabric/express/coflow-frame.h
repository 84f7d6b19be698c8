/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FRAME_H
#define COFLOW_FRAME_H

#include "ns3/coflow-lean-segment.h"
#include "ns3/coflow-light-event.h"
#include "ns3/coflow-port-discipline.h"
#include "ns3/coflow-topology.h"
#include "ns3/packet.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3::coflow
{

class FabricChannel;

/// A packet on its way through an express fabric, and the event of its next arrival in one: it
/// is scheduled anew at every hop, so that a hop allocates nothing.
///
/// What switches need to know stands here, read off the IPv4 header when the packet left its
/// host. ECN marks are written back into the header at delivery.
struct Frame final : public LightEvent, public PortItem
{
    FabricChannel* channel{nullptr};             ///< whose frame this is; null once it is gone
    Ptr<Packet> packet;                          ///< the packet, IPv4 header first; or none
    LeanSegment segment;                         ///< what it is where there is no packet
    uint64_t hash{0};                            ///< what its path is chosen by
    int64_t start{0};                            ///< when its last transmission began, time steps
    std::array<LinkPort, MAX_PATH_PORTS> path{}; ///< ends at NO_PORT where it leads nowhere
    HostId dst{0};                               ///< receiving host
    uint32_t epoch{0};                           ///< state of the topology that path was made for
    uint8_t hop{0};                              ///< index of the current port in path
    uint8_t hops{0};                             ///< number of ports in path
    uint8_t ttl{0};                              ///< time to live as the host sent it
    HostId src{0};                               ///< sending host
    uint64_t uid{0};                             ///< without a packet: names it
    bool stale{false};     ///< this event was replaced by another; it has nothing to do
    bool scheduled{false}; ///< it is in the event list
    bool holds{false};     ///< time is not jumped over while it is on its way

    Frame();

    /// Has time not be jumped over until the frame is returned.
    void HoldTime();

    /// Goes on in another frame's place, whose event then does nothing.
    void TakeOver(Frame& other);

  private:
    static void Run(LightEvent& event, uint64_t order);
    static void Drop(LightEvent& event);
    static void Prefetch(const LightEvent& event);

    static const LightEventKind KIND;
};

/// Frames for reuse. A frame can be taken again as soon as it was returned, even from within its
/// event.
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

    /// @param frame a frame of this pool that nobody will use any more
    void Return(Frame* frame);

  private:
    FabricChannel* m_channel;
    std::vector<Frame*> m_all;
    PortItem* m_free{nullptr}; ///< returned frames, linked by next
};

} // namespace ns3::coflow

#endif // COFLOW_FRAME_H
