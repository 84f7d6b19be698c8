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

/// Writes how full the queues of ports are at regular times, on any fabric, as CSV:
///
///     time_s,port,queued_bytes,queued_packets,dropped_packets,marked_packets
///
/// with the port's name, such as edge2->agg5, and counts since the start. It costs one event per
/// interval, and the fabric nothing in between.
class QueueSampler
{
  public:
    /// Writes the first line; samples from one interval after now on. It has to be gone before the
    /// simulation is destroyed, and sampling keeps a simulation going until its end.
    /// @param fabric a fabric that has been built
    /// @param ports ports of its topology, in the order of lines
    /// @param interval time between samples, above 0
    /// @param end no sample after this time
    /// @param out where lines go
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
