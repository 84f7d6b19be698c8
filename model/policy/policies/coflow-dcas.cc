/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <numeric>

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Dcas>("dcas",
                         "senders and receivers negotiate priorities by remaining time",
                         Dcas::Specs());

/// Gives every node of one side the largest of the values at the other ends of its flows.
/// @param part the coflow
/// @param begin first node of the other side
/// @param end one past the last node of the other side
/// @param values per node
void
SpreadLargest(const PortIndex::Part& part,
              std::uint32_t begin,
              std::uint32_t end,
              std::span<double> values)
{
    std::vector<std::uint32_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    const auto smaller = [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; };
    std::ranges::make_heap(order, smaller);
    // Nodes are visited by decreasing value. The first node usually has flows to all nodes of the
    // other side.
    std::size_t waiting = part.nodes.size() - order.size();
    std::vector<std::uint8_t> reached(part.nodes.size(), 0);
    while (waiting > 0)
    {
        const std::uint32_t from = order.front();
        std::ranges::pop_heap(order, smaller);
        order.pop_back();
        for (std::uint32_t to : part.Others(from))
        {
            waiting -= reached[to] ? 0 : 1;
            values[to] = reached[to] ? values[to] : values[from];
            reached[to] = 1;
        }
    }
}

} // namespace

std::vector<ParameterSpec>
Dcas::Specs()
{
    return Triggers::AddSpecs({DcasProtocol::Delta(),
                               DcasProtocol::Patience(),
                               DcasProtocol::Expiry(),
                               DcasProtocol::Threshold()});
}

Dcas::Dcas(const Parameters& parameters)
    : m_delta(parameters.Time("delta")),
      m_patience(parameters.Time("T")),
      m_expiry(parameters.Time("expiry")),
      m_threshold(parameters["threshold"]),
      m_triggers(Triggers::OfFlows(parameters))
{
}

std::vector<double>
Dcas::Negotiate(const PortIndex::Part& part, std::span<const double> known)
{
    std::vector<double> values(part.nodes.size());
    std::copy(known.begin(), known.end(), values.begin());
    SpreadLargest(part, 0, part.senders, values);
    SpreadLargest(part, part.senders, static_cast<std::uint32_t>(part.nodes.size()), values);
    values.resize(part.senders);
    return values;
}

DcasKey
Dcas::KeyOf(std::uint32_t index, HostId sender) const
{
    return m_tasks.at(index).subcoflows.at(sender).key;
}

void
Dcas::UpdateLeft(const ClairvoyantView& view, std::uint32_t r, std::size_t hosts)
{
    const CoflowRow& row = view.coflows[r];
    const PortIndex::Part& part = m_index.Of(r);
    Task& task = m_tasks[row.index];
    if (task.sent == row.sent)
    {
        return;
    }
    m_left.assign(hosts, 0.0);
    for (std::uint32_t f = row.begin; f < row.end; ++f)
    {
        m_left[view.src[f]] += view.remaining[f];
    }
    for (std::uint32_t n = 0; n < part.senders; ++n)
    {
        const HostId host = part.nodes[n].port;
        Subcoflow& s = task.subcoflows[host];
        // A difference of at most one byte is a rounding error.
        s.left = m_left[host];
        if (s.served < 0 || m_left[host] < s.remaining - 1)
        {
            s.served = view.now;
            s.remaining = m_left[host];
        }
    }
    task.sent = row.sent;
    task.agreed = false;
}

void
Dcas::SetFirstKeys(const ClairvoyantView& view, std::uint32_t r, const PortRates& capacity)
{
    const PortIndex::Part& part = m_index.Of(r);
    const std::uint32_t index = view.coflows[r].index;
    for (std::uint32_t n = 0; n < part.senders; ++n)
    {
        const HostId host = part.nodes[n].port;
        Subcoflow& s = m_tasks[index].subcoflows[host];
        // The indices of coflows increase in the order of arrival.
        s.key = DcasProtocol::FirstKey(s.left,
                                       m_threshold,
                                       index,
                                       DcasProtocol::WantedTime(s.left, capacity.ingress[host]));
    }
}

void
Dcas::HoldRound(const ClairvoyantView& view, std::uint32_t r, const PortRates& capacity)
{
    const PortIndex::Part& part = m_index.Of(r);
    const std::uint32_t index = view.coflows[r].index;
    Task& task = m_tasks[index];
    m_known.clear();
    for (std::uint32_t n = 0; n < part.senders; ++n)
    {
        const HostId host = part.nodes[n].port;
        Subcoflow& s = task.subcoflows[host];
        const auto turn =
            DcasProtocol::TurnOf(s.left, m_threshold, view.now - s.served, m_patience);
        if (turn == DcasProtocol::Turn::ANNOUNCES)
        {
            s.wanted = DcasProtocol::WantedTime(s.left, capacity.ingress[host]);
            s.announced = view.now;
        }
        else
        {
            s.key = DcasProtocol::KeyOf(turn, index, 0);
        }
        const bool known =
            s.announced >= 0 && DcasProtocol::IsRemembered(s.announced, view.now, m_expiry);
        m_known.push_back(known ? s.wanted : 0.0);
    }
    // The same times and flows give the same result, so the last result stays.
    if (!task.agreed || task.known != m_known)
    {
        const auto agreed = Negotiate(part, m_known);
        for (std::uint32_t n = 0; n < part.senders; ++n)
        {
            task.subcoflows[part.nodes[n].port].agreed = agreed[n];
        }
        task.known = m_known;
        task.agreed = true;
    }
    for (std::uint32_t n = 0; n < part.senders; ++n)
    {
        Subcoflow& s = task.subcoflows[part.nodes[n].port];
        if (s.announced == view.now)
        {
            s.key = DcasKey::Agreed(s.agreed);
        }
    }
}

bool
Dcas::Order(const ClairvoyantView& view)
{
    m_before.swap(m_groups);
    m_groups.clear();
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const PortIndex::Part& part = m_index.Of(r);
        const auto& subcoflows = m_tasks[view.coflows[r].index].subcoflows;
        for (std::uint32_t n = 0; n < part.senders; ++n)
        {
            const DcasKey& key = subcoflows[part.nodes[n].port].key;
            if (n == 0 || m_groups.back().key != key)
            {
                m_groups.push_back({key, r, n, n});
            }
            ++m_groups.back().end;
        }
    }
    const auto before = [](const Group& a, const Group& b) {
        return std::tie(a.key, a.row, a.begin) < std::tie(b.key, b.row, b.begin);
    };
    std::ranges::sort(m_groups, before);
    const auto same = [](const Group& a, const Group& b) {
        return std::tie(a.row, a.begin, a.end) == std::tie(b.row, b.begin, b.end);
    };
    if (!std::equal(m_groups.begin(), m_groups.end(), m_before.begin(), m_before.end(), same))
    {
        return true;
    }
    for (std::size_t g = 1; g < m_groups.size(); ++g)
    {
        if ((m_groups[g - 1].key == m_groups[g].key) != (m_before[g - 1].key == m_before[g].key))
        {
            return true;
        }
    }
    return false;
}

void
Dcas::Serve(const ClairvoyantView& view, std::span<double> rates)
{
    m_filler.Start(view, m_index);
    m_filler.AddReceivers(m_budget);
    for (std::size_t g = 0; g < m_groups.size(); ++g)
    {
        if (g > 0 && m_groups[g - 1].key != m_groups[g].key)
        {
            m_filler.Fill(m_budget, rates);
        }
        for (std::uint32_t n = m_groups[g].begin; n < m_groups[g].end; ++n)
        {
            m_filler.Add(m_groups[g].row, n, m_budget);
        }
    }
    m_filler.Fill(m_budget, rates);
}

Decision
Dcas::Allocate(const ClairvoyantView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    m_index.Update(view, capacity.ingress.size());
    const bool round = view.now % m_delta == 0;
    for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
    {
        const std::uint32_t index = view.coflows[r].index;
        m_tasks.resize(std::max<std::size_t>(m_tasks.size(), index + 1));
        const bool arrived = m_tasks[index].subcoflows.empty();
        m_tasks[index].subcoflows.resize(capacity.ingress.size());
        UpdateLeft(view, r, capacity.ingress.size());
        if (round)
        {
            HoldRound(view, r, capacity);
        }
        else if (arrived)
        {
            SetFirstKeys(view, r, capacity);
        }
    }
    const bool reordered = Order(view);
    const bool changed = reordered || m_index.Changed() || m_capacity != capacity;
    m_capacity = capacity;
    if (changed)
    {
        Serve(view, rates);
    }
    return {(view.now / m_delta + 1) * m_delta, !changed};
}

} // namespace coflow
