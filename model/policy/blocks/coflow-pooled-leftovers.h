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

/// What CoflowSim does with the rates that MADD leaves, in place of backfill; an artefact for
/// comparison. All coflows that MADD skipped are pooled: each of their flows gets the smaller of
/// its parts of what is free at its two ports, once. Then all coflows, by the time at which
/// they became ready plus a deadline, take flow by flow what both ports have left. The deadline
/// is made up: Gamma x (1 + U(0, 1)) there, its mean here.
/// @param view the coflows
/// @param skipped rows that MADD skipped
/// @param budget what is free; reduced
/// @param rates per flow of the view; added to
void PooledLeftovers(const ClairvoyantView& view,
                     std::span<const std::uint32_t> skipped,
                     PortBudget& budget,
                     std::span<double> rates);

} // namespace coflow

#endif // COFLOW_POOLED_LEFTOVERS_H
