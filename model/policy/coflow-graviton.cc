/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-graviton.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<Graviton>(
    "graviton",
    "Aalo's queues; thin coflows first in high ones, wide ones first in low ones",
    Graviton::Specs());

} // namespace

std::vector<ParameterSpec>
Graviton::Specs()
{
    std::vector<ParameterSpec> specs = DclasPolicy::Specs(7);
    specs.push_back(ParameterSpec::Flag("allOrNone",
                                        true,
                                        "serve a coflow only if all its receivers have rate left",
                                        "Graviton, section 4"));
    return specs;
}

void
Graviton::Keys(const AttainedView& /*view*/,
               std::span<const int> queues,
               const PortIndex& index,
               std::span<double> keys) const
{
    for (std::size_t r = 0; r < keys.size(); ++r)
    {
        if (queues[r] == Queues() - 1)
        {
            continue;
        }
        const double width = index.Of(r).Receivers();
        keys[r] = queues[r] < Queues() - 3 ? width : -width;
    }
}

} // namespace coflow
