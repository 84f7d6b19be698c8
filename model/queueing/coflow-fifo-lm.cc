/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fifo-lm.h"

#include "ns3/coflow-named-type.h"
#include "ns3/enum.h"

#include <algorithm>

namespace ns3::coflow
{

COFLOW_REGISTER(FifoLmQueueDisc, "Baraat: tasks in order of arrival with limited multiplexing");

namespace
{

/// Number of waiting packets of a flow up to which its packets are not marked, with FAIR_QUEUEING.
/// With fewer packets, a flow through two busy ports would sometimes have no packet at either port,
/// and get less than its share.
constexpr uint32_t UNMARKED = 4;

} // namespace

FifoLm::Sum
FifoLm::Sum::operator+(const Sum& next) const
{
    if (!first || !next.first)
    {
        return first ? *this : next;
    }
    return {packets + next.packets,
            bytes + next.bytes,
            flows + next.flows,
            run + next.run,
            next.last,
            *next.first < *first ? next.first : first};
}

FifoLm::FifoLm(const FifoLimits& limits, uint64_t heavyBytes, Sharing sharing)
    : m_limits(limits),
      m_heavyBytes(heavyBytes),
      m_sharing(sharing)
{
}

FifoLm::~FifoLm()
{
    // An object must not be linked in a list or set when it is destroyed.
    for (auto& [number, task] : m_tasks)
    {
        task.waiting.clear();
        task.flows.clear();
    }
    for (auto& [key, flow] : m_flows)
    {
        flow.waiting.clear();
    }
    m_idle.clear();
}

PortItem*
FifoLm::Enqueue(PortItem* item)
{
    item->next = nullptr;
    if (!m_limits.Admits(0, 0, item->bytes))
    {
        return item;
    }
    const uint64_t number = item->packetClass.priority.key;
    PortItem* dropped = nullptr;
    Sum all = m_waiting.GetSum();
    while (!m_limits.Admits(all.packets, all.bytes, item->bytes))
    {
        if (all.last <= number || GetClass().last == all.last)
        {
            item->next = dropped;
            return item;
        }
        Slot& newest = m_tasks.find(all.last)->second.waiting.back();
        PortItem* victim = Remove(newest, newest.flow->turn);
        victim->next = dropped;
        dropped = victim;
        all = m_waiting.GetSum();
    }

    const Flow& flow = Add(item);
    if (item->ecnCapable && m_limits.Marks(all.packets, all.bytes, item->bytes) &&
        IsBehindTooMany(flow))
    {
        item->Mark();
    }
    return dropped;
}

PortItem*
FifoLm::Dequeue()
{
    Flow* flow = GetClass().first;
    if (!flow)
    {
        return nullptr;
    }
    Slot& slot = flow->waiting.front();
    const uint32_t bytes = slot.item->bytes;
    Task& task = *flow->task;
    task.sent += bytes;
    task.heavy =
        task.number != 0 && ::coflow::BaraatRule::IsHeavy(static_cast<double>(task.sent),
                                                          static_cast<double>(m_heavyBytes));
    // A flow has an old turn if its task was not in the class for a while. With ARRIVAL, all turns
    // are 0, so the order of arrival decides.
    m_turn = std::max(m_turn, flow->turn);
    PortItem* item = Remove(slot, m_sharing == ARRIVAL ? 0 : m_turn + bytes);
    ForgetIdle();
    return item;
}

FifoLm::Sum
FifoLm::GetClass() const
{
    return m_waiting.GetPrefix([](const Sum& sum) { return sum.run.IsComplete(); });
}

bool
FifoLm::IsBehindTooMany(const Flow& flow) const
{
    const uint64_t number = flow.task->number;
    Sum sum = GetClass();
    if (number > sum.last)
    {
        sum = m_waiting.GetPrefix([number](const Sum& s) { return s.last >= number; });
    }
    // The sum includes the arriving packet.
    const uint32_t size = flow.waiting.back().item->bytes;
    if (!m_limits.Marks(sum.packets - 1, sum.bytes - size, size))
    {
        return false;
    }
    const auto ofAll = [flows = uint64_t{sum.flows}](uint32_t ofFlow) {
        return static_cast<uint32_t>(std::min<uint64_t>(flows * ofFlow, UINT32_MAX));
    };
    return m_sharing == ARRIVAL ||
           (flow.packets > UNMARKED &&
            m_limits.Marks(ofAll(flow.packets) - 1, ofAll(flow.bytes) - size, size));
}

FifoLm::Flow&
FifoLm::Add(PortItem* item)
{
    const uint64_t number = item->packetClass.priority.key;
    Task& task = m_tasks[number];
    task.number = number;
    const uint32_t before = task.sum.packets;
    // With ARRIVAL, all packets of a task are one flow.
    const FlowKey key = m_sharing == ARRIVAL ? FlowKey() : item->packetClass.flow;
    Flow& flow = m_flows[{number, key}];
    flow.task = &task;
    flow.key = key;

    Slot& slot = m_slots.Take();
    slot.item = item;
    slot.flow = &flow;
    slot.number = ++m_arrivals;
    task.waiting.push_back(slot);
    flow.waiting.push_back(slot);
    if (flow.packets == 0)
    {
        if (flow.IdleHook::is_linked())
        {
            m_idle.erase(m_idle.iterator_to(flow));
        }
        flow.turn = std::max(flow.turn, m_turn);
        task.flows.insert(flow);
        ++task.sum.flows;
    }
    ++flow.packets;
    flow.bytes += item->bytes;
    ++task.sum.packets;
    task.sum.bytes += item->bytes;
    Update(task, before);
    return flow;
}

PortItem*
FifoLm::Remove(Slot& slot, uint64_t turn)
{
    PortItem* item = slot.item;
    Flow& flow = *slot.flow;
    Task& task = *flow.task;
    const uint32_t before = task.sum.packets;
    // The order of the set depends on the first packet of each flow, so the flow leaves the set.
    task.flows.erase(task.flows.iterator_to(flow));
    task.waiting.erase(task.waiting.iterator_to(slot));
    flow.waiting.erase(flow.waiting.iterator_to(slot));
    m_slots.Return(slot);
    flow.turn = turn;
    --flow.packets;
    flow.bytes -= item->bytes;
    --task.sum.packets;
    task.sum.bytes -= item->bytes;
    if (flow.packets > 0)
    {
        task.flows.insert(flow);
    }
    else
    {
        --task.sum.flows;
        m_idle.push_back(flow);
    }
    Update(task, before);
    return item;
}

void
FifoLm::Update(Task& task, uint32_t before)
{
    task.sum.run = ::coflow::BaraatRule::TaskRun::Of(task.heavy);
    task.sum.last = task.number;
    task.sum.first = task.flows.empty() ? nullptr : &*task.flows.begin();
    if (task.sum.packets == 0)
    {
        m_waiting.Erase(task);
    }
    else if (before == 0)
    {
        m_waiting.Insert(task);
    }
    else
    {
        m_waiting.Update(task);
    }
}

void
FifoLm::ForgetIdle()
{
    while (!m_idle.empty() && m_idle.front().turn <= m_turn)
    {
        const Flow& flow = m_idle.front();
        const std::pair key(flow.task->number, flow.key);
        m_idle.pop_front();
        m_flows.erase(key);
    }
}

TypeId
FifoLmQueueDisc::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::FifoLmQueueDisc")
            .SetParent<TaskQueueDisc>()
            .SetGroupName("Coflow")
            .AddConstructor<FifoLmQueueDisc>()
            .AddAttribute("ClassSharing",
                          SHARING_HELP,
                          EnumValue(FifoLm::DEFAULT_SHARING),
                          MakeEnumAccessor<FifoLm::Sharing>(&FifoLmQueueDisc::m_sharing),
                          MakeSharingChecker());
    return tid;
}

Ptr<const AttributeChecker>
FifoLmQueueDisc::MakeSharingChecker()
{
    return MakeEnumChecker(FifoLm::FAIR_QUEUEING, "fair-queueing", FifoLm::ARRIVAL, "arrival");
}

std::unique_ptr<PortDiscipline>
FifoLmQueueDisc::CreateDiscipline() const
{
    return std::make_unique<FifoLm>(GetLimits(), GetHeavyBytes(), m_sharing);
}

} // namespace ns3::coflow
