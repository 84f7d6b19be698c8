/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "agent.h"

#include <algorithm>
#include <utility>

namespace ns3coflow
{

using ::coflow::AttainedView;
using ::coflow::ClairvoyantView;
using ::coflow::CoflowId;
using ::coflow::CoflowRow;
using ::coflow::Nanoseconds;
using ::coflow::NEVER;
using ::coflow::PortRates;
using ::coflow::StructureView;

namespace
{

/// Adds what every flow of a coflow counts to its two ports.
/// @param at the ports of its slot: uplinks, then downlinks
template <typename Amount>
void
AddToPorts(const StructureView& view, const CoflowRow& row, std::span<double> at, Amount amount)
{
    const std::size_t hosts = at.size() / 2;
    for (auto f = row.begin; f < row.end; ++f)
    {
        at[view.src[f]] += amount(f);
        at[hosts + view.dst[f]] += amount(f);
    }
}

/// The ports of a slot.
std::span<double>
PortsOf(std::vector<double>& values, std::size_t slot, std::size_t ports)
{
    return std::span(values).subspan(slot * ports, ports);
}

/// What there is to be seen without sizes.
void
Show(const StructureView& view, const PortRates& capacity, std::size_t slots, AttainedState& state)
{
    const std::size_t ports = capacity.ingress.size() + capacity.egress.size();
    const std::size_t shown = std::min(slots, view.coflows.size());
    state.now = view.now;
    state.hidden = view.coflows.size() - shown;
    state.ids.clear();
    for (auto* perSlot : {&state.age, &state.width, &state.flows, &state.sent})
    {
        perSlot->assign(slots, 0);
    }
    state.flowsAtPort.assign(slots * ports, 0);
    state.portRate.assign(capacity.ingress.begin(), capacity.ingress.end());
    state.portRate.insert(state.portRate.end(), capacity.egress.begin(), capacity.egress.end());
    for (std::size_t r = 0; r < shown; ++r)
    {
        const CoflowRow& row = view.coflows[r];
        state.ids.push_back(row.id);
        state.age[r] = static_cast<double>(view.now - row.ready) * 1e-9;
        state.width[r] = row.width;
        state.flows[r] = row.Count();
        state.sent[r] = row.sent;
        AddToPorts(view, row, PortsOf(state.flowsAtPort, r, ports), [](std::uint32_t) {
            return 1.0;
        });
    }
}

/// What there is to be seen with sizes.
void
Show(const ClairvoyantView& view,
     const PortRates& capacity,
     std::size_t slots,
     ClairvoyantState& state)
{
    Show(static_cast<const StructureView&>(view),
         capacity,
         slots,
         static_cast<AttainedState&>(state));
    for (auto* perSlot : {&state.total, &state.length, &state.bottleneck, &state.remaining})
    {
        perSlot->assign(slots, 0);
    }
    const std::size_t ports = state.portRate.size();
    state.remainingAtPort.assign(slots * ports, 0);
    for (std::size_t r = 0; r < state.ids.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        state.total[r] = static_cast<double>(view.sizes[r].total);
        state.length[r] = static_cast<double>(view.sizes[r].length);
        state.bottleneck[r] = static_cast<double>(view.sizes[r].bottleneck);
        for (auto f = row.begin; f < row.end; ++f)
        {
            state.remaining[r] += view.remaining[f];
        }
        AddToPorts(view, row, PortsOf(state.remainingAtPort, r, ports), [&](std::uint32_t f) {
            return view.remaining[f];
        });
    }
}

} // namespace

Agent::Agent(std::size_t slots, Nanoseconds interval, std::function<void()> ask)
    : m_slots(slots),
      m_interval(interval),
      m_ask(std::move(ask))
{
}

bool
Agent::IsDue(const StructureView& view) const
{
    if (view.coflows.empty())
    {
        return false;
    }
    if (!m_asked)
    {
        return true;
    }
    if (m_interval > 0)
    {
        return view.now >= m_next;
    }
    return !std::equal(view.coflows.begin(),
                       view.coflows.end(),
                       m_present.begin(),
                       m_present.end(),
                       [](const CoflowRow& row, CoflowId id) { return row.id == id; });
}

template <typename State, typename View>
bool
Agent::ConsultAs(const View& view, const PortRates& capacity)
{
    if (!IsDue(view))
    {
        return false;
    }
    if (!std::holds_alternative<State>(m_state))
    {
        m_state.emplace<State>();
    }
    Show(view, capacity, m_slots, std::get<State>(m_state));
    m_present.clear();
    for (const CoflowRow& row : view.coflows)
    {
        m_present.push_back(row.id);
    }
    m_next = view.now + m_interval;
    m_asked = true;
    m_ask();
    return true;
}

bool
Agent::Consult(const AttainedView& view, const PortRates& capacity)
{
    return ConsultAs<AttainedState>(view, capacity);
}

bool
Agent::Consult(const ClairvoyantView& view, const PortRates& capacity)
{
    return ConsultAs<ClairvoyantState>(view, capacity);
}

Nanoseconds
Agent::NextTime(Nanoseconds now) const
{
    return m_interval > 0 ? std::max(m_next, now + 1) : NEVER;
}

double
Agent::ValueOf(CoflowId coflow, double other) const
{
    const auto found = m_valueOf.find(coflow);
    return found == m_valueOf.end() ? other : found->second;
}

const AttainedState&
Agent::State() const
{
    return std::visit([](const auto& state) -> const AttainedState& { return state; }, m_state);
}

void
Agent::Act(std::span<const double> values)
{
    m_values.assign(values.begin(), values.end());
    m_valueOf.clear();
    const auto& ids = State().ids;
    for (std::size_t slot = 0; slot < std::min(ids.size(), values.size()); ++slot)
    {
        m_valueOf[ids[slot]] = values[slot];
    }
}

Agent*&
AgentOfThread()
{
    thread_local Agent* agent = nullptr;
    return agent;
}

} // namespace ns3coflow
