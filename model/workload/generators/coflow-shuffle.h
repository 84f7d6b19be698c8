/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SHUFFLE_H
#define COFLOW_SHUFFLE_H

#include "ns3/coflow-parameter.h"
#include "ns3/coflow-random.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-types.h"

#include <array>
#include <cstdint>
#include <vector>

namespace coflow
{

/// Shares of the four bins, in the order of ALL_BINS; their sum need not be one.
using BinShares = std::array<double, ALL_BINS.size()>;

/// Adds the parameters `sn`, `ln`, `sw`, `lw` for ReadBinShares(), the parameters for
/// SetPoissonArrivals(), and `seed`.
/// @param shares defaults of the shares
/// @param load default of `load`
void AddMixParameters(std::vector<ParameterSpec>& specs, const BinShares& shares, double load);

/// @throws InputError where all shares are 0
BinShares ReadBinShares(const Parameters& parameters);

/// Draws `coflows` bins in random order. The counts of bins follow the shares by the method of the
/// largest remainder.
std::vector<Bin> DrawBins(const BinShares& shares, std::uint64_t coflows, Random& random);

/// Numbers of senders and receivers of a coflow in which every sender sends to every receiver.
struct ShuffleShape
{
    HostId senders{1};
    HostId receivers{1};
};

/// Smallest number of hosts on which such a coflow can be wide: 8 * 8 flows are more than 50.
inline constexpr HostId LEAST_HOSTS_FOR_WIDE = 8;

/// Changes the shape as little as possible, so that the coflow is narrow or wide as its bin
/// requires, by the limit of BinLimits. The number of receivers changes first, and then the number
/// of senders.
/// @param shape the shape; each number is from 1 to hosts
/// @param bin the required bin
/// @param hosts number of hosts, at least LEAST_HOSTS_FOR_WIDE
ShuffleShape FitToBin(ShuffleShape shape, Bin bin, HostId hosts);

/// Adds flows from every sender to every receiver, ordered by receiver.
/// @param coflow the coflow, which the flows are added to
/// @param senders sending hosts
/// @param receivers receiving hosts
/// @param bytes bytes from each sender to a receiver, one value per receiver
void AddShuffle(Coflow& coflow,
                const std::vector<HostId>& senders,
                const std::vector<HostId>& receivers,
                const std::vector<Bytes>& bytes);

} // namespace coflow

#endif // COFLOW_SHUFFLE_H
