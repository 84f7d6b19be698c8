/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-sincronia.h"

#include "ns3/coflow-bssi.h"
#include "ns3/coflow-policy-registry.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<Sincronia>(
    "sincronia",
    "bottleneck-select-scale-iterate order over remaining bytes, served by priority",
    Sincronia::Specs());

} // namespace

std::vector<ParameterSpec>
Sincronia::Specs()
{
    std::vector<ParameterSpec> specs = OrderPolicy::SpecsWithoutGuard();
    specs.push_back(ParameterSpec::Choice(
        "rates",
        {"greedy", "madd", "classes"},
        "how the order is served: greedy, each flow gets all that its two ports have left; madd, "
        "as under Varys; classes, by priority classes",
        "Sincronia, SIGCOMM 2018: any way that keeps the order and lets no port idle"));
    specs.push_back({"levels",
                     Unit::COUNT,
                     8,
                     1,
                     64,
                     "number of priority classes with rates=classes: each of the first coflows has "
                     "a separate class, and all others share the last one",
                     "Sincronia, SIGCOMM 2018"});
    specs.push_back({"epoch",
                     Unit::SECONDS,
                     0,
                     0,
                     1e6,
                     "the order is computed at multiples of this time, and new coflows come last "
                     "until then; 0: whenever a coflow comes or goes",
                     "own choice: the ideal of the paper; Sincronia, SIGCOMM 2018, has epochs",
                     Scaling::WORKLOAD});
    return specs;
}

Sincronia::Sincronia(const Parameters& parameters)
    : OrderPolicy(parameters),
      m_madd(parameters.Is("rates", "madd")),
      m_greedy(parameters.Is("rates", "greedy")),
      m_levels(parameters.Count("levels")),
      m_epoch(parameters.Time("epoch")),
      m_rescues(parameters.Time("T") > 0)
{
}

Triggers
Sincronia::GetTriggers() const
{
    return m_madd ? OrderPolicy::GetTriggers() : Triggers{true, 0};
}

FluidForm
Sincronia::GetForm() const
{
    return m_greedy && m_epoch == 0 && !m_rescues ? FluidForm(OrderForm{}) : FluidForm();
}

std::vector<std::uint32_t>
Sincronia::Order(std::span<const std::uint32_t> rows,
                 const CoflowLoads& loads,
                 const PortBudget& budget)
{
    std::vector<std::vector<PortDemand>> times;
    for (const std::uint32_t r : rows)
    {
        times.emplace_back(loads.Of(r).begin(), loads.Of(r).end());
        for (PortDemand& d : times.back())
        {
            d.load /= budget.Capacity(d.port);
        }
    }
    const std::vector<std::span<const PortDemand>> spans(times.begin(), times.end());
    const std::vector<double> weights(times.size(), 1.0);
    std::vector<std::uint32_t> order;
    for (const auto place : BssiOrder(spans, budget.Ports(), weights))
    {
        order.push_back(rows[place]);
    }
    return order;
}

bool
Sincronia::IsOrdered(const ClairvoyantView& view) const
{
    return std::equal(view.coflows.begin(),
                      view.coflows.end(),
                      m_members.begin(),
                      m_members.end(),
                      [](const CoflowRow& row, const auto& member) {
                          return std::pair(row.index, row.revision) == member;
                      });
}

void
Sincronia::Keys(const ClairvoyantView& view,
                const CoflowLoads& loads,
                const PortBudget& budget,
                std::span<double> keys) const
{
    const Nanoseconds begin = m_epoch == 0 ? view.now : view.now / m_epoch * m_epoch;
    if (m_epoch == 0 ? !IsOrdered(view) : begin != m_ordered)
    {
        m_ordered = begin;
        m_members.clear();
        for (const CoflowRow& row : view.coflows)
        {
            m_members.emplace_back(row.index, row.revision);
        }
        std::vector<std::uint32_t> rows;
        for (std::uint32_t r = 0; r < view.coflows.size(); ++r)
        {
            if (view.coflows[r].ready <= begin)
            {
                rows.push_back(r);
            }
        }
        m_places.clear();
        std::size_t place = 0;
        for (const std::uint32_t r : Order(rows, loads, budget))
        {
            const std::uint32_t index = view.coflows[r].index;
            m_places.resize(std::max<std::size_t>(m_places.size(), index + 1), 0);
            m_places[index] = ++place;
        }
    }
    for (std::size_t r = 0; r < keys.size(); ++r)
    {
        keys[r] = HasPlace(view.coflows[r]) ? static_cast<double>(m_places[view.coflows[r].index])
                                            : INFINITE_TIME;
    }
}

Nanoseconds
Sincronia::NextOrder(const ClairvoyantView& view) const
{
    // If all coflows have a position, a new order would be of the same coflows. Such an order can
    // wait for the next event.
    const bool late =
        std::ranges::any_of(view.coflows, [this](const CoflowRow& row) { return !HasPlace(row); });
    return late ? (view.now / m_epoch + 1) * m_epoch : NEVER;
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
            // The last class is served after the addition of all its coflows.
            if (rank + 1 < m_levels || rank + 1 == order.size())
            {
                m_filler.Fill(budget, rates);
            }
        }
        return;
    }
    for (std::uint32_t r : order)
    {
        // The flows are sorted by hosts, so that their order in the workload does not matter.
        m_flows.resize(view.coflows[r].Count());
        std::iota(m_flows.begin(), m_flows.end(), view.coflows[r].begin);
        std::ranges::sort(m_flows, [&view](std::uint32_t a, std::uint32_t b) {
            return std::tie(view.src[a], view.dst[a], a) < std::tie(view.src[b], view.dst[b], b);
        });
        for (std::uint32_t f : m_flows)
        {
            rates[f] = TakeAll(view.src[f], view.dst[f], budget);
        }
    }
}

} // namespace coflow
