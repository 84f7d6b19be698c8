/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-varys.h"

#include "ns3/coflow-policy-registry.h"

#include <algorithm>

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<Varys>(
    "varys",
    "smallest effective bottleneck first; MADD, backfill and T/delta against starvation",
    Varys::Specs());

} // namespace

std::vector<ParameterSpec>
Varys::Specs()
{
    std::vector<ParameterSpec> specs = OrderPolicy::Specs();
    specs.push_back(ParameterSpec::Flag(
        "staticKeys",
        false,
        "artefact for comparison: order by bottleneck bytes as registered, never by what is left",
        "CoflowSim"));
    return specs;
}

void
Varys::Keys(const ClairvoyantView& view,
            const CoflowLoads& loads,
            const PortBudget& budget,
            std::span<double> keys) const
{
    const auto rates = budget.Capacities();
    if (!std::equal(rates.begin(), rates.end(), m_rates.begin(), m_rates.end()))
    {
        m_rates.assign(rates.begin(), rates.end());
        m_gammas.clear();
    }
    for (std::size_t r = 0; r < keys.size(); ++r)
    {
        const CoflowRow& row = view.coflows[r];
        if (m_staticKeys)
        {
            keys[r] = static_cast<double>(view.sizes[r].bottleneck);
            continue;
        }
        m_gammas.resize(std::max<std::size_t>(m_gammas.size(), row.index + 1));
        auto& [state, gamma] = m_gammas[row.index];
        if (state != row.state || state == 0)
        {
            state = row.state;
            gamma = Gamma(loads.Of(r), budget);
        }
        keys[r] = gamma;
    }
}

} // namespace coflow
