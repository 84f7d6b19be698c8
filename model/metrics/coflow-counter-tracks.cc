/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-counter-tracks.h"

#include "ns3/coflow-traffic-sampler.h"
#include "ns3/simulator.h"

#include <cstdio>
#include <numeric>
#include <utility>

namespace ns3::coflow
{

CounterTracks::CounterTracks(Ptr<const Fabric> fabric)
    : m_fabric(std::move(fabric)),
      m_counts(m_fabric->GetCounts())
{
    const auto rates = m_fabric->GetRates().ingress;
    m_bytesPerSecond = std::accumulate(rates.begin(), rates.end(), 0.0);
}

void
CounterTracks::Take(uint64_t arrivedBytes)
{
    const auto now = Simulator::Now().GetNanoSeconds();
    const auto queues = SampleQueues(*m_fabric);
    const auto counts = m_fabric->GetCounts();
    Sample sample{now, queues.bytes, queues.largestBytes};
    if (!m_samples.empty() && now > m_samples.back().time)
    {
        const double seconds = static_cast<double>(now - m_samples.back().time) * 1e-9;
        sample.utilisation = 100 * static_cast<double>(arrivedBytes) / (m_bytesPerSecond * seconds);
        sample.marked = counts.markedPackets - m_counts.markedPackets;
        sample.dropped = counts.droppedPackets - m_counts.droppedPackets;
    }
    m_counts = counts;
    m_samples.push_back(sample);
}

void
CounterTracks::Write(std::ostream& out, uint64_t process) const
{
    for (const auto& sample : m_samples)
    {
        char head[160];
        const auto begin = [&](const char* name) {
            std::snprintf(head,
                          sizeof head,
                          ",\n{\"ph\":\"C\",\"name\":\"%s\",\"pid\":%llu,\"tid\":0,\"ts\":%.3f,"
                          "\"args\":{",
                          name,
                          static_cast<unsigned long long>(process),
                          static_cast<double>(sample.time) / 1e3);
            return head;
        };
        char utilisation[40];
        std::snprintf(utilisation, sizeof utilisation, "%.2f", sample.utilisation);
        out << begin("queued bytes") << "\"all\":" << sample.queuedBytes
            << ",\"fullest\":" << sample.fullestBytes << "}}" << begin("uplinks in use, %")
            << "\"all\":" << utilisation << "}}" << begin("packets")
            << "\"marked\":" << sample.marked << ",\"dropped\":" << sample.dropped << "}}";
    }
}

} // namespace ns3::coflow
