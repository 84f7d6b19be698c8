/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-graviton.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>

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
               const CoflowLoads& counts,
               std::span<double> keys) const
{
    for (std::size_t r = 0; r < keys.size(); ++r)
    {
        if (queues[r] == Queues() - 1)
        {
            continue;
        }
        // Sending ports have the smaller numbers; the receivers are the ports that are left.
        const auto ports = counts.Of(r);
        const auto width = std::count_if(ports.begin(), ports.end(), [&](const PortDemand& d) {
            return d.port >= counts.Hosts();
        });
        keys[r] = static_cast<double>(queues[r] < Queues() - 3 ? width : -width);
    }
}

} // namespace coflow
