/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RUN_SAMPLER_H
#define COFLOW_RUN_SAMPLER_H

#include "ns3/coflow-run-sample.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace coflow
{

/// Takes samples of a run at equal intervals. At each sample, the engine adds all unfinished flows.
/// Samples do not change the run. A sample costs O(unfinished flows).
class RunSampler
{
  public:
    /// @param interval time between samples; 0: no samples
    /// @param capacity rates of the ports
    /// @param first time of the first sample
    RunSampler(Nanoseconds interval, const PortRates& capacity, Nanoseconds first = 0);

    /// Time of the next sample; NEVER: no more samples.
    Nanoseconds Next() const
    {
        return m_next;
    }

    /// Adds an unfinished flow to the present sample.
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
    /// @param sending rate of all senders together, in bytes per second; none: the sum of the
    ///        flows' rates
    /// @param network state of the network, at packet level
    void Take(std::optional<double> sending = {}, std::optional<NetworkSample> network = {});

    /// Leaves out samples of a time without coflows: after EMPTY_SAMPLES empty samples in a row,
    /// all samples before a time except the last one.
    /// @param end time of the next arrival
    void SkipEmpty(Nanoseconds end);

    /// Largest number of empty samples in a row.
    static constexpr std::size_t EMPTY_SAMPLES = 1000;

    /// All samples.
    const std::vector<RunSample>& Samples() const
    {
        return m_samples;
    }

    /// All samples, moved to the caller.
    std::vector<RunSample> Release()
    {
        return std::move(m_samples);
    }

  private:
    /// A flow of the present sample.
    struct SampledFlow
    {
        std::uint32_t coflow; ///< position of its coflow
        HostId src;           ///< sending host
        HostId dst;           ///< receiving host
        double remaining;     ///< bytes left
        double rate;          ///< bytes per second
    };

    /// Groups the flows by coflow.
    void Group();

    /// Progress of the coflow whose flows are [begin, end) of m_grouped.
    double Progress(std::size_t begin, std::size_t end);

    Nanoseconds m_interval;             ///< time between samples
    Nanoseconds m_next;                 ///< time of the next sample
    std::vector<double> m_capacity;     ///< per port, sending ports first
    HostId m_hosts;                     ///< number of hosts
    std::size_t m_empty{0};             ///< number of empty samples at the end
    double m_sending{0};                ///< rates of all sending ports together
    std::vector<RunSample> m_samples;   ///< samples so far
    std::vector<SampledFlow> m_flows;   ///< flows of the present sample
    std::vector<SampledFlow> m_grouped; ///< flows of the present sample, by coflow
    std::vector<std::uint32_t> m_count; ///< working memory: per coflow
    std::vector<double> m_load;         ///< working memory: per port
    std::vector<double> m_rate;         ///< working memory: per port
};

} // namespace coflow

#endif // COFLOW_RUN_SAMPLER_H
