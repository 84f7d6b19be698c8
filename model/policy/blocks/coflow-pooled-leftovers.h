/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_POOLED_LEFTOVERS_H
#define COFLOW_POOLED_LEFTOVERS_H

#include "ns3/coflow-allocators.h"

#include <cstdint>
#include <span>

namespace coflow
{

/// CoflowSim's rule for the capacity that MADD leaves unused, in place of backfill. It is an
/// artefact for comparisons. First, all coflows that MADD skipped are pooled: each of their flows
/// gets the smaller of its shares of the free rates at its two ports. Then all coflows are served
/// by ready time plus a deadline, and each flow gets the free rate of both its ports. CoflowSim
/// makes the deadline up as Gamma x (1 + U(0, 1)). This function uses the mean of this deadline.
/// @param view the coflows
/// @param skipped rows that MADD has skipped
/// @param budget free rates of the ports, reduced by the flows' rates
/// @param rates per flow of the view; the new rates are added
void PooledLeftovers(const ClairvoyantView& view,
                     std::span<const std::uint32_t> skipped,
                     PortBudget& budget,
                     std::span<double> rates);

} // namespace coflow

#endif // COFLOW_POOLED_LEFTOVERS_H
