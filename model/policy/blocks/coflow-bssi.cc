/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-bssi.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace coflow
{

namespace
{

/// Values with a smaller relative difference are equal, because sums of loads have rounding errors.
constexpr double TIE = 1e-9;

} // namespace

std::vector<std::uint32_t>
BssiOrder(std::span<const std::span<const PortDemand>> loads,
          std::size_t ports,
          std::span<const double> weights,
          const std::function<void(const BssiStep&)>& watch)
{
    // Per port: the rows with a load at the port, so that a step visits only these rows.
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
    std::vector<std::uint32_t> left(loads.size());
    std::iota(left.begin(), left.end(), 0);
    std::vector<std::uint32_t> order(loads.size());
    for (std::size_t place = loads.size(); place > 0; --place)
    {
        const double most = ports > 0 ? *std::ranges::max_element(total) : 0;
        HostPort bottleneck = 0;
        for (HostPort p = 1; p < ports; ++p)
        {
            bottleneck = total[p] >= most * (1 - TIE) ? p : bottleneck;
        }
        std::uint32_t last = left.back();
        double price = std::numeric_limits<double>::infinity();
        for (const User& user : users[bottleneck])
        {
            price = std::min(price, weight[user.row] / user.load);
        }
        const auto found =
            std::find_if(users[bottleneck].begin(), users[bottleneck].end(), [&](const User& user) {
                return weight[user.row] / user.load <= price * (1 + TIE);
            });
        if (found != users[bottleneck].end())
        {
            last = found->row;
            if (watch)
            {
                watch({bottleneck, price, left});
            }
            for (const User& user : users[bottleneck])
            {
                double& rest = weight[user.row];
                rest -= price * user.load;
                rest = rest < TIE * weights[user.row] ? 0 : rest;
            }
        }
        order[place - 1] = last;
        left.erase(std::ranges::lower_bound(left, last));
        for (const PortDemand& d : loads[last])
        {
            auto& list = users[d.port];
            std::erase_if(list, [&](const User& user) { return user.row == last; });
            // The sum is computed again, because the total must be exactly 0 without users.
            total[d.port] =
                std::accumulate(list.begin(), list.end(), 0.0, [](double sum, const User& user) {
                    return sum + user.load;
                });
        }
    }
    return order;
}

} // namespace coflow
