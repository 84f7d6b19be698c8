/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLUID_SAMPLER_H
#define COFLOW_FLUID_SAMPLER_H

#include "ns3/coflow-run-sample.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <vector>

namespace coflow
{

/// Takes samples of a run at equal intervals. An executor is asked before it moves on, and
/// tells every unfinished flow as it is at the time of the sample; that changes nothing in the
/// run. A sample costs O(flows present).
class FluidSampler
{
  public:
    /// @param interval time between samples; 0: none are taken
    /// @param capacity rates of the ports
    FluidSampler(Nanoseconds interval, const PortRates& capacity);

    /// When the next sample is due; NEVER: no more.
    Nanoseconds Next() const
    {
        return m_next;
    }

    /// Tells an unfinished flow.
    /// @param coflow position of its coflow in the workload
    /// @param src sending host
    /// @param dst receiving host
    /// @param remaining bytes left, > 0
    /// @param rate bytes per second
    void AddFlow(std::uint32_t coflow, HostId src, HostId dst, double remaining, double rate)
    {
        m_flows.push_back({coflow, src, dst, remaining, rate});
    }

    /// Completes the sample.
    void Take();

    /// All samples.
    std::vector<RunSample>& Samples()
    {
        return m_samples;
    }

  private:
    /// A flow as it was told.
    struct SampledFlow
    {
        std::uint32_t coflow; ///< position of its coflow
        HostId src;           ///< sending host
        HostId dst;           ///< receiving host
        double remaining;     ///< bytes
        double rate;          ///< bytes per second
    };

    /// Puts the flows of each coflow together.
    void Group();

    /// Progress of the coflow whose flows are [begin, end) of m_grouped.
    double Progress(std::size_t begin, std::size_t end);

    Nanoseconds m_interval;             ///< time between samples
    Nanoseconds m_next;                 ///< when the next one is due
    std::vector<double> m_capacity;     ///< per port, sending ports first
    HostId m_hosts;                     ///< number of hosts
    double m_sending{0};                ///< rates of all sending ports together
    std::vector<RunSample> m_samples;   ///< taken so far
    std::vector<SampledFlow> m_flows;   ///< of the sample at hand
    std::vector<SampledFlow> m_grouped; ///< the same, by coflow
    std::vector<std::uint32_t> m_count; ///< working memory: per coflow
    std::vector<double> m_load;         ///< working memory: per port
    std::vector<double> m_rate;         ///< working memory: per port
};

} // namespace coflow

#endif // COFLOW_FLUID_SAMPLER_H
