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

/// Takes samples of a run at equal intervals. Whoever runs it tells every unfinished flow as it is
/// at the time of the sample; that changes nothing in the run. A sample costs O(flows present).
class RunSampler
{
  public:
    /// @param interval time between samples; 0: none are taken
    /// @param capacity rates of the ports
    /// @param first time of the first sample
    RunSampler(Nanoseconds interval, const PortRates& capacity, Nanoseconds first = 0);

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
    /// @param sending bytes per second that all senders together had; not given: the sum of the
    ///        rates told
    /// @param network what the network looks like, where packets are simulated
    void Take(std::optional<double> sending = {}, std::optional<NetworkSample> network = {});

    /// Leaves out samples of a time in which nothing is present: after EMPTY_SAMPLES of them in a
    /// row, all that are due before a time but the last one.
    /// @param end up to when nothing comes
    void SkipEmpty(Nanoseconds end);

    /// So many samples in a row are taken although nothing is present.
    static constexpr std::size_t EMPTY_SAMPLES = 1000;

    /// All samples.
    const std::vector<RunSample>& Samples() const
    {
        return m_samples;
    }

    /// All samples, handed over.
    std::vector<RunSample> Release()
    {
        return std::move(m_samples);
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
    std::size_t m_empty{0};             ///< samples in a row, the last of all, that had nothing
    double m_sending{0};                ///< rates of all sending ports together
    std::vector<RunSample> m_samples;   ///< taken so far
    std::vector<SampledFlow> m_flows;   ///< of the sample at hand
    std::vector<SampledFlow> m_grouped; ///< the same, by coflow
    std::vector<std::uint32_t> m_count; ///< working memory: per coflow
    std::vector<double> m_load;         ///< working memory: per port
    std::vector<double> m_rate;         ///< working memory: per port
};

} // namespace coflow

#endif // COFLOW_RUN_SAMPLER_H
