/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLUID_FORECAST_H
#define COFLOW_FLUID_FORECAST_H

#include "ns3/coflow-fluid-run.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-port-forecast.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace coflow
{

/// Foretells what a run has yet to do, so that a person who waits can be told how long the run
/// goes on. Bytes do not tell: at some events few flows are present and at others a hundred
/// thousand, and a byte of a large flow needs fewer events than a byte of a small one.
///
/// The forecast is that of ForecastChanges(), in which only receiving ports limit flows. What is
/// foretold is at how many points in time something happens, and how many flows are present then.
class FluidForecast
{
  public:
    /// What has yet to happen.
    struct Work
    {
        double events{0};  ///< points in time at which groups come or finish
        double present{0}; ///< flows that are present after each of these, summed up
    };

    /// @param run what is run; has to outlive the forecast
    explicit FluidForecast(const FluidRun& run);

    /// @param now time of the last event
    /// @param flows the unfinished flows that are present, as the scheduler sees them
    /// @return what has yet to happen. Coflows that have not started come at their arrival
    Work Left(Nanoseconds now, std::span<const FlowState> flows) const;

    /// @return what happens in the whole run, coflows that were rejected left out
    const Work& All();

    /// @param now time of the last event
    /// @param flows as for Left()
    /// @param weight how much of the cost of an event goes with the flows that are present, from 0
    ///        to 1, over the whole run; the rest is the same for all events
    /// @return share of the cost of the run that has been paid, from 0 to 1
    double PaidShare(Nanoseconds now, std::span<const FlowState> flows, double weight);

  private:
    /// What happens to groups.
    Work WorkOf(std::vector<ForecastGroup> groups) const;

    const FluidRun& m_run;                            ///< what is run
    std::vector<std::vector<ForecastGroup>> m_groups; ///< per coflow of the workload
    std::size_t m_rejected{0};                        ///< coflows that m_all leaves out
    std::optional<Work> m_all;                        ///< see All()
};

} // namespace coflow

#endif // COFLOW_FLUID_FORECAST_H
