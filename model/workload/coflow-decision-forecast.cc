/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-decision-forecast.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace coflow
{

namespace
{

/// A decision costs as many rates as there are flows, but most of these come together, and not all
/// of them change. What is left is dearer than what has been, the more so the more is left, as long
/// coflows meet late. What these numbers make of the public trace is in doc/look-inside.md.
constexpr double COST_EXPONENT = 0.75;
constexpr double LATER_COST = 0.8;

} // namespace

DecisionForecast::DecisionForecast(const Workload& workload, std::vector<double> rates)
    : m_rates(std::move(rates))
{
    std::vector<ForecastGroup> groups;
    for (std::uint32_t index = 0; index < workload.coflows.size(); ++index)
    {
        const auto own = MakeForecastGroups(workload.coflows[index], index);
        groups.insert(groups.end(), own.begin(), own.end());
    }
    m_all = GetCosts(std::move(groups));
}

double
DecisionForecast::CostOf(double flows)
{
    return std::pow(flows, COST_EXPONENT);
}

DecisionForecast::Costs
DecisionForecast::GetCosts(std::vector<ForecastGroup> groups) const
{
    const auto changes = ForecastChanges(std::move(groups), m_rates);
    std::unordered_map<std::uint32_t, std::size_t> last; // change of each coflow
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        last[changes[i].coflow] = i;
    }
    Costs costs;
    double present = 0;
    double cost = 0;
    for (std::size_t i = 0; i < changes.size(); ++i)
    {
        const ForecastChange& change = changes[i];
        const double before = present;
        present += change.flows;
        // All groups of a coflow come at once: the last of them counts.
        const bool hasCome =
            change.flows > 0 && (i + 1 == changes.size() || changes[i + 1].time != change.time ||
                                 changes[i + 1].coflow != change.coflow);
        const bool ends = change.flows < 0 && last.at(change.coflow) == i;
        if (hasCome || ends)
        {
            cost += CostOf(std::max(before, present));
            costs.emplace_back(change.time, cost);
        }
    }
    return costs;
}

double
DecisionForecast::UpTo(Nanoseconds now, const Costs& costs)
{
    const auto next =
        std::upper_bound(costs.begin(),
                         costs.end(),
                         static_cast<double>(now) * 1e-9,
                         [](double time, const auto& cost) { return time < cost.first; });
    return next == costs.begin() ? 0 : std::prev(next)->second;
}

double
DecisionForecast::PaidShare(Nanoseconds now,
                            std::vector<ForecastGroup> left,
                            std::optional<double> counted) const
{
    const double paid = counted ? *counted : UpTo(now, m_all);
    const auto rest = GetCosts(std::move(left));
    // That the groups which are present come is no cost any more.
    const double unpaid = rest.empty() ? 0 : rest.back().second - UpTo(now, rest);
    if (paid + unpaid <= 0)
    {
        return 1;
    }
    const double later = 1 + LATER_COST * unpaid / (paid + unpaid);
    return paid / (paid + later * unpaid);
}

} // namespace coflow
