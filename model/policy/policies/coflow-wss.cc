/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-wss.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Wss>("wss",
                        "weighted shuffle scheduling: max-min with flow sizes as weights",
                        Wss::Specs());

} // namespace

std::vector<ParameterSpec>
Wss::Specs()
{
    return {Triggers::CoalesceSpec(0, "the paper does not say; 0 is at once")};
}

Decision
Wss::Allocate(const ClairvoyantView& view, const PortRates& capacity, std::span<double> rates)
{
    Share(view, capacity, rates, [&](std::uint32_t f) {
        return static_cast<double>(view.bytes[f]);
    });
    return {};
}

} // namespace coflow
