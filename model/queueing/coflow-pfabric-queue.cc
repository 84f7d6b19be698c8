/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pfabric-queue.h"

#include "ns3/coflow-named-type.h"

#include <functional>
#include <iterator>
#include <utility>

namespace ns3::coflow
{

COFLOW_REGISTER(PfabricQueueDisc,
                "pFabric: the packet with the smallest key first, equal keys by arrival");

PfabricQueue::PfabricQueue(const FifoLimits& limits)
    : m_limits(limits)
{
    constexpr uint32_t FEW_BITS = 4;
    m_flowBits = FEW_BITS;
    m_flows.resize(std::size_t{1} << m_flowBits);
}

PfabricQueue::~PfabricQueue()
{
    // A slot must not be linked in a list when it is destroyed.
    m_keys.clear();
}

bool
PfabricQueue::IsBefore(const Slot& slot, const Slot& other)
{
    const uint64_t key = slot.ofKey->first;
    const uint64_t otherKey = other.ofKey->first;
    return key != otherKey ? key < otherKey : slot.number < other.number;
}

PfabricQueue::Slot*
PfabricQueue::GetNext(Slot& slot)
{
    auto& equal = slot.ofKey->second;
    const auto next = std::next(equal.iterator_to(slot));
    if (next != equal.end())
    {
        return &*next;
    }
    const auto worse = std::next(slot.ofKey);
    return worse == m_keys.end() ? nullptr : &worse->second.front();
}

PfabricQueue::Slot*
PfabricQueue::GetPrevious(Slot& slot)
{
    auto& equal = slot.ofKey->second;
    const auto place = equal.iterator_to(slot);
    if (place != equal.begin())
    {
        return &*std::prev(place);
    }
    return slot.ofKey == m_keys.begin() ? nullptr : &std::prev(slot.ofKey)->second.back();
}

PfabricQueue::Slot*
PfabricQueue::GetLast()
{
    return m_keys.empty() ? nullptr : &m_keys.rbegin()->second.back();
}

uint32_t
PfabricQueue::Spread(const FlowKey& key)
{
    constexpr uint64_t ODD = 0x9e3779b97f4a7c15; // spreads close values over all bits
    const uint64_t coflow = std::hash<::coflow::CoflowId>()(key.coflowId) * ODD;
    const uint64_t spread = (coflow ^ std::hash<::coflow::FlowId>()(key.flowId)) * ODD;
    return static_cast<uint32_t>(spread >> 32) | 1U;
}

std::size_t
PfabricQueue::GetPlace(uint32_t spread) const
{
    return spread >> (32 - m_flowBits);
}

PfabricQueue::Flow&
PfabricQueue::FindFlow(const FlowKey& key, uint32_t spread)
{
    std::size_t place = GetPlace(spread);
    while (m_flows[place].first && m_flows[place].key != key)
    {
        place = (place + 1) % m_flows.size();
    }
    return m_flows[place];
}

void
PfabricQueue::GrowFlows()
{
    ++m_flowBits;
    const auto before = std::exchange(m_flows, decltype(m_flows)(std::size_t{1} << m_flowBits));
    for (const Flow& flow : before)
    {
        if (flow.first)
        {
            FindFlow(flow.key, flow.first->spread) = flow;
        }
    }
}

void
PfabricQueue::AddToFlow(Slot& slot)
{
    if (2 * (m_nFlows + 1) > m_flows.size())
    {
        GrowFlows();
    }
    const FlowKey& key = slot.item->packetClass.flow;
    Flow& flow = FindFlow(key, slot.spread);
    slot.earlier = flow.first ? flow.last : nullptr;
    slot.later = nullptr;
    if (flow.first)
    {
        flow.last->later = &slot;
    }
    else
    {
        ++m_nFlows;
        flow.key = key;
        flow.first = &slot;
    }
    flow.last = &slot;
}

void
PfabricQueue::TakeFromFlow(Slot& slot)
{
    if (slot.earlier && slot.later)
    {
        slot.earlier->later = slot.later;
        slot.later->earlier = slot.earlier;
        return;
    }
    Flow& flow = FindFlow(slot.item->packetClass.flow, slot.spread);
    if (slot.earlier)
    {
        slot.earlier->later = nullptr;
        flow.last = slot.earlier;
        return;
    }
    flow.first = slot.later;
    if (slot.later)
    {
        slot.later->earlier = nullptr;
        return;
    }
    // The position is free now. Flows behind it move up if their probing began at or before it.
    --m_nFlows;
    const std::size_t mask = m_flows.size() - 1;
    std::size_t hole = &flow - m_flows.data();
    for (std::size_t place = (hole + 1) & mask; m_flows[place].first; place = (place + 1) & mask)
    {
        const std::size_t wanted = GetPlace(m_flows[place].first->spread);
        if (((place - wanted) & mask) >= ((place - hole) & mask))
        {
            m_flows[hole] = std::exchange(m_flows[place], Flow());
            hole = place;
        }
    }
}

void
PfabricQueue::Insert(Slot& slot, uint64_t key)
{
    slot.ofKey = m_keys.find(key);
    if (slot.ofKey == m_keys.end() && m_spareKeys.empty())
    {
        slot.ofKey = m_keys.try_emplace(key).first;
    }
    else if (slot.ofKey == m_keys.end())
    {
        m_spareKeys.back().key() = key;
        slot.ofKey = m_keys.insert(std::move(m_spareKeys.back())).position;
        m_spareKeys.pop_back();
    }
    slot.ofKey->second.push_back(slot);
    if (!m_first || key < m_first->ofKey->first)
    {
        m_first = &slot;
        m_hotAddress = m_first;
    }
    const FlowKey& flow = slot.item->packetClass.flow;
    slot.spread = flow.coflowId == PacketClass::NO_COFLOW ? 0 : Spread(flow);
    slot.earlier = nullptr;
    slot.later = nullptr;
    if (slot.spread != 0)
    {
        AddToFlow(slot);
    }
}

PortItem*
PfabricQueue::Enqueue(PortItem* item)
{
    item->next = nullptr;
    if (!m_limits.Admits(0, 0, item->bytes))
    {
        return item;
    }
    if (m_packets == 0)
    {
        if (m_limits.Marks(0, 0, item->bytes))
        {
            item->Mark();
        }
        m_only = item;
        m_packets = 1;
        m_bytes = item->bytes;
        return nullptr;
    }
    if (m_only)
    {
        Add(std::exchange(m_only, nullptr));
    }
    const uint64_t key = item->packetClass.priority.key;
    PortItem* dropped = nullptr;
    while (!m_limits.Admits(m_packets, m_bytes, item->bytes))
    {
        Slot& last = *GetLast();
        if (last.ofKey->first <= key)
        {
            item->next = dropped;
            return item;
        }
        PortItem* victim = Remove(last);
        victim->next = dropped;
        dropped = victim;
    }

    Slot& slot = Add(item);
    if (item->ecnCapable && m_limits.Marks(m_packets, m_bytes, item->bytes) &&
        IsBehindTooMany(slot))
    {
        item->Mark();
    }
    ++m_packets;
    m_bytes += item->bytes;
    return dropped;
}

PfabricQueue::Slot&
PfabricQueue::Add(PortItem* item)
{
    Slot& slot = m_slots.Take();
    slot.item = item;
    slot.bytes = item->bytes;
    slot.number = ++m_arrivals;
    Insert(slot, item->packetClass.priority.key);
    if (IsBelowThreshold(slot))
    {
        ++m_packetsBefore;
        m_bytesBefore += item->bytes;
        MoveBoundaryForward();
    }
    return slot;
}

bool
PfabricQueue::IsBelowThreshold(const Slot& slot) const
{
    return !m_boundary || IsBefore(slot, *m_boundary);
}

void
PfabricQueue::MoveBoundaryForward()
{
    while (Slot* last = m_boundary ? GetPrevious(*m_boundary) : GetLast())
    {
        if (!m_limits.Marks(m_packetsBefore - 1, m_bytesBefore - last->bytes, last->bytes))
        {
            return;
        }
        m_boundary = last;
        --m_packetsBefore;
        m_bytesBefore -= last->bytes;
    }
}

void
PfabricQueue::MoveBoundaryBack()
{
    while (m_boundary && !m_limits.Marks(m_packetsBefore, m_bytesBefore, m_boundary->bytes))
    {
        ++m_packetsBefore;
        m_bytesBefore += m_boundary->bytes;
        m_boundary = GetNext(*m_boundary);
    }
}

bool
PfabricQueue::IsBehindTooMany(Slot& slot)
{
    if (!IsBelowThreshold(slot))
    {
        return true;
    }
    uint32_t packets = 0;
    uint32_t bytes = 0;
    const auto isTooMany = [&](const Slot& before) {
        ++packets;
        bytes += before.bytes;
        return m_limits.Marks(packets, bytes, slot.bytes);
    };
    // Earlier packets of the same flow leave before this packet, even with worse keys.
    for (const Slot* before = slot.earlier; before; before = before->earlier)
    {
        if (before->ofKey->first > slot.ofKey->first && isTooMany(*before))
        {
            return true;
        }
    }
    if (packets == 0)
    {
        return false;
    }
    for (Slot* before = &m_keys.begin()->second.front(); before != &slot; before = GetNext(*before))
    {
        if (isTooMany(*before))
        {
            return true;
        }
    }
    return false;
}

PortItem*
PfabricQueue::Dequeue()
{
    if (m_only)
    {
        m_packets = 0;
        m_bytes = 0;
        return std::exchange(m_only, nullptr);
    }
    if (!m_first)
    {
        return nullptr;
    }
    return Remove(m_first->earlier
                      ? *FindFlow(m_first->item->packetClass.flow, m_first->spread).first
                      : *m_first);
}

PortItem*
PfabricQueue::Remove(Slot& slot)
{
    if (&slot == m_first)
    {
        m_first = GetNext(slot);
        m_hotAddress = m_first;
    }
    if (&slot == m_boundary)
    {
        m_boundary = GetNext(slot);
    }
    else if (IsBelowThreshold(slot))
    {
        --m_packetsBefore;
        m_bytesBefore -= slot.bytes;
    }
    auto& equal = slot.ofKey->second;
    equal.erase(equal.iterator_to(slot));
    if (equal.empty())
    {
        m_spareKeys.push_back(m_keys.extract(slot.ofKey));
    }
    if (slot.spread != 0)
    {
        TakeFromFlow(slot);
    }
    MoveBoundaryBack();
    --m_packets;
    m_bytes -= slot.bytes;
    PortItem* item = slot.item;
    m_slots.Return(slot);
    return item;
}

TypeId
PfabricQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::PfabricQueueDisc")
            .SetParent<DisciplineQueueDisc>()
            .SetGroupName("Coflow")
            .AddConstructor<PfabricQueueDisc>()
            .AddAttribute("MaxSize",
                          "Largest queue, in packets or bytes; the default is twice the "
                          "bandwidth-delay product of the paper, with 10 Gbps and 12 us",
                          QueueSizeValue(QueueSize("36000B")),
                          MakeQueueSizeAccessor(&PfabricQueueDisc::m_maxSize),
                          MakeQueueSizeChecker())
            .AddAttribute("MarkingThreshold",
                          "An arriving ECN-capable packet is marked if, with it, more packets or "
                          "bytes than this leave no later than it; 0B: no marks",
                          QueueSizeValue(QueueSize("0B")),
                          MakeQueueSizeAccessor(&PfabricQueueDisc::m_markingThreshold),
                          MakeQueueSizeChecker());
    return tid;
}

std::unique_ptr<PortDiscipline>
PfabricQueueDisc::CreateDiscipline() const
{
    return std::make_unique<PfabricQueue>(FifoLimits(m_maxSize, m_markingThreshold));
}

} // namespace ns3::coflow
