/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAF_SPINE_PATHS_H
#define LEAF_SPINE_PATHS_H

#include "ns3/coflow-path-map.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace coflow::test
{

/// The paths of leaves that are joined by spines, for tests without a topology: host h is at leaf
/// h / hosts per leaf, link l * spines + s leads from leaf l to spine s, and as many links behind
/// them lead down.
class LeafSpinePaths : public PathMap
{
  public:
    /// @param leaves number of leaves
    /// @param hostsPerLeaf hosts of each
    /// @param spines number of spines
    /// @param rate of every link, in bytes per second
    LeafSpinePaths(std::uint32_t leaves,
                   std::uint32_t hostsPerLeaf,
                   std::uint32_t spines,
                   double rate)
        : m_hostsPerLeaf(hostsPerLeaf),
          m_spines(spines),
          m_rates(2 * leaves * spines, rate)
    {
        for (std::uint32_t from = 0; from < leaves; ++from)
        {
            FabricCut cut;
            cut.inside.resize(leaves * hostsPerLeaf, 0);
            for (std::uint32_t host = 0; host < hostsPerLeaf; ++host)
            {
                cut.inside[from * hostsPerLeaf + host] = 1;
            }
            cut.out = cut.in = rate * spines;
            m_cuts.push_back(cut);
            for (std::uint32_t to = 0; to < leaves; ++to)
            {
                auto& paths = m_paths[{from, to}];
                for (std::uint32_t spine = 0; spine < spines && from != to; ++spine)
                {
                    paths.push_back({spine + 1,
                                     {from * spines + spine, (leaves + to) * spines + spine, 0, 0},
                                     2});
                }
                if (from == to)
                {
                    paths.emplace_back();
                }
            }
        }
    }

    std::uint32_t GetSpines() const
    {
        return m_spines;
    }

    std::span<const double> Rates() const override
    {
        return m_rates;
    }

    std::span<const FabricPath> Between(HostId src, HostId dst) const override
    {
        return m_paths.at({src / m_hostsPerLeaf, dst / m_hostsPerLeaf});
    }

    FabricPath OfHash(HostId src, HostId dst, std::uint64_t hash) const override
    {
        const auto paths = Between(src, dst);
        return paths[(hash >> 40) % paths.size()];
    }

    const std::vector<FabricCut>& Cuts() const override
    {
        return m_cuts;
    }

  private:
    std::uint32_t m_hostsPerLeaf;
    std::uint32_t m_spines;
    std::vector<double> m_rates;
    std::vector<FabricCut> m_cuts;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<FabricPath>> m_paths;
};

} // namespace coflow::test

#endif // LEAF_SPINE_PATHS_H
