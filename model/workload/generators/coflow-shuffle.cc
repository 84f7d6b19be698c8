/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-shuffle.h"

#include "ns3/coflow-arrivals.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>

namespace coflow
{

void
AddMixParameters(std::vector<ParameterSpec>& specs, const BinShares& shares, double load)
{
    specs.push_back({"sn", Unit::NUMBER, shares[0], 0, 1e6, "share of short and narrow coflows"});
    specs.push_back({"ln", Unit::NUMBER, shares[1], 0, 1e6, "share of long and narrow coflows"});
    specs.push_back({"sw", Unit::NUMBER, shares[2], 0, 1e6, "share of short and wide coflows"});
    specs.push_back({"lw", Unit::NUMBER, shares[3], 0, 1e6, "share of long and wide coflows"});
    std::ranges::move(PoissonParameters(load), std::back_inserter(specs));
    specs.push_back({"seed", Unit::COUNT, 1, 0, 9007199254740992, "seed of the random numbers"});
}

BinShares
ReadBinShares(const Parameters& parameters)
{
    const BinShares shares{parameters["sn"], parameters["ln"], parameters["sw"], parameters["lw"]};
    if (std::ranges::all_of(shares, [](double share) { return share == 0; }))
    {
        parameters.Fail("sn", "a share > 0 of at least one of sn, ln, sw, lw");
    }
    return shares;
}

std::vector<Bin>
DrawBins(const BinShares& shares, std::uint64_t coflows, Random& random)
{
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    std::array<double, ALL_BINS.size()> remainders{};
    std::vector<Bin> bins;
    bins.reserve(coflows);
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        const double wanted = static_cast<double>(coflows) * shares[i] / sum;
        const auto whole = std::min(static_cast<std::size_t>(wanted), coflows - bins.size());
        bins.insert(bins.end(), whole, ALL_BINS[i]);
        // A bin with the share 0 gets none of the remaining coflows.
        remainders[i] = shares[i] > 0 ? wanted - static_cast<double>(whole) : -1;
    }
    while (bins.size() < coflows)
    {
        const auto largest = std::ranges::max_element(remainders);
        bins.push_back(ALL_BINS[static_cast<std::size_t>(largest - remainders.begin())]);
        *largest -= 1;
    }
    random.Shuffle(bins);
    return bins;
}

ShuffleShape
FitToBin(ShuffleShape shape, Bin bin, HostId hosts)
{
    constexpr HostId NARROW = BinLimits{}.narrowFlows;
    const bool isNarrow = bin == Bin::SN || bin == Bin::LN;
    if (isNarrow)
    {
        shape.senders = std::min(shape.senders, NARROW);
        shape.receivers = std::min(shape.receivers, NARROW / shape.senders);
        return shape;
    }
    shape.senders = std::max(shape.senders, NARROW / hosts + 1);
    shape.receivers = std::max(shape.receivers, NARROW / shape.senders + 1);
    return shape;
}

void
AddShuffle(Coflow& coflow,
           const std::vector<HostId>& senders,
           const std::vector<HostId>& receivers,
           const std::vector<Bytes>& bytes)
{
    coflow.flows.reserve(coflow.flows.size() + senders.size() * receivers.size());
    for (std::size_t r = 0; r < receivers.size(); ++r)
    {
        for (const HostId sender : senders)
        {
            coflow.flows.push_back(
                {static_cast<FlowId>(coflow.flows.size()), sender, receivers[r], bytes[r]});
        }
    }
}

} // namespace coflow
