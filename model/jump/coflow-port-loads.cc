/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-port-loads.h"

#include "ns3/coflow-transport-profile.h"

#include <algorithm>
#include <cmath>

namespace ns3::coflow
{

PortLoads::PortLoads(FabricChannel& channel,
                     const Topology& topology,
                     uint32_t segment,
                     uint8_t dsField)
    : m_channel(channel),
      m_topology(topology),
      m_segment(segment),
      m_dsField(dsField),
      m_entries(std::size_t{topology.GetNPorts()} * N_BANDS)
{
}

void
PortLoads::Clear()
{
    for (const uint32_t number : m_used)
    {
        m_entries[number].packets = 0;
        m_entries[number].payload = 0;
    }
    m_payloadRate = 0;
}

void
PortLoads::AddTimes(const Load& load, double sign)
{
    const double payload = sign * load.payload;
    AddTo(load.path, payload / m_segment, payload);
    AddTo(load.ackPath, payload * load.acksPerByte, 0);
    m_payloadRate += payload;
}

void
PortLoads::AddTo(const PortPath& path, double packets, double payload)
{
    for (uint32_t i = 0; i < path.n; ++i)
    {
        Entry& entry = At(path.ports[i], path.band);
        if (!entry.isUsed)
        {
            entry.isUsed = true;
            m_used.push_back(static_cast<uint32_t>(&entry - m_entries.data()));
        }
        entry.packets += packets;
        entry.payload += payload;
    }
}

double
PortLoads::GetLargest() const
{
    double largest = 0;
    for (LinkPort port = 0; port < m_topology.GetNPorts(); ++port)
    {
        double load = 0;
        for (uint32_t band = 0; band < N_BANDS; ++band)
        {
            const Entry& entry = m_entries[port * N_BANDS + band];
            load += entry.payload + entry.packets * TransportProfile::OVERHEAD_BYTES;
        }
        constexpr double BIT_NANOSECONDS_PER_BYTE = 8e9;
        const auto rate = static_cast<double>(m_topology.GetPort(port).rate.GetBitRate());
        largest = std::max(largest, load * BIT_NANOSECONDS_PER_BYTE / rate);
    }
    return largest;
}

void
PortLoads::Advance(int64_t duration)
{
    const auto time = static_cast<double>(duration);
    for (const uint32_t number : m_used)
    {
        Entry& entry = m_entries[number];
        entry.packetsToCount += entry.packets * time;
        entry.payloadToCount += entry.payload * time;
        Settle(number / N_BANDS, number % N_BANDS, entry);
    }
    m_payload += m_payloadRate * time;
}

void
PortLoads::Settle(LinkPort port, uint32_t band, Entry& entry)
{
    if (entry.packetsToCount < 1)
    {
        return;
    }
    const auto packets = static_cast<uint64_t>(entry.packetsToCount);
    const auto payload = static_cast<uint64_t>(entry.payloadToCount);
    entry.packetsToCount -= static_cast<double>(packets);
    entry.payloadToCount -= static_cast<double>(payload);
    const auto dsField =
        band == N_BANDS - 1 ? m_dsField : GetDsFieldOfBand(static_cast<uint8_t>(band), m_dsField);
    m_channel.GetPorts().CountPassed(port,
                                     packets,
                                     payload + packets * TransportProfile::HEADER_BYTES,
                                     dsField);
    m_hops += packets;
}

void
PortLoads::Count(const Load& load, uint64_t bytes)
{
    const auto payload = static_cast<double>(bytes);
    CountAt(load.path, std::ceil(payload / m_segment), payload);
    CountAt(load.ackPath, payload * load.acksPerByte, 0);
    m_payload += payload;
}

void
PortLoads::CountAt(const PortPath& path, double packets, double payload)
{
    AddTo(path, 0, 0);
    for (uint32_t i = 0; i < path.n; ++i)
    {
        Entry& entry = At(path.ports[i], path.band);
        entry.packetsToCount += packets;
        entry.payloadToCount += payload;
        const auto number = static_cast<uint32_t>(&entry - m_entries.data());
        Settle(number / N_BANDS, number % N_BANDS, entry);
    }
}

} // namespace ns3::coflow
