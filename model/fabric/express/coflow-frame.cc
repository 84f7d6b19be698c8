/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-frame.h"

#include "ns3/coflow-fabric-channel.h"

#include <utility>

namespace ns3::coflow
{

void
Frame::Notify()
{
    if (channel)
    {
        channel->Arrive(this);
    }
}

void
Frame::TakeOver(Frame& other)
{
    static_cast<PortItem&>(*this) = other;
    packet = std::move(other.packet);
    hash = other.hash;
    start = other.start;
    path = other.path;
    dst = other.dst;
    epoch = other.epoch;
    hop = other.hop;
    hops = other.hops;
    ttl = other.ttl;
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
        frame->Unref();
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
    frame->next = m_free;
    m_free = frame;
}

} // namespace ns3::coflow
