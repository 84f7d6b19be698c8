/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-queue-sampler.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::coflow
{

QueueSampler::QueueSampler(Ptr<const Fabric> fabric,
                           std::vector<LinkPort> ports,
                           Time interval,
                           Time end,
                           std::ostream& out)
    : m_fabric(std::move(fabric)),
      m_ports(std::move(ports)),
      m_interval(interval),
      m_end(end),
      m_out(out)
{
    NS_ABORT_MSG_UNLESS(interval.IsStrictlyPositive(), "time does not pass between samples");
    m_out << "time_s,port,queued_bytes,queued_packets,dropped_packets,marked_packets\n";
    ScheduleNext();
}

QueueSampler::~QueueSampler()
{
    m_event.Cancel();
}

void
QueueSampler::ScheduleNext()
{
    if (Simulator::Now() + m_interval <= m_end)
    {
        m_event = Simulator::Schedule(m_interval, &QueueSampler::Sample, this);
    }
}

void
QueueSampler::Sample()
{
    const double now = Simulator::Now().GetSeconds();
    for (const LinkPort port : m_ports)
    {
        const PortStatistics s = m_fabric->GetPortStatistics(port);
        m_out << now << ',' << m_fabric->GetTopology()->GetPortName(port) << ',' << s.queuedBytes
              << ',' << s.queuedPackets << ',' << s.droppedPackets << ',' << s.markedPackets
              << '\n';
    }
    ScheduleNext();
}

} // namespace ns3::coflow
