/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How a CoflowLedger keeps its table, and asks policies about it.

#include "ns3/coflow-ledger.h"

#include <algorithm>
#include <stdexcept>

namespace coflow
{

namespace
{

/// A flow that should be through by the rates it was given, and was not reported done, still has
/// something to move. Assuming a little for each such flow keeps its rate apart from nothing.
double
LeastRemaining(Bytes bytes)
{
    constexpr double ENOUGH = 10 * 1448; // a first window
    return std::min(static_cast<double>(bytes), ENOUGH);
}

} // namespace

void
CoflowLedger::Enter(CoflowId id, Entry& entry, std::span<const FlowId> flows)
{
    // Marks of flows that are to leave are by position in the table, and positions are about to
    // change.
    Sweep();
    std::vector<TableFlow> added;
    added.reserve(flows.size());
    for (const FlowId flow : flows)
    {
        auto& known = entry.flows.at(flow);
        known.inTable = true;
        ++entry.inTable;
        added.push_back(
            {flow, *known.src, *known.dst, known.bytes.value_or(0), RemainingOf(known)});
    }
    // A coflow that is in the table gets more flows in its row. Find() returns the number of rows
    // where there is none: then the coflow gets a row of its own.
    const auto row = m_table.Find(entry.ready, id);
    if (row < m_table.Rows().size())
    {
        m_table.Append(row, SizesOfEntry(entry), added);
        entry.revision = m_table.Rows()[row].revision;
        return;
    }
    CoflowRow fresh;
    fresh.id = id;
    fresh.index = entry.index;
    fresh.ready = entry.ready;
    fresh.width = entry.registration->flows;
    fresh.sent = entry.sent;
    fresh.longest = entry.longest;
    fresh.revision = ++entry.revision;
    m_table.Insert(fresh, SizesOfEntry(entry), added);
}

CoflowSizes
CoflowLedger::SizesOfEntry(const Entry& entry) const
{
    // A policy that must not know sizes gets none, also if a message had them.
    if (m_knowledge != Knowledge::CLAIRVOYANT)
    {
        return {};
    }
    Coflow coflow;
    for (const auto& [flow, known] : entry.flows)
    {
        if (known.Exists())
        {
            coflow.flows.push_back({flow, *known.src, *known.dst, known.bytes.value_or(0)});
        }
    }
    CoflowSizes sizes = SizesOf(coflow);
    sizes.deadline = entry.registration->deadline;
    sizes.weight = entry.registration->weight;
    return sizes;
}

std::uint32_t
CoflowLedger::PositionOf(std::size_t r, FlowId flow) const
{
    // The flows of a row stand in the order of their ids.
    const CoflowRow& row = m_table.Rows()[r];
    const auto flows = m_table.FlowIds();
    const auto found = std::lower_bound(flows.begin() + row.begin, flows.begin() + row.end, flow);
    return static_cast<std::uint32_t>(found - flows.begin());
}

void
CoflowLedger::Withdraw(CoflowId id, Entry& entry, FlowId flow, FlowEntry& known)
{
    // The flow is only marked; Sweep() removes it. m_rowsWithGone has the rows to look through.
    if (known.inTable)
    {
        m_gone.resize(m_table.Src().size());
        m_gone[PositionOf(m_table.Find(entry.ready, id), flow)] = 1;
        m_rowsWithGone.insert({entry.ready, id});
        known.inTable = false;
        --entry.inTable;
    }
}

void
CoflowLedger::Sweep()
{
    if (m_rowsWithGone.empty())
    {
        return;
    }
    for (const auto& [ready, id] : m_rowsWithGone)
    {
        m_table.RemoveFinished(m_table.Find(ready, id), m_gone);
    }
    m_rowsWithGone.clear();
    m_gone.clear();
    m_table.RemoveEmpty();
}

void
CoflowLedger::Renew(CoflowId id)
{
    const auto found = m_coflows.find(id);
    if (found == m_coflows.end() || !IsLive(found->second))
    {
        return;
    }
    const auto row = m_table.Find(found->second.ready, id);
    if (row < m_table.Rows().size())
    {
        m_table.Renew(row);
        found->second.revision = m_table.Rows()[row].revision;
    }
}

double
CoflowLedger::RemainingOf(const FlowEntry& known) const
{
    const Bytes bytes = known.bytes.value_or(0);
    const Bytes left = bytes - (m_estimate == Estimate::COMPLETION_ONLY ? 0 : known.moved);
    return std::max(static_cast<double>(left), LeastRemaining(bytes));
}

void
CoflowLedger::Integrate(Nanoseconds now)
{
    // Between two reports a coordinator can only assume that flows get the rates that it has given
    // them. That is booked here, up to `now`.
    const double seconds = static_cast<double>(now - m_integrated) * 1e-9;
    m_integrated = now;
    if (m_estimate != Estimate::INTEGRATED || m_knowledge != Knowledge::CLAIRVOYANT)
    {
        return;
    }
    const auto remaining = m_table.Remaining();
    const auto rates = m_table.Rates();
    for (const CoflowRow& row : m_table.Rows())
    {
        for (std::uint32_t f = row.begin; f < row.end; ++f)
        {
            if (rates[f] > 0)
            {
                remaining[f] = std::max(remaining[f] - rates[f] * seconds,
                                        LeastRemaining(m_table.FlowBytes()[f]));
            }
        }
    }
}

Nanoseconds
CoflowLedger::Schedule(Policy& policy, Nanoseconds now, const PortRates& capacity)
{
    // The policy is to see the state of `now`: estimates up to date, and no flow that is gone.
    Integrate(now);
    Sweep();
    if (m_table.Rows().empty())
    {
        return NEVER;
    }
    const auto inForce = m_table.Rates();
    if (std::none_of(inForce.begin(), inForce.end(), [](double rate) { return rate > 0; }))
    {
        // All flows that had a rate are done or gone, or none has had one yet. Under such rates
        // nothing will ever happen. A policy that keeps its rates until something changes must not
        // keep these, so all coflows count as changed.
        for (const CoflowRow& row : m_table.Rows())
        {
            Renew(row.id);
        }
    }
    m_rates.assign(m_table.Src().size(), 0.0);
    const Decision decision = policy.Decide(m_table, now, capacity, m_rates);
    if (decision.askAgain <= now)
    {
        throw std::logic_error("a policy asked to be asked at a time that is over");
    }
    if (!decision.paths.empty())
    {
        m_moves += m_table.TakePaths(decision.paths);
    }
    if (!decision.order.empty())
    {
        m_order.clear();
        for (const std::uint32_t r : decision.order)
        {
            m_order.push_back(m_table.Rows()[r].id);
        }
    }
    if (!decision.unchanged)
    {
        m_tooSlow.clear();
        for (const std::uint32_t r : decision.raised)
        {
            m_tooSlow.insert(m_table.Rows()[r].id);
        }
        m_table.SwapRates(m_rates);
    }
    for (const CoflowRow& row : m_table.Rows())
    {
        auto& entry = m_coflows.at(row.id);
        if (entry.life == LifeState::READY && std::any_of(m_table.Rates().begin() + row.begin,
                                                          m_table.Rates().begin() + row.end,
                                                          [](double rate) { return rate > 0; }))
        {
            Advance(row.id, entry, LifeEvent::RATED);
        }
    }
    return decision.askAgain;
}

const FlowTable&
CoflowLedger::Table()
{
    // Flows that were withdrawn are only marked, and removed here, all at once, when the table is
    // looked at. Removing a flow moves all that stand behind it in the arrays; a coflow of a
    // thousand flows that ends would otherwise move them a thousand times.
    Sweep();
    return m_table;
}

Admission
CoflowLedger::Admit(Policy& policy, CoflowId id, Nanoseconds now, const PortRates& capacity)
{
    Integrate(now);
    Sweep();
    return policy.Admit(m_table, m_table.Find(m_coflows.at(id).ready, id), now, capacity);
}

} // namespace coflow
