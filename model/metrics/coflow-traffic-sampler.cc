/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-traffic-sampler.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

using ::coflow::NEVER;

::coflow::NetworkSample
SampleQueues(const Fabric& fabric)
{
    ::coflow::NetworkSample queues;
    for (LinkPort port = 0; port < fabric.GetTopology()->GetNPorts(); ++port)
    {
        const uint64_t bytes = fabric.GetQueuedBytes(port);
        queues.bytes += bytes;
        queues.largestBytes = std::max(queues.largestBytes, bytes);
    }
    return queues;
}

TrafficSampler::TrafficSampler(Ptr<const CoflowTracker> tracker,
                               std::vector<Ptr<const CoflowSink>> sinks,
                               Ptr<const Fabric> fabric,
                               const ::coflow::PortRates& rates,
                               Time interval,
                               std::function<uint64_t()> controlBytes)
    : m_tracker(std::move(tracker)),
      m_fabric(std::move(fabric)),
      m_interval(interval),
      m_controlBytes(std::move(controlBytes)),
      m_sampler(interval.GetNanoSeconds(), rates, interval.GetNanoSeconds()),
      m_delivered(m_tracker, std::move(sinks)),
      m_next(Simulator::Schedule(interval, &TrafficSampler::Sample, this))
{
}

TrafficSampler::~TrafficSampler()
{
    m_next.Cancel();
}

const std::vector<::coflow::RunSample>&
TrafficSampler::GetSamples() const
{
    return m_sampler.Samples();
}

void
TrafficSampler::Sample()
{
    ++m_nEvents;
    uint64_t bytes = 0;
    for (const auto& finished = m_tracker->GetFinished(); m_nFinished < finished.size();
         ++m_nFinished)
    {
        bytes += Add(finished[m_nFinished]);
    }
    for (const auto index : m_tracker->GetPresent())
    {
        bytes += Add(index);
    }
    auto network = SampleQueues(*m_fabric);
    network.controlBytes = m_controlBytes ? m_controlBytes() : 0;
    m_sampler.Take(static_cast<double>(bytes) / m_interval.GetSeconds(), network);
    if (m_tracker->GetPresent().empty())
    {
        m_sampler.SkipEmpty(GetNextArrival());
    }
    m_next = Simulator::Schedule(NanoSeconds(m_sampler.Next()) - Simulator::Now(),
                                 &TrafficSampler::Sample,
                                 this);
}

::coflow::Nanoseconds
TrafficSampler::GetNextArrival()
{
    // The next arrival is computed again only after its time.
    const auto now = Simulator::Now().GetNanoSeconds();
    if (m_nextArrival <= now)
    {
        auto next = NEVER;
        for (const auto& coflow : m_tracker->GetCoflowRecords())
        {
            if (coflow.arrival > now)
            {
                next = std::min(next, coflow.arrival);
            }
        }
        // No arrival is left, so the time is computed again at the next call.
        m_nextArrival = next == NEVER ? now + 1 : next;
    }
    return m_nextArrival;
}

uint64_t
TrafficSampler::Add(std::size_t index)
{
    const auto arrival = NanoSeconds(m_tracker->GetCoflowRecords()[index].arrival);
    const double seconds = std::min(m_interval, Simulator::Now() - arrival).GetSeconds();
    uint64_t sum = 0;
    m_delivered.Update(index, [&](const auto& record, uint64_t delivered, uint64_t bytes) {
        const auto& flow = record.flow;
        sum += bytes;
        if (record.finish == NEVER && seconds > 0)
        {
            m_sampler.AddFlow(static_cast<uint32_t>(index),
                              flow.src,
                              flow.dst,
                              static_cast<double>(static_cast<uint64_t>(flow.bytes) - delivered),
                              static_cast<double>(bytes) / seconds);
        }
    });
    return sum;
}

} // namespace ns3::coflow
