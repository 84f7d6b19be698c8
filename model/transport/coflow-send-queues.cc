/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-send-queues.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::coflow
{

/// A flow and its state.
class SendQueues::Flow
{
  public:
    FlowKey key;           ///< its name
    Sender* sender;        ///< sends it
    Group* group{nullptr}; ///< its coflow
    bool open{true};       ///< its scheduler lets it send
    bool ready{false};     ///< its transport has something to send
    bool inLine{false};    ///< in Group::line, perhaps though it was closed meanwhile

    /// @return whether the flow can send
    bool CanSend() const
    {
        return open && ready;
    }
};

SendQueues::SendQueues()
{
    SetWeights({1}, 0, 1);
}

SendQueues::~SendQueues() = default;

void
SendQueues::SetWeights(const std::vector<double>& weights,
                       std::size_t strict,
                       uint32_t segmentBytes)
{
    NS_ABORT_MSG_IF(weights.empty() || !m_groups.empty(), "Queues are made before coflows come");
    m_strict = std::min(strict, weights.size());
    m_turn = m_strict;
    m_queues.clear();
    for (const double weight : weights)
    {
        m_queues.push_back({weight * segmentBytes, 0, {}});
    }
}

SendQueues::Group&
SendQueues::GetGroup(::coflow::CoflowId coflow)
{
    auto& group = m_groups[coflow];
    if (!group)
    {
        group = std::make_unique<Group>();
        group->coflow = coflow;
    }
    return *group;
}

void
SendQueues::Enter(Group& group)
{
    if (group.sending > 0)
    {
        m_queues[group.place.queue].line.insert(group);
        ++m_waiting;
    }
}

void
SendQueues::Leave(Group& group)
{
    if (group.sending > 0)
    {
        auto& line = m_queues[group.place.queue].line;
        line.erase(line.iterator_to(group));
        --m_waiting;
    }
}

void
SendQueues::Count(Group& group, int change)
{
    const bool edge = group.sending == (change > 0 ? 0U : 1U);
    if (edge && change < 0)
    {
        Leave(group);
    }
    group.sending += change;
    if (edge && change > 0)
    {
        Enter(group);
    }
}

void
SendQueues::Place(::coflow::CoflowId coflow, const SendPlace& place)
{
    NS_ABORT_MSG_IF(place.queue >= m_queues.size(), "No queue " << place.queue);
    auto& group = GetGroup(coflow);
    group.placed = true;
    if (group.place != place)
    {
        Leave(group);
        group.place = place;
        Enter(group);
    }
}

SendPlace
SendQueues::GetPlace(::coflow::CoflowId coflow) const
{
    const auto found = m_groups.find(coflow);
    return found == m_groups.end() ? SendPlace() : found->second->place;
}

void
SendQueues::Forget(::coflow::CoflowId coflow)
{
    const auto found = m_groups.find(coflow);
    if (found != m_groups.end())
    {
        found->second->placed = false;
        if (found->second->flows.empty())
        {
            m_groups.erase(found);
        }
    }
}

SendQueues::Flow*
SendQueues::Add(const FlowKey& key, Sender& sender)
{
    auto& group = GetGroup(key.coflowId);
    auto& flow = group.flows[key];
    NS_ABORT_MSG_IF(flow, "Flow " << key.flowId << " of coflow " << key.coflowId << " is there");
    flow = std::make_unique<Flow>();
    flow->key = key;
    flow->sender = &sender;
    flow->group = &group;
    return flow.get();
}

void
SendQueues::Remove(Flow* flow)
{
    auto& group = *flow->group;
    if (flow->CanSend())
    {
        Count(group, -1);
    }
    std::erase(group.line, flow);
    group.flows.erase(FlowKey(flow->key));
    if (group.flows.empty() && !group.placed)
    {
        m_groups.erase(::coflow::CoflowId(group.coflow));
    }
}

void
SendQueues::SetOpen(Flow* flow, bool open)
{
    const bool could = flow->CanSend();
    flow->open = open;
    if (could != flow->CanSend())
    {
        Count(*flow->group, open ? 1 : -1);
    }
    if (flow->CanSend() && !flow->inLine)
    {
        flow->inLine = true;
        flow->group->line.push_back(flow);
    }
}

void
SendQueues::SetReady(Flow* flow)
{
    if (flow->ready)
    {
        return;
    }
    flow->ready = true;
    if (flow->open)
    {
        Count(*flow->group, 1);
        if (!flow->inLine)
        {
            flow->inLine = true;
            flow->group->line.push_back(flow);
        }
    }
}

SendQueues::Queue*
SendQueues::GetTurn()
{
    if (m_waiting == 0)
    {
        return nullptr;
    }
    const auto weighted = m_queues.begin() + static_cast<std::ptrdiff_t>(m_strict);
    const auto first = std::find_if(m_queues.begin(), weighted, [](const Queue& queue) {
        return !queue.line.empty();
    });
    if (first != weighted)
    {
        return &*first;
    }
    while (true)
    {
        auto& queue = m_queues[m_turn];
        if (queue.line.empty())
        {
            // An empty queue loses the bytes that it has not used, and keeps its debt.
            queue.deficit = std::min(queue.deficit, 0.0);
        }
        else
        {
            queue.deficit += m_begun ? 0 : queue.quantum;
            m_begun = true;
            if (queue.deficit > 0)
            {
                return &queue;
            }
        }
        m_turn = m_turn + 1 < m_queues.size() ? m_turn + 1 : m_strict;
        m_begun = false;
    }
}

SendQueues::Flow*
SendQueues::Next()
{
    auto* queue = GetTurn();
    if (!queue)
    {
        return nullptr;
    }
    auto& group = *queue->line.begin();
    while (true)
    {
        auto* flow = group.line.front();
        group.line.pop_front();
        flow->inLine = false;
        if (flow->CanSend())
        {
            flow->ready = false;
            Count(group, -1);
            return flow;
        }
    }
}

void
SendQueues::Charge(const Flow* flow, uint32_t bytes)
{
    m_queues[flow->group->place.queue].deficit -= bytes;
}

const FlowKey&
SendQueues::GetKey(const Flow* flow)
{
    return flow->key;
}

SendQueues::Sender&
SendQueues::GetSender(const Flow* flow)
{
    return *flow->sender;
}

} // namespace ns3::coflow
