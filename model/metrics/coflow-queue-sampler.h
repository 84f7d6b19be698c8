/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_QUEUE_SAMPLER_H
#define COFLOW_QUEUE_SAMPLER_H

#include "ns3/coflow-fabric.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <ostream>
#include <vector>

namespace ns3::coflow
{

/// Writes the lengths of ports' queues at regular times, on any fabric, as CSV:
///
///     time_s,port,queued_bytes,queued_packets,dropped_packets,marked_packets
///
/// with the port's name, such as edge2->agg5, and counts since the start. The sampler costs one
/// event per interval.
class QueueSampler
{
  public:
    /// Writes the first line. The first sample is one interval after now. The sampler must be
    /// destroyed before the simulation is destroyed. Its events keep a simulation running until the
    /// last sample.
    /// @param fabric a fabric after Build()
    /// @param ports ports of its topology, in the order of lines
    /// @param interval time between samples, above 0
    /// @param end no sample after this time
    /// @param out the stream
    QueueSampler(Ptr<const Fabric> fabric,
                 std::vector<LinkPort> ports,
                 Time interval,
                 Time end,
                 std::ostream& out);
    ~QueueSampler();

    QueueSampler(const QueueSampler&) = delete;
    QueueSampler& operator=(const QueueSampler&) = delete;

  private:
    void ScheduleNext();
    void Sample();

    Ptr<const Fabric> m_fabric;
    std::vector<LinkPort> m_ports;
    Time m_interval;
    Time m_end;
    std::ostream& m_out;
    EventId m_event;
};

} // namespace ns3::coflow

#endif // COFLOW_QUEUE_SAMPLER_H
