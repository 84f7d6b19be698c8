/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DECISION_FORECAST_H
#define COFLOW_DECISION_FORECAST_H

#include "ns3/coflow-port-forecast.h"
#include "ns3/coflow-types.h"

#include <optional>
#include <utility>
#include <vector>

namespace coflow
{

/// Foretells what a run costs in which time is jumped over. There, bytes cost nothing. When a
/// coflow comes or ends, a coordinator decides, and tells rates to the flows that are present:
/// that is what costs. So the cost of a run follows from the number of flows that are present at
/// the arrivals and the ends of coflows: a sum of powers of it, as measured.
class DecisionForecast
{
  public:
    /// @param workload what is run
    /// @param rates of all receiving ports, in bytes per second
    DecisionForecast(const Workload& workload, std::vector<double> rates);

    /// @param flows that are present when a coflow comes, it included, or ends
    /// @return what the decision costs, in a unit of its own
    static double CostOf(double flows);

    /// What has been paid is held against what is foretold now for the rest.
    /// @param now a time in the run
    /// @param left the groups that are present or have yet to come, with what is left of them
    /// @param paid what the decisions up to now have cost, where somebody has counted it; none:
    /// what
    ///        was foretold for them at the start. That is better where decisions are made at other
    ///        times than those of coflows, for then the same is left out of both
    /// @return share of the cost of the run that has been paid, from 0 to 1
    double PaidShare(Nanoseconds now,
                     std::vector<ForecastGroup> left,
                     std::optional<double> paid = std::nullopt) const;

  private:
    /// Seconds, and the cost up to then.
    using Costs = std::vector<std::pair<double, double>>;

    /// @return what the arrivals and ends of groups cost, by time
    Costs GetCosts(std::vector<ForecastGroup> groups) const;

    /// @return what costs are up to a time
    static double UpTo(Nanoseconds now, const Costs& costs);

    std::vector<double> m_rates; ///< of receiving ports
    Costs m_all;                 ///< as foretold at the start
};

} // namespace coflow

#endif // COFLOW_DECISION_FORECAST_H
