/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coflow
{

namespace
{

/// Sums the bytes of the flows that `counts` accepts, per host.
/// @param flows the flows
/// @param end the end of a flow that gives the host: &Flow::src or &Flow::dst
/// @param counts returns whether a flow is included
template <typename Predicate>
std::vector<PortLoad>
SumPerHost(const std::vector<Flow>& flows, HostId Flow::* end, Predicate counts)
{
    HostId largest = 0;
    std::size_t taken = 0;
    for (const Flow& flow : flows)
    {
        if (counts(flow))
        {
            largest = std::max(largest, flow.*end);
            ++taken;
        }
    }
    std::vector<PortLoad> result;
    // A table by host is faster where the table is not much larger than the number of flows.
    if (largest < 4 * taken + 64)
    {
        std::vector<Bytes> table(std::size_t{largest} + 1, -1);
        for (const Flow& flow : flows)
        {
            if (counts(flow))
            {
                Bytes& bytes = table[flow.*end];
                bytes = std::max(bytes, Bytes{0}) + flow.bytes;
            }
        }
        for (HostId host = 0; host <= largest; ++host)
        {
            if (table[host] >= 0)
            {
                result.push_back({host, table[host]});
            }
        }
        return result;
    }
    result.reserve(taken);
    for (const Flow& flow : flows)
    {
        if (counts(flow))
        {
            result.push_back({flow.*end, flow.bytes});
        }
    }
    std::ranges::sort(result, {}, &PortLoad::host);
    std::size_t last = 0;
    for (std::size_t i = 1; i < result.size(); ++i)
    {
        if (result[i].host == result[last].host)
        {
            result[last].bytes += result[i].bytes;
        }
        else
        {
            result[++last] = result[i];
        }
    }
    result.resize(last + 1);
    return result;
}

constexpr auto ANY_FLOW = [](const Flow&) { return true; };
constexpr auto USES_PORTS = [](const Flow& flow) { return !flow.IsLocal(); };

Bytes
LargestLoad(const std::vector<PortLoad>& loads)
{
    return loads.empty() ? 0 : std::ranges::max(loads, {}, &PortLoad::bytes).bytes;
}

double
LongestTime(const std::vector<PortLoad>& loads, const std::vector<double>& rates)
{
    double longest = 0;
    for (const PortLoad& load : loads)
    {
        if (load.bytes > 0)
        {
            const double rate = rates.at(load.host);
            longest = std::max(longest,
                               rate > 0 ? static_cast<double>(load.bytes) / rate
                                        : std::numeric_limits<double>::infinity());
        }
    }
    return longest;
}

} // namespace

std::string_view
BinName(Bin bin)
{
    constexpr std::array<std::string_view, 4> NAMES{"SN", "LN", "SW", "LW"};
    return NAMES[static_cast<std::size_t>(bin)];
}

CoflowStatistics
ComputeStatistics(const Coflow& coflow, const BinLimits& limits)
{
    CoflowStatistics result;
    result.width = coflow.flows.size();
    for (const Flow& flow : coflow.flows)
    {
        result.length = std::max(result.length, flow.bytes);
        result.size += flow.bytes;
        result.localFlows += flow.IsLocal();
    }
    if (result.size > 0)
    {
        const double mean = static_cast<double>(result.size) / static_cast<double>(result.width);
        double squares = 0;
        for (const Flow& flow : coflow.flows)
        {
            const double off = static_cast<double>(flow.bytes) / mean - 1;
            squares += off * off;
        }
        result.skew = std::sqrt(squares / static_cast<double>(result.width));
    }
    result.senders = SumPerHost(coflow.flows, &Flow::src, ANY_FLOW).size();
    result.receivers = SumPerHost(coflow.flows, &Flow::dst, ANY_FLOW).size();
    const PortLoads loads = ComputePortLoads(coflow);
    result.bottleneck = std::max(LargestLoad(loads.ingress), LargestLoad(loads.egress));
    const bool isShort = result.length < limits.shortBytes;
    const bool isNarrow = result.width <= limits.narrowFlows;
    result.bin = isNarrow ? (isShort ? Bin::SN : Bin::LN) : (isShort ? Bin::SW : Bin::LW);
    return result;
}

PortLoads
ComputePortLoads(const Coflow& coflow)
{
    return {SumPerHost(coflow.flows, &Flow::src, USES_PORTS),
            SumPerHost(coflow.flows, &Flow::dst, USES_PORTS)};
}

PortTotals
ComputePortTotals(const Workload& workload)
{
    PortTotals totals{std::vector<Bytes>(workload.hosts), std::vector<Bytes>(workload.hosts)};
    for (const Coflow& coflow : workload.coflows)
    {
        for (const Flow& flow : coflow.flows)
        {
            if (!flow.IsLocal())
            {
                totals.ingress.at(flow.src) += flow.bytes;
                totals.egress.at(flow.dst) += flow.bytes;
            }
        }
    }
    return totals;
}

OfferedLoad
ComputeOfferedLoad(const Workload& workload, const PortRates& rates)
{
    OfferedLoad load;
    if (workload.coflows.empty())
    {
        return load;
    }
    const auto& coflows = workload.coflows;
    load.seconds = static_cast<double>(coflows.back().arrival - coflows.front().arrival) / 1e9;
    double bytes = 0;
    double capacity = 0;
    double longest = 0; // longest time that a port needs for its bytes, in seconds
    const PortTotals totals = ComputePortTotals(workload);
    for (HostId host = 0; host < workload.hosts; ++host)
    {
        bytes += static_cast<double>(totals.ingress[host]);
        capacity += rates.ingress[host];
        longest = std::max({longest,
                            static_cast<double>(totals.ingress[host]) / rates.ingress[host],
                            static_cast<double>(totals.egress[host]) / rates.egress[host]});
    }
    load.mean = bytes > 0 ? bytes / (capacity * load.seconds) : 0;
    load.busiest = longest > 0 ? longest / load.seconds : 0;
    return load;
}

double
GammaSeconds(const Coflow& coflow, const PortRates& rates)
{
    const PortLoads loads = ComputePortLoads(coflow);
    return std::max(LongestTime(loads.ingress, rates.ingress),
                    LongestTime(loads.egress, rates.egress));
}

double
Quantile(const std::vector<double>& sorted, double q)
{
    if (sorted.empty())
    {
        return 0;
    }
    const double rank = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace coflow
