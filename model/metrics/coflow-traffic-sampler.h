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

/// @param fabric a fabric after Build()
/// @return bytes that wait in the fabric's queues now
::coflow::NetworkSample SampleQueues(const Fabric& fabric);

/// Takes samples of a run at packet level at regular times: the bytes of present coflows that sinks
/// have delivered since the last sample, or since the coflow's arrival where this is later, and the
/// bytes in queues. Coflows that arrive at the time of a sample have no rate yet and are left out.
///
/// The sampler has its own events, which change nothing in the simulated network. The sampler must
/// be destroyed before the simulation is destroyed.
class TrafficSampler
{
  public:
    /// The first sample is one interval after time 0.
    /// @param tracker tracker of the run, after Expect()
    /// @param sinks sinks of all hosts, in the order of hosts
    /// @param fabric the fabric, whose queues are sampled
    /// @param rates rates of the hosts' ports
    /// @param interval time between samples, above 0
    /// @param controlBytes returns the bytes of control messages on the wire; empty: no such bytes
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
    /// Adds the flows of a coflow to the sample.
    /// @return bytes delivered since the last sample
    uint64_t Add(std::size_t index);
    /// @return the arrival of the next coflow that waits for no other coflow; a later time if there
    ///         is none
    ::coflow::Nanoseconds GetNextArrival();

    Ptr<const CoflowTracker> m_tracker;
    Ptr<const Fabric> m_fabric;
    Time m_interval;
    std::function<uint64_t()> m_controlBytes;
    ::coflow::RunSampler m_sampler;
    DeliveredBytes m_delivered;
    std::size_t m_nFinished{0};             ///< finished coflows at the last sample
    ::coflow::Nanoseconds m_nextArrival{0}; ///< see GetNextArrival()
    uint64_t m_nEvents{0};
    EventId m_next;
};

} // namespace ns3::coflow

#endif // COFLOW_TRAFFIC_SAMPLER_H
