/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-bssi.h"

#include <algorithm>
#include <numeric>

namespace coflow
{

std::vector<std::uint32_t>
BssiOrder(std::span<const std::span<const PortDemand>> loads,
          std::size_t ports,
          std::span<const double> weights,
          const std::function<void(const BssiStep&)>& watch)
{
    // Per port: who loads it, so that a step touches only them.
    struct User
    {
        std::uint32_t row;
        double load;
    };

    std::vector<std::vector<User>> users(ports);
    std::vector<double> total(ports, 0.0);
    for (std::uint32_t r = 0; r < loads.size(); ++r)
    {
        for (const PortDemand& d : loads[r])
        {
            if (d.load > 0)
            {
                users[d.port].push_back({r, d.load});
                total[d.port] += d.load;
            }
        }
    }
    std::vector<double> weight(weights.begin(), weights.end());
    std::vector<std::uint8_t> placed(loads.size(), 0);
    std::vector<std::uint32_t> left(loads.size());
    std::iota(left.begin(), left.end(), 0);
    std::vector<std::uint32_t> order(loads.size());
    for (std::size_t place = loads.size(); place > 0; --place)
    {
        HostPort bottleneck = 0;
        for (HostPort p = 1; p < ports; ++p)
        {
            bottleneck = total[p] >= total[bottleneck] ? p : bottleneck;
        }
        std::uint32_t last = left.back();
        double price = 0;
        bool found = false;
        for (const User& user : users[bottleneck])
        {
            const double ratio = weight[user.row] / user.load;
            if (!placed[user.row] && (!found || ratio <= price))
            {
                found = true;
                price = ratio;
                last = user.row;
            }
        }
        if (found)
        {
            if (watch)
            {
                watch({bottleneck, price, left});
            }
            for (const User& user : users[bottleneck])
            {
                weight[user.row] = std::max(0.0, weight[user.row] - price * user.load);
            }
        }
        placed[last] = 1;
        order[place - 1] = last;
        left.erase(std::lower_bound(left.begin(), left.end(), last));
        for (const PortDemand& d : loads[last])
        {
            auto& list = users[d.port];
            list.erase(std::remove_if(list.begin(),
                                      list.end(),
                                      [&](const User& user) { return user.row == last; }),
                       list.end());
            // Summed anew: a total must be exactly 0 when nobody is left.
            total[d.port] =
                std::accumulate(list.begin(), list.end(), 0.0, [](double sum, const User& user) {
                    return sum + user.load;
                });
        }
    }
    return order;
}

} // namespace coflow
