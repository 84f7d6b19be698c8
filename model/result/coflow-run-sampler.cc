/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run-sampler.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace coflow
{

RunSampler::RunSampler(Nanoseconds interval, const PortRates& capacity, Nanoseconds first)
    : m_interval(interval),
      m_next(interval > 0 ? first : NEVER),
      m_capacity(capacity.ingress),
      m_hosts(static_cast<HostId>(capacity.ingress.size())),
      m_sending(std::accumulate(capacity.ingress.begin(), capacity.ingress.end(), 0.0))
{
    m_capacity.insert(m_capacity.end(), capacity.egress.begin(), capacity.egress.end());
    m_load.resize(m_capacity.size(), 0.0);
    m_rate.resize(m_capacity.size(), 0.0);
}

void
RunSampler::Group()
{
    std::uint32_t coflows = 0;
    for (const SampledFlow& flow : m_flows)
    {
        coflows = std::max(coflows, flow.coflow + 1);
    }
    m_count.assign(coflows + 1, 0);
    for (const SampledFlow& flow : m_flows)
    {
        ++m_count[flow.coflow + 1];
    }
    std::partial_sum(m_count.begin(), m_count.end(), m_count.begin());
    m_grouped.resize(m_flows.size());
    for (const SampledFlow& flow : m_flows)
    {
        m_grouped[m_count[flow.coflow]++] = flow;
    }
}

double
RunSampler::Progress(std::size_t begin, std::size_t end)
{
    double largest = 0;
    for (std::size_t f = begin; f < end; ++f)
    {
        const SampledFlow& flow = m_grouped[f];
        for (const std::size_t port : {std::size_t{flow.src}, std::size_t{m_hosts} + flow.dst})
        {
            m_load[port] += flow.remaining / m_capacity[port];
            m_rate[port] += flow.rate / m_capacity[port];
            largest = std::max(largest, m_load[port]);
        }
    }
    double progress = std::numeric_limits<double>::infinity();
    for (std::size_t f = begin; f < end; ++f)
    {
        const SampledFlow& flow = m_grouped[f];
        for (const std::size_t port : {std::size_t{flow.src}, std::size_t{m_hosts} + flow.dst})
        {
            if (m_load[port] > 0)
            {
                progress = std::min(progress, m_rate[port] / (m_load[port] / largest));
                m_load[port] = 0;
                m_rate[port] = 0;
            }
        }
    }
    return progress;
}

void
RunSampler::Take(std::optional<double> sending, std::optional<NetworkSample> network)
{
    Group();
    RunSample sample;
    sample.time = m_next;
    sample.network = network;
    sample.flows = m_flows.size();
    double rate = 0;
    for (std::size_t begin = 0; begin < m_grouped.size();)
    {
        std::size_t end = begin;
        for (; end < m_grouped.size() && m_grouped[end].coflow == m_grouped[begin].coflow; ++end)
        {
            rate += m_grouped[end].rate;
        }
        const double progress = Progress(begin, end);
        sample.smallestProgress =
            sample.coflows == 0 ? progress : std::min(sample.smallestProgress, progress);
        sample.largestProgress = std::max(sample.largestProgress, progress);
        ++sample.coflows;
        begin = end;
    }
    sample.utilisation = m_sending > 0 ? sending.value_or(rate) / m_sending : 0;
    const bool isEmpty = sample.flows == 0 && sample.utilisation == 0;
    m_empty = isEmpty ? m_empty + 1 : 0;
    m_samples.push_back(sample);
    m_flows.clear();
    m_next += m_interval;
}

void
RunSampler::SkipEmpty(Nanoseconds end)
{
    if (m_empty >= EMPTY_SAMPLES && m_next < end)
    {
        m_next += (end - 1 - m_next) / m_interval * m_interval;
    }
}

} // namespace coflow
