/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-ledger.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>

namespace coflow
{

namespace
{

/// The least estimate of the bytes left of a flow that is not reported done, even if the flow has
/// sent all its bytes according to its rates. With an estimate of nearly 0, the flow would get a
/// rate of nearly 0. 10 segments are the initial window of TCP.
constexpr double ENOUGH = 10 * 1448; // in bytes

double
LeastRemaining(Bytes bytes)
{
    return std::min(static_cast<double>(bytes), ENOUGH);
}

} // namespace

CoflowLedger::CoflowLedger(Knowledge knowledge, Estimate estimate, StateChanged stateChanged)
    : m_knowledge(knowledge),
      m_estimate(estimate),
      m_stateChanged(std::move(stateChanged))
{
}

bool
CoflowLedger::IsLive(const Entry& entry)
{
    return entry.life == LifeState::READY || entry.life == LifeState::RUNNING;
}

LifeAction
CoflowLedger::Advance(CoflowId id, Entry& entry, LifeEvent event)
{
    const auto step = GetLifeStep(entry.life, event);
    if (!step.isPossible)
    {
        throw std::logic_error("coflow " + std::to_string(id) + " is " + ToString(entry.life) +
                               ", in which " + ToString(event) + " cannot happen");
    }
    if (step.action == LifeAction::WITHDRAW || step.action == LifeAction::FORGET)
    {
        for (auto& [flow, known] : entry.flows)
        {
            Withdraw(id, entry, flow, known);
        }
    }
    if (step.action == LifeAction::FORGET)
    {
        entry.flows.clear();
    }
    const auto before = std::exchange(entry.life, step.next);
    const auto state = GetReportedState(entry.life);
    if (m_stateChanged && entry.registration && state && state != GetReportedState(before))
    {
        m_stateChanged(id, *state);
    }
    return step.action;
}

bool
CoflowLedger::Register(CoflowId id, const Registration& registration)
{
    // An entry without a registration has flows that hosts put or got before the registration.
    auto& entry = m_coflows[id];
    if (entry.registration)
    {
        return false;
    }
    entry.index = m_nextIndex++;
    entry.registration = registration;
    Advance(id, entry, LifeEvent::REGISTERED);
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
    Advance(id, entry, LifeEvent::TOLD);
    if (IsTerminal(entry.life))
    {
        return false;
    }
    auto& known = entry.flows[flow];
    // Messages may come twice. A second put of a flow has no effect unless the sending task was
    // restarted.
    if (known.src && !restart)
    {
        return false;
    }
    if (known.src)
    {
        ForgetPut(id, entry, flow, known);
    }
    known.src = src;
    // A daemon that is back also puts flows that the daemon had sent before its failure.
    if (done)
    {
        known.done = true;
        known.moved = bytes.value_or(0);
        entry.sent += static_cast<double>(known.moved);
    }
    // Put and get come from different hosts, in any order. The second of the two messages makes the
    // flow exist.
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
    // The bytes that the flow has sent are void as well. Either a restarted task sends the flow
    // again from its first byte, or a daemon that is back will report the progress of the flow
    // again. The get stays known, so that the next put makes the flow exist again.
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
    Advance(id, entry, LifeEvent::TOLD);
    if (IsTerminal(entry.life))
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
    // Three kinds of flows have nothing to send over the fabric: flows that are done already, flows
    // within a host, and flows without bytes. These flows count as existing and done, and never
    // enter the table.
    if (known.done || *known.src == *known.dst || known.bytes == Bytes{0})
    {
        known.done = true;
        return;
    }
    // All flows of a waiting coflow enter the table together when the coflow is made ready. A
    // coflow in the state EMPTY now has something to send.
    if (Advance(id, entry, LifeEvent::GREW) == LifeAction::ENTER)
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
    // A report may come late: its flow was removed, or an earlier report said that the flow is
    // done. Such a report has no effect.
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
        // The remaining bytes of the flow were estimated from the rates in force (Integrate()). The
        // flow may have been slower than its rate. The report has the actual number.
        if (m_estimate != Estimate::COMPLETION_ONLY)
        {
            m_table.Remaining(row)[PositionOf(row, flow) - m_table.Rows()[row].begin] =
                RemainingOf(known);
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
    if (found == m_coflows.end() || !IsOpen(found->second.life))
    {
        return false;
    }
    // The flows stay known. Conclude() needs to know whether all flows are done.
    Advance(id, found->second, LifeEvent::LEFT);
    return true;
}

void
CoflowLedger::Conclude(CoflowId id)
{
    // The entry stays, so that late messages find the terminal state of the coflow.
    Advance(id, m_coflows.at(id), IsDone(id) ? LifeEvent::CLOSED : LifeEvent::CUT_OFF);
}

bool
CoflowLedger::IsDone(CoflowId id) const
{
    // All known flows may be done while other flows of the coflow are not known yet. A coflow that
    // was made ready without these other flows does not wait for them.
    const auto& entry = m_coflows.at(id);
    const bool lacksNone = GetReportedState(entry.life) != CoflowState::WAITING ||
                           entry.existing >= entry.registration->flows;
    return lacksNone &&
           std::ranges::all_of(entry.flows, [](const auto& flow) { return flow.second.done; });
}

std::vector<CoflowId>
CoflowLedger::RegisteredBy(HostId host) const
{
    std::vector<CoflowId> registered;
    for (const auto& [id, entry] : m_coflows)
    {
        if (IsOpen(entry.life) && entry.registration->driver == host)
        {
            registered.push_back(id);
        }
    }
    return registered;
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
    return found != m_coflows.end() && IsOpen(found->second.life) &&
           found->second.life != LifeState::REFUSED &&
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
            // The get of the flow is from the receiver. The get stays known, so that the next put
            // makes the flow exist again.
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
    // The message of a daemon may be the first message that names the coflow.
    Advance(id, m_coflows[id], LifeEvent::RELEASED);
}

bool
CoflowLedger::IsComplete(CoflowId id) const
{
    const auto& entry = m_coflows.at(id);
    return entry.life == LifeState::WAITING && entry.existing >= entry.registration->flows;
}

bool
CoflowLedger::MakeReady(CoflowId id, Nanoseconds now)
{
    auto& entry = m_coflows.at(id);
    // IsComplete() is true only in the state WAITING, so this call comes before the state changes.
    const bool all = IsComplete(id);
    entry.ready = now;
    std::vector<FlowId> flows;
    for (const auto& [flow, known] : entry.flows)
    {
        if (known.Exists() && !known.done)
        {
            flows.push_back(flow);
        }
    }
    // If all flows exist and no flow has anything to send, each flow is done, stays within its
    // host, or has no bytes.
    Advance(id, entry, flows.empty() && all ? LifeEvent::EMPTIED : LifeEvent::FILLED);
    if (!flows.empty())
    {
        Enter(id, entry, flows);
    }
    return !flows.empty();
}

void
CoflowLedger::Reject(CoflowId id, bool forGood)
{
    Advance(id, m_coflows.at(id), forGood ? LifeEvent::REFUSED : LifeEvent::DEFERRED);
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
    const auto r = LiveRowOf(id);
    if (!r)
    {
        return false;
    }
    // Flows with a mark in m_gone stay in the table until the next Sweep(), and do not count here.
    // The table may have grown since m_gone was last resized.
    m_gone.resize(m_table.Src().size());
    const auto runs = [this](std::size_t f) { return !m_gone[f] && m_table.Rates()[f] > 0; };
    bool any = false;
    const CoflowRow& row = m_table.Rows()[*r];
    for (std::uint32_t f = row.begin; f < row.end; ++f)
    {
        if (runs(f))
        {
            return false;
        }
        any = any || !m_gone[f];
    }
    // The coflow has flows, and none of these flows has a rate. Under most policies, most coflows
    // wait most of the time, which is no stall. There is a stall in two cases: the least rate has
    // changed the rates of the coflow, or no flow of any coflow has a rate. In the second case no
    // flow will ever finish, so no event would make the policy decide again.
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
    // Some policies keep their rates until a coflow changes, and would never change these rates. So
    // the coflow is marked as changed.
    Renew(id);
    return true;
}

std::optional<CoflowState>
CoflowLedger::StateOf(CoflowId id) const
{
    const auto found = m_coflows.find(id);
    return found != m_coflows.end() && found->second.registration
               ? GetReportedState(found->second.life)
               : std::nullopt;
}

std::optional<CoflowState>
CoflowLedger::TerminalStateOf(CoflowId id) const
{
    const auto life = LifeOf(id);
    return IsTerminal(life) ? GetReportedState(life) : std::nullopt;
}

LifeState
CoflowLedger::LifeOf(CoflowId id) const
{
    const auto found = m_coflows.find(id);
    return found == m_coflows.end() ? LifeState::UNKNOWN : found->second.life;
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
CoflowLedger::HostsOf(CoflowId id, FlowsOf flows) const
{
    std::set<HostId> hosts;
    const auto found = m_coflows.find(id);
    if (found != m_coflows.end())
    {
        for (const auto& [flow, known] : found->second.flows)
        {
            for (const auto& host : {known.src, known.dst})
            {
                if (host && (flows == FlowsOf::ALL || !known.done))
                {
                    hosts.insert(*host);
                }
            }
        }
    }
    return hosts;
}

void
CoflowLedger::Enter(CoflowId id, Entry& entry, std::span<const FlowId> flows)
{
    // m_gone has marks by position in the table, and the positions change below.
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
    // A coflow that is in the table gets the flows in its row. If Find() returns the number of
    // rows, the coflow is not in the table and gets a new row.
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
    // A policy that must not know sizes gets no sizes, even if a message had sizes.
    if (m_knowledge != Knowledge::CLAIRVOYANT)
    {
        return {};
    }
    Coflow coflow{.attributes = entry.registration->attributes};
    for (const auto& [flow, known] : entry.flows)
    {
        if (known.Exists())
        {
            coflow.flows.push_back({flow, *known.src, *known.dst, known.bytes.value_or(0)});
        }
    }
    CoflowSizes sizes = SizesOf(coflow);
    sizes.deadline = entry.registration->deadline;
    return sizes;
}

std::uint32_t
CoflowLedger::PositionOf(std::size_t r, FlowId flow) const
{
    // The flows of a row are ordered by id.
    const CoflowRow& row = m_table.Rows()[r];
    const auto flows = m_table.FlowIds();
    const auto found = std::lower_bound(flows.begin() + row.begin, flows.begin() + row.end, flow);
    return static_cast<std::uint32_t>(found - flows.begin());
}

void
CoflowLedger::Withdraw(CoflowId id, Entry& entry, FlowId flow, FlowEntry& known)
{
    // The flow is only marked. Sweep() removes marked flows from the rows in m_rowsWithGone.
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
        const std::size_t r = m_table.Find(ready, id);
        const auto flows = std::views::iota(m_table.Rows()[r].begin, m_table.Rows()[r].end);
        std::vector<std::uint32_t> gone;
        std::ranges::copy_if(flows, std::back_inserter(gone), [this](auto f) { return m_gone[f]; });
        m_table.RemoveFinished(r, gone);
    }
    m_rowsWithGone.clear();
    m_gone.clear();
    m_table.RemoveEmpty();
}

std::optional<std::size_t>
CoflowLedger::LiveRowOf(CoflowId id) const
{
    const auto found = m_coflows.find(id);
    if (found == m_coflows.end() || !IsLive(found->second))
    {
        return std::nullopt;
    }
    const auto row = m_table.Find(found->second.ready, id);
    return row < m_table.Rows().size() ? std::optional(row) : std::nullopt;
}

void
CoflowLedger::Renew(CoflowId id)
{
    if (const auto row = LiveRowOf(id))
    {
        m_table.Renew(*row);
        m_coflows.at(id).revision = m_table.Rows()[*row].revision;
    }
}

bool
CoflowLedger::IsOverdue(CoflowId id, Nanoseconds now)
{
    const auto r = LiveRowOf(id);
    if (!r || m_estimate != Estimate::INTEGRATED || m_knowledge != Knowledge::CLAIRVOYANT)
    {
        return false;
    }
    m_gone.resize(m_table.Src().size());
    const double seconds = static_cast<double>(now - m_integrated) * 1e-9;
    bool any = false;
    const CoflowRow& row = m_table.Rows()[*r];
    for (std::uint32_t f = row.begin; f < row.end; ++f)
    {
        const double rate = m_table.Rates()[f];
        if (m_gone[f] || rate <= 0)
        {
            continue;
        }
        // The estimate of a flow of at most ENOUGH bytes is always its size, so such a flow is
        // never overdue.
        if (static_cast<double>(m_table.FlowBytes()[f]) <= ENOUGH ||
            m_table.Remaining()[f] - rate * seconds > ENOUGH)
        {
            return false;
        }
        any = true;
    }
    return any;
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
    // Between two reports, a coordinator assumes that flows are sent at their rates. This loop
    // subtracts the bytes that the flows have sent up to `now`.
    const double seconds = static_cast<double>(now - m_integrated) * 1e-9;
    m_integrated = now;
    if (m_estimate != Estimate::INTEGRATED || m_knowledge != Knowledge::CLAIRVOYANT)
    {
        return;
    }
    for (std::size_t r = 0; r < m_table.Rows().size(); ++r)
    {
        const std::uint32_t begin = m_table.Rows()[r].begin;
        const std::uint32_t count = m_table.Rows()[r].Count();
        const auto rates = m_table.Rates().subspan(begin, count);
        if (std::ranges::none_of(rates, [](double rate) { return rate > 0; }))
        {
            continue;
        }
        const auto remaining = m_table.Remaining(r);
        for (std::uint32_t f = 0; f < count; ++f)
        {
            if (rates[f] > 0)
            {
                remaining[f] = std::max(remaining[f] - rates[f] * seconds,
                                        LeastRemaining(m_table.FlowBytes()[begin + f]));
            }
        }
    }
}

Nanoseconds
CoflowLedger::Schedule(Policy& policy, Nanoseconds now, const PortRates& capacity)
{
    // The policy gets the state at `now`: current estimates, and no marked flows.
    Integrate(now);
    Sweep();
    if (m_table.Rows().empty())
    {
        return NEVER;
    }
    const auto inForce = m_table.Rates();
    if (std::ranges::none_of(inForce, [](double rate) { return rate > 0; }))
    {
        // All flows that had a rate are done or removed, or no flow has had a rate yet. With no
        // rate in force, no flow will ever finish. Some policies keep their rates until a coflow
        // changes, so all coflows are marked as changed.
        for (const CoflowRow& row : m_table.Rows())
        {
            Renew(row.id);
        }
    }
    m_decided.assign(m_table.Src().size(), 0.0);
    const Decision decision = policy.Decide(m_table, now, capacity, m_decided);
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
        m_table.SwapRates(m_decided);
    }
    for (const CoflowRow& row : m_table.Rows())
    {
        if (std::any_of(m_table.Rates().begin() + row.begin,
                        m_table.Rates().begin() + row.end,
                        [](double rate) { return rate > 0; }))
        {
            Advance(row.id, m_coflows.at(row.id), LifeEvent::RATED);
        }
    }
    return decision.askAgain;
}

const FlowTable&
CoflowLedger::Table()
{
    // Withdraw() only marks flows, and Sweep() removes all marked flows at once. The removal of a
    // flow moves all flows of the row behind it. Without marks, the end of a coflow of a thousand
    // flows would take a thousand such moves.
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
