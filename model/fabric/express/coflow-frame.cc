/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-frame.h"

#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-wheel-simulator.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ns3::coflow
{

/// The memory of a pool's frames, and the kind of their events. So an event leads to its pool.
class FramePool::Store final : public IntrusiveEventKind
{
  public:
    explicit Store(FabricChannel* channel)
        : IntrusiveEventKind{&Store::Run,
                             &Store::Drop,
                             {&Store::Prefetch<0>,
                              &Store::Prefetch<1>,
                              &Store::Prefetch<2>,
                              nullptr}},
          m_channel(channel)
    {
    }

    /// @return a new frame
    Frame* Add()
    {
        // Slabs of 64, 64, 128, 256, ... frames.
        if (m_size == m_capacity)
        {
            const uint32_t added = std::max(FIRST, m_capacity);
            m_slabs.push_back(ArenaFrames().allocate(added));
            m_capacity += added;
        }
        auto* frame = new (Get(m_size)) Frame;
        frame->index = m_size++;
        frame->kind = this;
        return frame;
    }

    Frame* Get(uint32_t index) const
    {
        const uint32_t slab = std::bit_width(index / FIRST);
        return m_slabs[slab] + (slab == 0 ? index : index - GetSlabSize(slab));
    }

    /// The channel is destroyed. This object destroys itself when no event is in the event list.
    void Release()
    {
        m_channel = nullptr;
        for (uint32_t i = 0; i < m_size; ++i)
        {
            Frame* frame = Get(i);
            m_scheduled += frame->scheduled;
            frame->packet = nullptr;
        }
        if (m_scheduled == 0)
        {
            delete this;
        }
    }

  private:
    using ArenaFrames = ::coflow::ArenaAllocator<Frame>;

    static constexpr uint32_t FIRST = 64;

    ~Store()
    {
        for (uint32_t i = 0; i < m_size; ++i)
        {
            Get(i)->~Frame();
        }
        for (uint32_t slab = 0; slab < m_slabs.size(); ++slab)
        {
            ArenaFrames().deallocate(m_slabs[slab], GetSlabSize(slab));
        }
    }

    /// @return number of frames in a slab, which for all slabs but the first is also the number of
    ///         frames before the slab
    static uint32_t GetSlabSize(uint32_t slab)
    {
        return slab == 0 ? FIRST : FIRST << (slab - 1);
    }

    static const Store& GetStore(const IntrusiveEvent& event)
    {
        return *static_cast<const Store*>(event.kind);
    }

    static void Run(IntrusiveEvent& event, uint64_t /* order */)
    {
        auto& frame = static_cast<Frame&>(event);
        FabricChannel* channel = GetStore(event).m_channel;
        if (!channel)
        {
            Drop(event);
            return;
        }
        frame.scheduled = false;
        channel->Arrive(&frame);
    }

    static void Drop(IntrusiveEvent& event)
    {
        static_cast<Frame&>(event).scheduled = false;
        const Store& store = GetStore(event);
        if (!store.m_channel && --store.m_scheduled == 0)
        {
            delete &store;
        }
    }

    template <std::size_t STAGE>
    static void Prefetch(const IntrusiveEvent& event)
    {
        if (const auto* channel = GetStore(event).m_channel)
        {
            channel->Prefetch(static_cast<const Frame&>(event), STAGE);
        }
    }

    FabricChannel* m_channel; ///< null after the destruction of the channel
    std::vector<Frame*> m_slabs;
    uint32_t m_size{0};                 ///< number of all frames
    uint32_t m_capacity{0};             ///< number of frames in all slabs, used or not
    mutable std::size_t m_scheduled{0}; ///< without the channel: frames in the event list
};

void
Frame::InhibitJumps()
{
    if (auto* simulator = WheelSimulatorImpl::Get())
    {
        simulator->AddInhibitor();
        inhibitsJumps = true;
    }
}

void
Frame::TakeOver(Frame& other)
{
    static_cast<PortItem&>(*this) = other;
    epoch = other.epoch;
    start = other.start;
    path = other.path;
    hop = other.hop;
    hops = other.hops;
    ttl = other.ttl;
    inhibitsJumps = other.inhibitsJumps;
    other.inhibitsJumps = false;
    isPacket = other.isPacket;
    other.isPacket = false;
    isDatagram = other.isDatagram;
    other.isDatagram = false;
    end = other.end;
    packet = std::move(other.packet);
    uid = other.uid;
    segment = other.segment;
    dst = other.dst;
    sack = std::exchange(other.sack, 0);
    label = other.label;
    identification = other.identification;
    other.stale = true;
}

FramePool::FramePool(FabricChannel* channel)
    : m_store(new Store(channel)),
      m_sacks(1)
{
}

FramePool::~FramePool()
{
    m_store->Release();
}

Frame*
FramePool::Take()
{
    if (m_free.empty())
    {
        return m_store->Add();
    }
    Frame* frame = m_free.back();
    m_free.pop_back();
    return frame;
}

void
FramePool::Return(Frame* frame)
{
    if (frame->isPacket || frame->isDatagram)
    {
        frame->packet = nullptr;
        frame->isPacket = false;
        frame->isDatagram = false;
    }
    else if (frame->sack != 0)
    {
        m_freeSacks.push_back(std::exchange(frame->sack, 0));
    }
    frame->marked = false;
    frame->stale = false;
    if (frame->inhibitsJumps)
    {
        frame->inhibitsJumps = false;
        if (auto* simulator = WheelSimulatorImpl::Get())
        {
            simulator->RemoveInhibitor();
        }
    }
    m_free.push_back(frame);
}

Frame*
FramePool::Get(uint32_t index)
{
    return m_store->Get(index);
}

void
FramePool::KeepSack(Frame& frame, const LeanSegment& segment)
{
    if (m_freeSacks.empty())
    {
        frame.sack = static_cast<uint32_t>(m_sacks.size());
        m_sacks.push_back(segment.sack);
        return;
    }
    frame.sack = m_freeSacks.back();
    m_freeSacks.pop_back();
    m_sacks[frame.sack] = segment.sack;
}

LeanSegment
FramePool::GetSegment(const Frame& frame) const
{
    LeanSegment segment;
    static_cast<LeanSegmentHead&>(segment) = frame.segment;
    if (frame.sack != 0)
    {
        segment.sack = m_sacks[frame.sack];
    }
    return segment;
}

} // namespace ns3::coflow
