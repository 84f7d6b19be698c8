/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-queue-sharing.h"

#include <algorithm>
#include <tuple>

namespace coflow
{

namespace
{

/// Number of passes that share ports by weight. The second pass gives the unused shares of queues
/// to queues that have used up their shares.
constexpr int PASSES = 2;

/// Rates of ports, from an array in the order of a budget.
PortRates
RatesOf(std::span<const double> ports, HostId hosts)
{
    PortRates rates;
    rates.ingress.assign(ports.begin(), ports.begin() + hosts);
    rates.egress.assign(ports.begin() + hosts, ports.end());
    return rates;
}

/// The groups of one queue.
struct Block
{
    int queue{0};
    std::span<const QueueSharing::Group> groups;
    std::vector<std::uint8_t> wants{}; ///< per port: the queue takes part
    std::vector<std::uint8_t> spent{}; ///< per port: the queue has used up its share
};

} // namespace

void
QueueSharing::Start(const StructureView& view, const PortIndex& index, const PortRates& capacity)
{
    m_index = &index;
    m_filler.Start(view, index);
    m_budget.Reset(capacity);
    m_groups.clear();
    m_nodes.clear();
}

void
QueueSharing::AddGroup(const Rank& rank, std::uint32_t row)
{
    m_groups.push_back({rank, row, m_nodes.size(), m_nodes.size()});
}

void
QueueSharing::Serve(std::span<double> rates, const Turn& turn)
{
    std::ranges::stable_sort(m_groups, [](const Group& a, const Group& b) {
        return std::tie(a.rank, a.row) < std::tie(b.rank, b.row);
    });
    const std::span<const Group> groups(m_groups);
    const auto first = static_cast<std::size_t>(
        std::ranges::find_if(groups, [](const Group& g) { return g.rank.queue >= 0; }) -
        groups.begin());
    ServeInOrder(groups.first(first), m_budget, false, rates, turn);
    if (m_strict)
    {
        ServeInOrder(groups.subspan(first), m_budget, false, rates, turn);
    }
    else
    {
        ServeByWeight(groups.subspan(first), rates, turn);
    }
}

void
QueueSharing::ServeInOrder(std::span<const Group> groups,
                           PortBudget& budget,
                           bool leftovers,
                           std::span<double> rates,
                           const Turn& turn)
{
    for (const Group& group : groups)
    {
        const std::span<const std::uint32_t> all(m_nodes);
        const auto nodes = all.subspan(group.begin, group.end - group.begin);
        m_filler.FillNodes(group.row,
                           turn ? turn(group, nodes, budget, leftovers) : nodes,
                           budget,
                           rates);
    }
}

void
QueueSharing::ServeByWeight(std::span<const Group> groups,
                            std::span<double> rates,
                            const Turn& turn)
{
    const std::size_t ports = m_budget.Ports();
    std::vector<Block> blocks;
    for (std::size_t begin = 0; begin < groups.size();)
    {
        std::size_t end = begin;
        Block block;
        block.queue = groups[begin].rank.queue;
        block.wants.resize(ports, 0);
        block.spent.resize(ports, 0);
        for (; end < groups.size() && groups[end].rank.queue == block.queue; ++end)
        {
            for (std::size_t n = groups[end].begin; n < groups[end].end; ++n)
            {
                block.wants[m_index->Of(groups[end].row).nodes[m_nodes[n]].port] = 1;
            }
        }
        block.groups = groups.subspan(begin, end - begin);
        blocks.push_back(std::move(block));
        begin = end;
    }
    std::vector<double> left(ports);
    for (HostPort p = 0; p < ports; ++p)
    {
        left[p] = m_budget.Free(p);
    }
    PortBudget share;
    std::vector<double> part(ports);
    for (int pass = 0; pass < PASSES; ++pass)
    {
        std::vector<double> total(ports, 0.0);
        for (const Block& block : blocks)
        {
            for (HostPort p = 0; p < ports; ++p)
            {
                total[p] += block.wants[p] ? Weight(block.queue) : 0;
            }
        }
        std::vector<double> rest(ports, 0.0);
        std::vector<std::uint8_t> anySpent(ports, 0);
        double given = 0;
        for (Block& block : blocks)
        {
            for (HostPort p = 0; p < ports; ++p)
            {
                part[p] = block.wants[p] ? left[p] * Weight(block.queue) / total[p] : 0;
            }
            share.Reset(RatesOf(part, m_budget.Hosts()));
            ServeInOrder(block.groups, share, pass > 0, rates, turn);
            for (HostPort p = 0; p < ports; ++p)
            {
                rest[p] += share.Free(p);
                given += part[p] - share.Free(p);
                block.spent[p] = block.wants[p] && part[p] > 0 && share.Exhausted(p) ? 1 : 0;
                anySpent[p] |= block.spent[p];
            }
        }
        for (HostPort p = 0; p < ports; ++p)
        {
            // A rest below 1e-9 of the port's capacity is a rounding error.
            left[p] = rest[p] <= 1e-9 * m_budget.Capacity(p) ? 0 : rest[p];
        }
        if (given <= 0)
        {
            break;
        }
        for (Block& block : blocks)
        {
            for (HostPort p = 0; p < ports; ++p)
            {
                block.wants[p] = anySpent[p] ? block.spent[p] : block.wants[p];
            }
        }
    }
    share.Reset(RatesOf(left, m_budget.Hosts()));
    ServeInOrder(groups, share, true, rates, turn);
}

} // namespace coflow
