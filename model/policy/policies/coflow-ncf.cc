/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-ncf.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<NarrowestCoflowFirst>(
    "ncf",
    "narrowest coflow first: by the number of flows; MADD and backfill",
    OrderPolicy::Specs());

} // namespace

void
NarrowestCoflowFirst::Keys(const ClairvoyantView& view,
                           const CoflowLoads& /*loads*/,
                           const PortBudget& /*budget*/,
                           std::span<double> keys) const
{
    for (std::size_t r = 0; r < keys.size(); ++r)
    {
        keys[r] = view.coflows[r].width;
    }
}

} // namespace coflow
