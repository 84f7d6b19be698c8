/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fifo.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Fifo>("fifo",
                         "coflows in the order in which they became ready; MADD and "
                         "backfill",
                         Fifo::Specs());

} // namespace

std::vector<ParameterSpec>
Fifo::Specs()
{
    return OrderPolicy::SpecsWithoutGuard();
}

void
Fifo::Keys(const ClairvoyantView& /*view*/,
           const CoflowLoads& /*loads*/,
           const PortBudget& /*budget*/,
           std::span<double> keys) const
{
    // Rows are in the order of readiness already.
    std::fill(keys.begin(), keys.end(), 0.0);
}

} // namespace coflow
