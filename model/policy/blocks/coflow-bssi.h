/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BSSI_H
#define COFLOW_BSSI_H

#include "ns3/coflow-allocators.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace coflow
{

/// One step of the primal-dual ordering. At `port`, every coflow of `members` pays `price` x its
/// load.
struct BssiStep
{
    HostPort port{0}; ///< the bottleneck
    double price{0};  ///< weight per load
    /// Rows without a position, the row of this step included.
    std::span<const std::uint32_t> members;
};

/// Bottleneck-select-scale-iterate of Sincronia (SIGCOMM 2018), the primal-dual ordering of
/// Mastrolilli et al. (2010) for the concurrent open shop: from the last position to the first,
/// take the port with the largest total load (ties: largest number), give the position to the
/// coflow with the smallest weight per load at this port (ties: the first row, as in the authors'
/// code), and reduce the weights of the other coflows.
///
/// Costs O(coflows x (coflows + ports)).
/// @param loads per row: load over rate of the port, ports that it uses
/// @param ports number of ports
/// @param weights per row, > 0
/// @param watch called for every step, for bounds; may be empty
/// @returns rows, first to last
std::vector<std::uint32_t> BssiOrder(std::span<const std::span<const PortDemand>> loads,
                                     std::size_t ports,
                                     std::span<const double> weights,
                                     const std::function<void(const BssiStep&)>& watch = {});

} // namespace coflow

#endif // COFLOW_BSSI_H
