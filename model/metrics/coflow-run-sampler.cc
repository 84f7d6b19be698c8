/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run-sampler.h"

#include "ns3/abort.h"
#include "ns3/coflow-host-rates.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3::coflow
{

using ::coflow::QueueSample;
using ::coflow::RunSample;

RunSampler::RunSampler(Ptr<const CoflowTracker> tracker, Ptr<const Fabric> fabric, Time interval)
    : m_tracker(std::move(tracker)),
      m_fabric(std::move(fabric)),
      m_interval(interval)
{
    NS_ABORT_MSG_UNLESS(interval.IsStrictlyPositive(), "time does not pass between samples");
    const auto rates = GetHostRates(*m_fabric->GetTopology());
    m_bytesPerInterval =
        std::accumulate(rates.ingress.begin(), rates.ingress.end(), 0.0) * interval.GetSeconds();
    m_event = Simulator::Schedule(m_interval, &RunSampler::Sample, this);
}

RunSampler::~RunSampler()
{
    m_event.Cancel();
}

const std::vector<RunSample>&
RunSampler::GetSamples() const
{
    return m_samples;
}

uint64_t
RunSampler::GetNEvents() const
{
    return m_samples.size();
}

void
RunSampler::Sample()
{
    const auto& topology = *m_fabric->GetTopology();
    uint64_t sent = 0;
    QueueSample queues;
    for (PortId port = 0; port < topology.GetNPorts(); ++port)
    {
        const PortStatistics s = m_fabric->GetPortStatistics(port);
        queues.bytes += s.queuedBytes;
        queues.largestBytes = std::max(queues.largestBytes, s.queuedBytes);
    }
    for (HostId host = 0; host < topology.GetNHosts(); ++host)
    {
        sent += m_fabric->GetPortStatistics(Topology::GetUplink(host)).bytes;
    }
    RunSample sample{.time = Simulator::Now().GetNanoSeconds(),
                     .coflows = m_tracker->GetNPresent(),
                     .flows = m_tracker->GetNPresentFlows(),
                     .utilisation = static_cast<double>(sent - m_sentBytes) / m_bytesPerInterval,
                     .smallestProgress = RunSample::NOT_MEASURED,
                     .largestProgress = RunSample::NOT_MEASURED,
                     .queues = queues};
    m_sentBytes = sent;
    m_samples.push_back(sample);
    m_event = Simulator::Schedule(m_interval, &RunSampler::Sample, this);
}

} // namespace ns3::coflow
