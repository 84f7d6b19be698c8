/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-frame.h"

#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-wheel-simulator.h"

#include <utility>

namespace ns3::coflow
{

const LightEventKind Frame::KIND{&Frame::Run, &Frame::Drop, &Frame::Prefetch};

Frame::Frame()
{
    kind = &KIND;
}

void
Frame::Run(LightEvent& event, uint64_t /* order */)
{
    auto& frame = static_cast<Frame&>(event);
    if (!frame.channel)
    {
        Drop(event);
        return;
    }
    frame.scheduled = false;
    frame.channel->Arrive(&frame);
}

void
Frame::Drop(LightEvent& event)
{
    auto& frame = static_cast<Frame&>(event);
    frame.scheduled = false;
    if (!frame.channel)
    {
        delete &frame; // its pool is gone
    }
}

void
Frame::Prefetch(const LightEvent& event)
{
    const auto& frame = static_cast<const Frame&>(event);
    if (frame.channel)
    {
        frame.channel->Prefetch(frame);
    }
}

void
Frame::HoldTime()
{
    if (auto* simulator = WheelSimulatorImpl::Get())
    {
        simulator->Hold();
        holds = true;
    }
}

void
Frame::TakeOver(Frame& other)
{
    static_cast<PortItem&>(*this) = other;
    packet = std::move(other.packet);
    segment = other.segment;
    src = other.src;
    uid = other.uid;
    hash = other.hash;
    start = other.start;
    path = other.path;
    dst = other.dst;
    epoch = other.epoch;
    hop = other.hop;
    hops = other.hops;
    ttl = other.ttl;
    holds = std::exchange(other.holds, false);
    other.stale = true;
}

FramePool::FramePool(FabricChannel* channel)
    : m_channel(channel)
{
}

FramePool::~FramePool()
{
    for (Frame* frame : m_all)
    {
        frame->channel = nullptr;
        frame->packet = nullptr;
        if (!frame->scheduled)
        {
            delete frame;
        }
    }
}

Frame*
FramePool::Take()
{
    if (!m_free)
    {
        m_all.push_back(new Frame);
        m_all.back()->channel = m_channel;
        return m_all.back();
    }
    const auto frame = static_cast<Frame*>(m_free);
    m_free = frame->next;
    return frame;
}

void
FramePool::Return(Frame* frame)
{
    frame->packet = nullptr;
    frame->marked = false;
    frame->stale = false;
    if (frame->holds)
    {
        frame->holds = false;
        if (auto* simulator = WheelSimulatorImpl::Get())
        {
            simulator->Release();
        }
    }
    frame->next = m_free;
    m_free = frame;
}

} // namespace ns3::coflow
