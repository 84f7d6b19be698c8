/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-attained-ledger.h"

#include <algorithm>

namespace coflow
{

AttainedLedger::AttainedLedger(bool dagLevelSize, std::uint64_t firstExternal)
    : m_dagLevelSize(dagLevelSize),
      m_lastExternal(firstExternal)
{
}

AttainedLedger::Entry&
AttainedLedger::Know(CoflowId id, CoflowOrder order, Nanoseconds now)
{
    const auto [position, isNew] = m_entries.try_emplace(id);
    Entry& entry = position->second;
    if (isNew)
    {
        entry.order = order;
        entry.index = m_nextIndex++;
        entry.known = now;
    }
    else if (!entry.order.IsNumbered() && order.IsNumbered())
    {
        const bool active = m_active.erase({entry.order, id}) > 0;
        entry.order = order;
        if (active)
        {
            m_active.insert({order, id});
        }
        m_dags[order.External()].sent += entry.sent;
        ++m_revision;
    }
    if (order.IsNumbered())
    {
        Dag& dag = m_dags[order.External()];
        dag.internal = std::max(dag.internal, order.Internal());
    }
    return entry;
}

CoflowOrder
AttainedLedger::Register(CoflowId id,
                         std::span<const CoflowId> parents,
                         CoflowOrder known,
                         Nanoseconds now)
{
    CoflowOrder order = known;
    const CoflowOrder given = OrderOf(id);
    if (given.IsNumbered())
    {
        order = given;
    }
    else if (known.IsNumbered())
    {
        m_lastExternal = std::max(m_lastExternal, known.External());
    }
    else
    {
        std::uint64_t external = 0;
        for (const CoflowId parent : parents)
        {
            const CoflowOrder of = OrderOf(parent);
            external = of.IsNumbered() ? std::max(external, of.External()) : external;
        }
        order = external == 0 ? CoflowOrder(++m_lastExternal, 0)
                              : CoflowOrder(external,
                                            std::min(m_dags.at(external).internal + 1,
                                                     CoflowOrder::MOST_INTERNAL));
    }
    Know(id, order, now);
    return order;
}

void
AttainedLedger::Report(HostId host,
                       CoflowId id,
                       std::uint64_t sent,
                       std::vector<HostId> receivers,
                       Nanoseconds now)
{
    Entry& entry = Know(id, CoflowOrder::Provisional(now), now);
    if (entry.closed)
    {
        return;
    }
    Part& part = entry.parts[host];
    if (sent > part.sent)
    {
        entry.sent += sent - part.sent;
        if (entry.order.IsNumbered())
        {
            m_dags.at(entry.order.External()).sent += sent - part.sent;
        }
        part.sent = sent;
    }
    if (receivers != part.receivers)
    {
        entry.flows += receivers.size() - part.receivers.size();
        part.receivers = std::move(receivers);
        Touch(entry);
        if (entry.flows > 0)
        {
            m_active.insert({entry.order, id});
        }
        else
        {
            m_active.erase({entry.order, id});
        }
    }
}

void
AttainedLedger::Touch(Entry& entry)
{
    ++entry.revision;
    ++m_revision;
}

void
AttainedLedger::Close(CoflowId id)
{
    const auto found = m_entries.find(id);
    if (found != m_entries.end() && !found->second.closed)
    {
        Entry& entry = found->second;
        entry.closed = true;
        entry.parts.clear();
        entry.flows = 0;
        m_active.erase({entry.order, id});
        Touch(entry);
    }
}

void
AttainedLedger::DropHost(HostId host)
{
    for (auto& [id, entry] : m_entries)
    {
        const auto part = entry.parts.find(host);
        if (part != entry.parts.end() && !part->second.receivers.empty())
        {
            entry.flows -= part->second.receivers.size();
            part->second.receivers.clear();
            Touch(entry);
            if (entry.flows == 0)
            {
                m_active.erase({entry.order, id});
            }
        }
    }
}

std::uint64_t
AttainedLedger::SentOf(const Entry& entry) const
{
    return m_dagLevelSize && entry.order.IsNumbered() ? m_dags.at(entry.order.External()).sent
                                                      : entry.sent;
}

std::uint64_t
AttainedLedger::SentOf(CoflowId id) const
{
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? 0 : SentOf(found->second);
}

std::uint64_t
AttainedLedger::SentBy(HostId host, CoflowId id) const
{
    const auto found = m_entries.find(id);
    if (found == m_entries.end())
    {
        return 0;
    }
    const auto part = found->second.parts.find(host);
    return part == found->second.parts.end() ? 0 : part->second.sent;
}

CoflowOrder
AttainedLedger::OrderOf(CoflowId id) const
{
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? CoflowOrder() : found->second.order;
}

void
AttainedLedger::Build()
{
    m_rows.clear();
    m_src.clear();
    m_dst.clear();
    m_flow.clear();
    Nanoseconds ready = 0;
    for (const auto& [order, id] : m_active)
    {
        const Entry& entry = m_entries.at(id);
        CoflowRow row;
        row.id = id;
        row.index = entry.index;
        // Rows of a view are ordered by ready time. With DAGs, the rows have the order of
        // positions, so the ready time of a row is at least that of the row before.
        ready = std::max(ready, entry.known);
        row.ready = ready;
        row.revision = entry.revision;
        row.begin = static_cast<std::uint32_t>(m_src.size());
        for (const auto& [host, part] : entry.parts)
        {
            for (const HostId receiver : part.receivers)
            {
                m_src.push_back(host);
                m_dst.push_back(receiver);
                m_flow.push_back(static_cast<FlowId>(m_flow.size() - row.begin));
            }
        }
        row.end = static_cast<std::uint32_t>(m_src.size());
        row.width = row.Count();
        m_rows.push_back(row);
    }
    m_built = m_revision;
}

AttainedView
AttainedLedger::View(Nanoseconds now)
{
    if (m_built != m_revision)
    {
        Build();
    }
    for (CoflowRow& row : m_rows)
    {
        row.sent = static_cast<double>(SentOf(m_entries.at(row.id)));
    }
    AttainedView view;
    view.now = now;
    view.coflows = m_rows;
    view.src = m_src;
    view.dst = m_dst;
    view.flow = m_flow;
    return view;
}

} // namespace coflow
