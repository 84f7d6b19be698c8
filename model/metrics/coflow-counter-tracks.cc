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
    const auto queues = LookAtQueues(*m_fabric);
    const auto counts = m_fabric->GetCounts();
    Look look{now, queues.bytes, queues.largestBytes};
    if (!m_looks.empty() && now > m_looks.back().time)
    {
        const double seconds = static_cast<double>(now - m_looks.back().time) * 1e-9;
        look.utilisation = 100 * static_cast<double>(arrivedBytes) / (m_bytesPerSecond * seconds);
        look.marked = counts.markedPackets - m_counts.markedPackets;
        look.dropped = counts.droppedPackets - m_counts.droppedPackets;
    }
    m_counts = counts;
    m_looks.push_back(look);
}

void
CounterTracks::Write(std::ostream& out, uint64_t process) const
{
    for (const auto& look : m_looks)
    {
        char head[160];
        const auto begin = [&](const char* name) {
            std::snprintf(head,
                          sizeof head,
                          ",\n{\"ph\":\"C\",\"name\":\"%s\",\"pid\":%llu,\"tid\":0,\"ts\":%.3f,"
                          "\"args\":{",
                          name,
                          static_cast<unsigned long long>(process),
                          static_cast<double>(look.time) / 1e3);
            return head;
        };
        char utilisation[40];
        std::snprintf(utilisation, sizeof utilisation, "%.2f", look.utilisation);
        out << begin("queued bytes") << "\"all\":" << look.queuedBytes
            << ",\"fullest\":" << look.fullestBytes << "}}" << begin("uplinks in use, %")
            << "\"all\":" << utilisation << "}}" << begin("packets") << "\"marked\":" << look.marked
            << ",\"dropped\":" << look.dropped << "}}";
    }
}

} // namespace ns3::coflow
