/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-ledger.h"

#include <algorithm>

namespace coflow
{

const char*
ToString(CoflowState state)
{
    static constexpr const char* NAMES[] =
        {"WAITING", "READY", "RUNNING", "FINISHED", "REJECTED", "FAILED", "RELEASED"};
    return NAMES[static_cast<std::size_t>(state)];
}

CoflowLedger::CoflowLedger(Knowledge knowledge, Estimate estimate)
    : m_knowledge(knowledge),
      m_estimate(estimate)
{
}

bool
CoflowLedger::IsLive(const Entry& entry)
{
    return !entry.closed &&
           (entry.state == CoflowState::READY || entry.state == CoflowState::RUNNING);
}

bool
CoflowLedger::Register(CoflowId id, const Registration& registration)
{
    // An entry without a registration is one whose flows were told of first.
    auto& entry = m_coflows[id];
    if (entry.registration)
    {
        return false;
    }
    entry.index = m_nextIndex++;
    entry.registration = registration;
    return true;
}

bool
CoflowLedger::Put(CoflowId id,
                  FlowId flow,
                  HostId src,
                  std::optional<Bytes> bytes,
                  bool restart,
                  bool done)
{
    auto& entry = m_coflows[id];
    if (entry.concluded)
    {
        return false;
    }
    auto& known = entry.flows[flow];
    // Messages may come twice: a put that is known has no effect, unless it is a new attempt.
    if (known.src && !restart)
    {
        return false;
    }
    if (known.src)
    {
        ForgetPut(id, entry, flow, known);
    }
    known.src = src;
    // A daemon that comes back tells also of flows that it has sent before it died.
    if (done)
    {
        known.done = true;
        known.moved = bytes.value_or(0);
        entry.sent += static_cast<double>(known.moved);
    }
    // Put and get come from different hosts, in any order: the second of them makes the flow exist.
    known.bytes = m_knowledge == Knowledge::CLAIRVOYANT ? bytes : std::nullopt;
    if (!known.dst)
    {
        return false;
    }
    Complete(id, entry, flow, known);
    return true;
}

void
CoflowLedger::ForgetPut(CoflowId id, Entry& entry, FlowId flow, FlowEntry& known)
{
    // What the flow has moved is void as well: either a restarted task sends the flow again from
    // its first byte, or a daemon that came back will tell again how far the flow is. The get stays
    // known, so that the next put makes the flow exist again.
    Withdraw(id, entry, flow, known);
    entry.sent -= static_cast<double>(known.moved);
    entry.existing -= known.Exists();
    known.src.reset();
    known.moved = 0;
    known.done = false;
}

bool
CoflowLedger::Get(CoflowId id, FlowId flow, HostId dst)
{
    auto& entry = m_coflows[id];
    if (entry.concluded)
    {
        return false;
    }
    auto& known = entry.flows[flow];
    if (known.dst)
    {
        return false;
    }
    known.dst = dst;
    if (!known.src)
    {
        return false;
    }
    Complete(id, entry, flow, known);
    return true;
}

void
CoflowLedger::Complete(CoflowId id, Entry& entry, FlowId flow, FlowEntry& known)
{
    ++entry.existing;
    // Three kinds of flows have nothing to send over the fabric: those that are done already, those
    // within a host, and those without bytes. They count as existing and done, and never enter the
    // table that policies see.
    if (known.done || *known.src == *known.dst || known.bytes == Bytes{0})
    {
        known.done = true;
        return;
    }
    // A coflow all of whose flows had nothing to send is FINISHED as soon as it is made ready. A
    // flow that comes after that gives it something to send after all.
    if (entry.state == CoflowState::FINISHED && !entry.closed)
    {
        entry.state = CoflowState::READY;
    }
    // Flows of a coflow that still waits enter together, when it is made ready.
    if (IsLive(entry))
    {
        Enter(id, entry, {&flow, 1});
    }
}

void
CoflowLedger::Progress(CoflowId id, FlowId flow, Bytes since, bool done)
{
    const auto found = m_coflows.find(id);
    if (found == m_coflows.end())
    {
        return;
    }
    auto& entry = found->second;
    // Reports travel, and may come late: of a flow that was forgotten since, or after the report
    // that said "done". Such a report has no effect.
    const auto place = entry.flows.find(flow);
    if (place == entry.flows.end() || place->second.done)
    {
        return;
    }
    auto& known = place->second;
    known.moved += since;
    entry.sent += static_cast<double>(since);
    entry.longest = std::max(entry.longest, static_cast<double>(known.moved));
    if (known.inTable)
    {
        const auto row = m_table.Find(entry.ready, id);
        m_table.Rows()[row].sent = entry.sent;
        m_table.Rows()[row].longest = entry.longest;
        // What is left of the flow was estimated from the rates in force (Integrate()), which the
        // flow may not have reached. The report says what it really is.
        if (m_estimate != Estimate::COMPLETION_ONLY)
        {
            m_table.Remaining()[PositionOf(row, flow)] = RemainingOf(known);
        }
    }
    if (done)
    {
        Withdraw(id, entry, flow, known);
        known.done = true;
    }
}

bool
CoflowLedger::Close(CoflowId id)
{
    const auto found = m_coflows.find(id);
    if (found == m_coflows.end() || found->second.closed)
    {
        return false;
    }
    // The flows stay known: whether they are done decides what Conclude says.
    auto& entry = found->second;
    for (auto& [flow, known] : entry.flows)
    {
        Withdraw(id, entry, flow, known);
    }
    entry.closed = true;
    return true;
}

void
CoflowLedger::Conclude(CoflowId id)
{
    // The entry itself stays, so that late messages of it are known for what they are.
    auto& entry = m_coflows.at(id);
    if (entry.state != CoflowState::FINISHED && entry.state != CoflowState::REJECTED)
    {
        entry.state = IsDone(id) ? CoflowState::FINISHED : CoflowState::FAILED;
    }
    entry.concluded = true;
    entry.flows.clear();
}

bool
CoflowLedger::IsDone(CoflowId id) const
{
    // All flows that are known of may be done while others are still to be told of. A coflow that
    // was made ready without these does not wait for them.
    const auto& entry = m_coflows.at(id);
    return (entry.state != CoflowState::WAITING || entry.existing >= entry.registration->flows) &&
           std::all_of(entry.flows.begin(), entry.flows.end(), [](const auto& flow) {
               return flow.second.done;
           });
}

std::vector<CoflowId>
CoflowLedger::DrivenBy(HostId host) const
{
    std::vector<CoflowId> driven;
    for (const auto& [id, entry] : m_coflows)
    {
        if (entry.registration && entry.registration->driver == host && !entry.closed)
        {
            driven.push_back(id);
        }
    }
    return driven;
}

std::vector<CoflowId>
CoflowLedger::Incomplete() const
{
    std::vector<CoflowId> incomplete;
    for (const auto& [id, entry] : m_coflows)
    {
        if (LacksFlows(id))
        {
            incomplete.push_back(id);
        }
    }
    return incomplete;
}

bool
CoflowLedger::LacksFlows(CoflowId id) const
{
    const auto found = m_coflows.find(id);
    return found != m_coflows.end() && found->second.registration && !found->second.closed &&
           found->second.state != CoflowState::REJECTED &&
           found->second.existing < found->second.registration->flows;
}

std::uint32_t
CoflowLedger::ExistingOf(CoflowId id) const
{
    const auto found = m_coflows.find(id);
    return found == m_coflows.end() ? 0 : found->second.existing;
}

bool
CoflowLedger::DropPuts(HostId host, bool doneToo)
{
    bool any = false;
    for (auto& [id, entry] : m_coflows)
    {
        for (auto& [flow, known] : entry.flows)
        {
            // The get of the flow is the receiver's: it stays, and the next put makes the flow
            // exist again.
            if (known.src == host && (doneToo || !known.done))
            {
                any = any || known.inTable;
                ForgetPut(id, entry, flow, known);
            }
        }
    }
    return any;
}

void
CoflowLedger::Release(CoflowId id)
{
    Close(id);
    auto& entry = m_coflows[id]; // a daemon may say so of one that nobody has told of yet
    entry.state = CoflowState::RELEASED;
    entry.concluded = true;
    entry.flows.clear();
}

bool
CoflowLedger::IsComplete(CoflowId id) const
{
    const auto& entry = m_coflows.at(id);
    return entry.registration && !entry.closed && entry.state == CoflowState::WAITING &&
           entry.existing >= entry.registration->flows;
}

bool
CoflowLedger::MakeReady(CoflowId id, Nanoseconds now)
{
    auto& entry = m_coflows.at(id);
    // IsComplete() asks whether a coflow *waits* for no more flows, so the question has to come
    // before the state changes.
    const bool all = IsComplete(id);
    entry.state = CoflowState::READY;
    entry.ready = now;
    std::vector<FlowId> flows;
    for (const auto& [flow, known] : entry.flows)
    {
        if (known.Exists() && !known.done)
        {
            flows.push_back(flow);
        }
    }
    if (!flows.empty())
    {
        Enter(id, entry, flows);
    }
    else if (all)
    {
        // All its flows stay within their hosts, or have no bytes.
        entry.state = CoflowState::FINISHED;
    }
    return !flows.empty();
}

void
CoflowLedger::Reject(CoflowId id, bool forGood)
{
    auto& entry = m_coflows.at(id);
    for (auto& [flow, known] : entry.flows)
    {
        Withdraw(id, entry, flow, known);
    }
    entry.state = forGood ? CoflowState::REJECTED : CoflowState::WAITING;
}

bool
CoflowLedger::IsIdle(CoflowId id) const
{
    const auto found = m_coflows.find(id);
    return found != m_coflows.end() && IsLive(found->second) && found->second.inTable == 0;
}

bool
CoflowLedger::IsStalled(CoflowId id)
{
    const auto found = m_coflows.find(id);
    if (found == m_coflows.end() || !IsLive(found->second))
    {
        return false;
    }
    const auto r = m_table.Find(found->second.ready, id);
    if (r == m_table.Rows().size())
    {
        return false;
    }
    // Flows that were withdrawn are marked in m_gone and stay in the table until the next sweep.
    // They do not count here. The table may have grown since m_gone was last resized.
    m_gone.resize(m_table.Src().size());
    const auto runs = [this](std::size_t f) { return !m_gone[f] && m_table.Rates()[f] > 0; };
    bool any = false;
    const CoflowRow& row = m_table.Rows()[r];
    for (std::uint32_t f = row.begin; f < row.end; ++f)
    {
        if (runs(f))
        {
            return false;
        }
        any = any || !m_gone[f];
    }
    // The coflow has flows and none of them has a rate. That alone is no stall: most policies have
    // most coflows wait most of the time. It is a stall in two cases: the policy gave rates, which
    // were cut off as too small; or no flow of any coflow has a rate. In the second case no flow
    // will ever finish, so that nothing would make the policy decide again.
    if (!any)
    {
        return false;
    }
    if (m_tooSlow.count(id) == 0)
    {
        for (std::size_t f = 0; f < m_gone.size(); ++f)
        {
            if (runs(f))
            {
                return false;
            }
        }
    }
    // Some policies keep their rates as long as no coflow has changed, and would keep these for
    // ever. So the coflow counts as changed.
    Renew(id);
    return true;
}

std::optional<CoflowState>
CoflowLedger::StateOf(CoflowId id) const
{
    const auto found = m_coflows.find(id);
    return found != m_coflows.end() && found->second.registration
               ? std::optional(found->second.state)
               : std::nullopt;
}

std::optional<CoflowState>
CoflowLedger::VerdictOn(CoflowId id) const
{
    const auto found = m_coflows.find(id);
    return found != m_coflows.end() && found->second.concluded ? std::optional(found->second.state)
                                                               : std::nullopt;
}

const CoflowLedger::Registration&
CoflowLedger::RegistrationOf(CoflowId id) const
{
    return *m_coflows.at(id).registration;
}

const CoflowLedger::FlowEntry*
CoflowLedger::FindFlow(CoflowId id, FlowId flow) const
{
    const auto found = m_coflows.find(id);
    if (found == m_coflows.end())
    {
        return nullptr;
    }
    const auto place = found->second.flows.find(flow);
    return place == found->second.flows.end() ? nullptr : &place->second;
}

std::optional<Flow>
CoflowLedger::Describe(CoflowId id, FlowId flow) const
{
    const auto* known = FindFlow(id, flow);
    return known && known->Exists()
               ? std::optional(Flow{flow, *known->src, *known->dst, known->bytes.value_or(-1)})
               : std::nullopt;
}

std::set<HostId>
CoflowLedger::HostsOf(CoflowId id) const
{
    std::set<HostId> hosts;
    const auto found = m_coflows.find(id);
    if (found != m_coflows.end())
    {
        for (const auto& [flow, known] : found->second.flows)
        {
            for (const auto& host : {known.src, known.dst})
            {
                if (host)
                {
                    hosts.insert(*host);
                }
            }
        }
    }
    return hosts;
}

std::set<HostId>
CoflowLedger::EndpointsOf(CoflowId id) const
{
    std::set<HostId> hosts;
    const auto found = m_coflows.find(id);
    if (found != m_coflows.end())
    {
        for (const auto& [flow, known] : found->second.flows)
        {
            for (const auto& host : {known.src, known.dst})
            {
                if (host && !known.done)
                {
                    hosts.insert(*host);
                }
            }
        }
    }
    return hosts;
}

} // namespace coflow
