/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-sincronia.h"

#include "ns3/coflow-bssi.h"
#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Sincronia>("sincronia",
                              "oracle: bottleneck-select-scale-iterate order over remaining bytes",
                              Sincronia::Specs());

} // namespace

std::vector<ParameterSpec>
Sincronia::Specs()
{
    std::vector<ParameterSpec> specs = OrderPolicy::SpecsWithoutGuard();
    specs.push_back(ParameterSpec::Choice("rates",
                                          {"madd", "greedy", "classes"},
                                          "how the order is served",
                                          "any order-preserving way is within 4 times the "
                                          "optimum: Sincronia, SIGCOMM 2018"));
    specs.push_back({"levels",
                     Unit::COUNT,
                     8,
                     1,
                     64,
                     "priority classes for rates=classes: each of the first coflows has its own, "
                     "all others share the last",
                     "Sincronia, SIGCOMM 2018"});
    return specs;
}

Sincronia::Sincronia(const Parameters& parameters)
    : OrderPolicy(parameters),
      m_madd(parameters.Is("rates", "madd")),
      m_greedy(parameters.Is("rates", "greedy")),
      m_levels(parameters.Count("levels"))
{
}

Triggers
Sincronia::GetTriggers() const
{
    return m_madd ? OrderPolicy::GetTriggers() : Triggers{true, 0};
}

void
Sincronia::Keys(const ClairvoyantView& view,
                const CoflowLoads& loads,
                const PortBudget& budget,
                std::span<double> keys) const
{
    std::vector<std::vector<PortDemand>> times;
    for (std::size_t r = 0; r < view.coflows.size(); ++r)
    {
        times.emplace_back(loads.Of(r).begin(), loads.Of(r).end());
        for (PortDemand& d : times.back())
        {
            d.load /= budget.Capacity(d.port);
        }
    }
    const std::vector<std::span<const PortDemand>> spans(times.begin(), times.end());
    const std::vector<double> weights(times.size(), 1.0);
    const auto order = BssiOrder(spans, budget.Ports(), weights);
    for (std::size_t place = 0; place < order.size(); ++place)
    {
        keys[order[place]] = static_cast<double>(place);
    }
}

void
Sincronia::Serve(const ClairvoyantView& view,
                 std::span<const std::uint32_t> order,
                 const CoflowLoads& loads,
                 PortBudget& budget,
                 std::span<double> rates)
{
    if (m_madd)
    {
        OrderPolicy::Serve(view, order, loads, budget, rates);
        return;
    }
    if (!m_greedy)
    {
        for (std::size_t rank = 0; rank < order.size(); ++rank)
        {
            const CoflowRow& row = view.coflows[order[rank]];
            for (std::uint32_t f = row.begin; f < row.end; ++f)
            {
                m_filler.Add(f, view.src[f], view.dst[f], 1.0, budget);
            }
            // The last class is served when all its coflows are in.
            if (rank + 1 < m_levels || rank + 1 == order.size())
            {
                m_filler.Fill(budget, rates);
            }
        }
        return;
    }
    for (std::uint32_t r : order)
    {
        for (std::uint32_t f = view.coflows[r].begin; f < view.coflows[r].end; ++f)
        {
            rates[f] = TakeAll(view.src[f], view.dst[f], budget);
        }
    }
}

} // namespace coflow
