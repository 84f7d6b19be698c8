/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lcf.h"

#include "ns3/coflow-policy-registry.h"

#include <numeric>

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<LightestCoflowFirst>(
    "lcf",
    "lightest coflow first: by the bytes left; MADD and backfill",
    OrderPolicy::Specs());

} // namespace

void
LightestCoflowFirst::Keys(const ClairvoyantView& view,
                          const CoflowLoads& /*loads*/,
                          const PortBudget& /*budget*/,
                          std::span<double> keys) const
{
    for (std::size_t r = 0; r < keys.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        keys[r] = std::accumulate(view.remaining.begin() + row.begin,
                                  view.remaining.begin() + row.end,
                                  0.0);
    }
}

} // namespace coflow
