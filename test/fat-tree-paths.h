/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAT_TREE_PATHS_H
#define FAT_TREE_PATHS_H

#include "ns3/coflow-path-map.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace coflow::test
{

/// The paths of a fat-tree of k = 4, for tests without a topology. Hosts 2 e and 2 e + 1 are at
/// edge switch e, and edge switches 2 p and 2 p + 1 in pod p. Between pods there are four paths:
/// over aggregation switch a and core switch c, number 2 a + c + 1. In a pod there are two. Every
/// hash leads over the first path, so that ECMP's paths collide.
class FatTreePaths : public PathMap
{
  public:
    /// @param rate of every link, in bytes per second
    explicit FatTreePaths(double rate)
        : m_rates(4 * 16, rate)
    {
        for (std::uint32_t from = 0; from < 8; ++from)
        {
            for (std::uint32_t to = 0; to < 8; ++to)
            {
                auto& paths = m_paths[{from, to}];
                for (std::uint32_t a = 0; a < 2 && from != to; ++a)
                {
                    const std::uint32_t up = 2 * from + a;
                    const std::uint32_t down = 48 + 2 * to + a;
                    if (from / 2 == to / 2)
                    {
                        paths.push_back({a + 1, {up, down, 0, 0}, 2});
                        continue;
                    }
                    for (std::uint32_t c = 0; c < 2; ++c)
                    {
                        const std::uint32_t rise = 16 + 4 * (from / 2) + 2 * a + c;
                        const std::uint32_t fall = 32 + 4 * (to / 2) + 2 * a + c;
                        paths.push_back({2 * a + c + 1, {up, rise, fall, down}, 4});
                    }
                }
                if (from == to)
                {
                    paths.emplace_back();
                }
            }
        }
    }

    std::span<const double> Rates() const override
    {
        return m_rates;
    }

    std::span<const FabricPath> Between(HostId src, HostId dst) const override
    {
        return m_paths.at({src / 2, dst / 2});
    }

    FabricPath OfHash(HostId src, HostId dst, std::uint64_t /*hash*/) const override
    {
        return Between(src, dst)[0];
    }

    const std::vector<FabricCut>& Cuts() const override
    {
        return m_cuts;
    }

  private:
    std::vector<double> m_rates;
    std::vector<FabricCut> m_cuts; ///< none: nobody asks for the bound
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<FabricPath>> m_paths;
};

} // namespace coflow::test

#endif // FAT_TREE_PATHS_H
