/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-scf.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<ShortestCoflowFirst>(
    "scf",
    "shortest coflow first: by the largest flow; MADD and backfill",
    OrderPolicy::Specs());

} // namespace

void
ShortestCoflowFirst::Keys(const ClairvoyantView& view,
                          const CoflowLoads& /*loads*/,
                          const PortBudget& /*budget*/,
                          std::span<double> keys) const
{
    for (std::size_t r = 0; r < keys.size(); ++r)
    {
        keys[r] = static_cast<double>(view.sizes[r].length);
    }
}

} // namespace coflow
