/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-max-min.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<MaxMin>("max-min",
                           "per-flow max-min fair rates by a coordinator: fair without TCP",
                           {});

} // namespace

Decision
MaxMin::Allocate(const AttainedView& view, const PortRates& capacity, std::span<double> rates)
{
    m_budget.Reset(capacity);
    view.ForEachFlow(
        [&](std::uint32_t f) { m_filler.Add(f, view.src[f], view.dst[f], 1.0, m_budget); });
    m_filler.Fill(m_budget, rates);
    return {};
}

} // namespace coflow
