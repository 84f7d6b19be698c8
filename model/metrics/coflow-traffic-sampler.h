/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TRAFFIC_SAMPLER_H
#define COFLOW_TRAFFIC_SAMPLER_H

#include "ns3/coflow-delivered-bytes.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-run-sampler.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-tracker.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::coflow
{

/// @param fabric a fabric that has been built
/// @return what waits in its queues now
::coflow::NetworkSample SampleQueues(const Fabric& fabric);

/// Takes samples of a run at packet level at regular times: of the coflows that are present then,
/// the bytes that sinks delivered since the sample before, or since the coflow's arrival if that
/// came later, and what waits in queues. Coflows that arrive at the very moment have no rate yet
/// and are left out.
///
/// It looks by an event of its own, which changes nothing in the simulated network. It has to be
/// gone before the simulation is destroyed.
class TrafficSampler
{
  public:
    /// The first sample is one interval after time 0.
    /// @param tracker knows what is present; it has been told the workload
    /// @param sinks of all hosts, in the order of hosts
    /// @param fabric has the queues
    /// @param rates of the hosts' ports
    /// @param interval between samples, above 0
    /// @param controlBytes tells how many bytes control has had on the wire; empty: none
    TrafficSampler(Ptr<const CoflowTracker> tracker,
                   std::vector<Ptr<const CoflowSink>> sinks,
                   Ptr<const Fabric> fabric,
                   const ::coflow::PortRates& rates,
                   Time interval,
                   std::function<uint64_t()> controlBytes = {});
    ~TrafficSampler();

    TrafficSampler(const TrafficSampler&) = delete;
    TrafficSampler& operator=(const TrafficSampler&) = delete;

    /// @return all samples so far
    const std::vector<::coflow::RunSample>& GetSamples() const;

    /// @return events that the sampler itself has caused
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

  private:
    void Sample();
    /// Looks at the flows of a coflow.
    /// @return bytes that they had since the last sample
    uint64_t Add(std::size_t index);
    /// @return when the next coflow arrives, of those that wait for no other; the present, where
    ///         there is none
    ::coflow::Nanoseconds GetNextArrival();

    Ptr<const CoflowTracker> m_tracker;
    Ptr<const Fabric> m_fabric;
    Time m_interval;
    std::function<uint64_t()> m_controlBytes;
    ::coflow::RunSampler m_sampler;
    DeliveredBytes m_delivered;
    std::size_t m_nFinished{0};             ///< coflows at the last sample
    ::coflow::Nanoseconds m_nextArrival{0}; ///< see GetNextArrival()
    uint64_t m_nEvents{0};
    EventId m_next;
};

} // namespace ns3::coflow

#endif // COFLOW_TRAFFIC_SAMPLER_H
