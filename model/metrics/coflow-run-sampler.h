/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RUN_SAMPLER_H
#define COFLOW_RUN_SAMPLER_H

#include "ns3/coflow-fabric.h"
#include "ns3/coflow-run-sample.h"
#include "ns3/coflow-tracker.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// Takes samples of a run at packet level at regular times: what is present, how busy the hosts'
/// uplinks were since the last sample, and what waits in queues. It costs one event and a look at
/// every port per interval, and changes nothing in the network.
class RunSampler
{
  public:
    /// The first sample is one interval after now, and sampling goes on until it is gone, which has
    /// to be before the simulation is destroyed.
    /// @param tracker knows what is present
    /// @param fabric has been built
    /// @param interval time between samples, above 0
    RunSampler(Ptr<const CoflowTracker> tracker, Ptr<const Fabric> fabric, Time interval);
    ~RunSampler();

    RunSampler(const RunSampler&) = delete;
    RunSampler& operator=(const RunSampler&) = delete;

    /// @return samples so far
    const std::vector<::coflow::RunSample>& GetSamples() const;

    /// @return events that the sampler itself has caused
    uint64_t GetNEvents() const;

  private:
    void Sample();

    Ptr<const CoflowTracker> m_tracker;
    Ptr<const Fabric> m_fabric;
    Time m_interval;
    double m_bytesPerInterval; ///< that all uplinks can send
    uint64_t m_sentBytes{0};   ///< by all uplinks, until the last sample
    std::vector<::coflow::RunSample> m_samples;
    EventId m_event;
};

} // namespace ns3::coflow

#endif // COFLOW_RUN_SAMPLER_H
