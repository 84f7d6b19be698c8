/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-tcf.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<TotalCoflowFirst>("tcf",
                                     "smallest total size first, as registered; MADD and backfill",
                                     OrderPolicy::Specs());

} // namespace

void
TotalCoflowFirst::Keys(const ClairvoyantView& view,
                       const CoflowLoads& /*loads*/,
                       const PortBudget& /*budget*/,
                       std::span<double> keys) const
{
    for (std::size_t r = 0; r < keys.size(); ++r)
    {
        keys[r] = static_cast<double>(view.sizes[r].total);
    }
}

} // namespace coflow
