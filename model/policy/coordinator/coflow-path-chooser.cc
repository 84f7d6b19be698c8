/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-path-chooser.h"

#include <algorithm>

namespace coflow
{

namespace
{

/// A flow moves only if its largest load falls by more than this value.
constexpr double EPSILON = 1e-6;

} // namespace

PathChooser::PathChooser(const PathMap& paths, PathChoice choice, double share)
    : m_map(paths),
      m_choice(choice),
      m_share(share)
{
}

PathChooser::Load
PathChooser::LoadOf(const FabricPath& path, double rate) const
{
    Load load;
    for (const FabricLink link : path.Links())
    {
        const double one = (m_granted[link] + rate) / (m_map.Rates()[link] * m_share);
        load.largest = std::max(load.largest, one);
        load.sum += one;
    }
    return load;
}

void
PathChooser::Add(const FabricPath& path, double rate)
{
    for (const FabricLink link : path.Links())
    {
        m_granted[link] = std::max(m_granted[link] + rate, 0.0);
    }
}

std::size_t
PathChooser::FindBest(std::span<const FabricPath> paths, double rate) const
{
    std::size_t best = 0;
    Load least = LoadOf(paths[0], rate);
    for (std::size_t i = 1; i < paths.size(); ++i)
    {
        const Load load = LoadOf(paths[i], rate);
        if (load < least)
        {
            best = i;
            least = load;
        }
    }
    return best;
}

void
PathChooser::Choose(FlowTable& table, std::span<const double> rates)
{
    m_granted.assign(m_map.Rates().size(), 0.0);
    const auto paths = table.Paths();
    const auto between = [&](std::uint32_t f) {
        return m_map.Between(table.Src()[f], table.Dst()[f]);
    };
    // Calls a function for every flow with a rate that has more than one path.
    const auto forEach = [&](auto function) {
        for (const CoflowRow& row : table.Rows())
        {
            for (std::uint32_t f = row.begin; f < row.end; ++f)
            {
                if (rates[f] > 0 && between(f).size() > 1)
                {
                    function(f, between(f));
                }
            }
        }
    };
    forEach([&](std::uint32_t f, std::span<const FabricPath> choices) {
        if (paths[f] != NO_PATH)
        {
            Add(choices[paths[f] - 1], rates[f]);
        }
    });
    if (m_choice == PathChoice::MOVE)
    {
        forEach([&](std::uint32_t f, std::span<const FabricPath> choices) {
            if (paths[f] == NO_PATH)
            {
                return;
            }
            const FabricPath& old = choices[paths[f] - 1];
            const double load = LoadOf(old, 0).largest;
            if (load <= 1 + EPSILON)
            {
                return;
            }
            Add(old, -rates[f]);
            const std::size_t best = FindBest(choices, rates[f]);
            if (LoadOf(choices[best], rates[f]).largest < load - EPSILON)
            {
                paths[f] = static_cast<PathNumber>(best + 1);
                ++m_moves;
            }
            Add(choices[paths[f] - 1], rates[f]);
        });
    }
    forEach([&](std::uint32_t f, std::span<const FabricPath> choices) {
        if (paths[f] == NO_PATH)
        {
            const std::size_t best = FindBest(choices, rates[f]);
            paths[f] = static_cast<PathNumber>(best + 1);
            Add(choices[best], rates[f]);
        }
    });
}

} // namespace coflow
