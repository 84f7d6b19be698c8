/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-max-min.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<MaxMin>(
    "max-min",
    "per-flow max-min fairness, with rates from a coordinator instead of TCP's",
    MaxMin::Specs());

} // namespace

std::vector<ParameterSpec>
MaxMin::Specs()
{
    return {Triggers::CoalesceSpec(0, "rates that are max-min fair at all times")};
}

Decision
MaxMin::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    Share(view, capacity, rates, [](std::uint32_t) { return 1.0; });
    return {};
}

} // namespace coflow
