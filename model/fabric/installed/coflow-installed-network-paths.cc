/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How long packets take between the hosts of a network that a script has made.

#include "ns3/channel.h"
#include "ns3/coflow-installed-network.h"

#include <algorithm>

namespace ns3::coflow
{

double
InstalledNetwork::GetSecondsPerBit() const
{
    std::size_t most = 2;
    const auto paths = m_graph.GetPaths(m_hosts.Get(0));
    for (auto host = m_hosts.Begin(); host != m_hosts.End(); ++host)
    {
        most = std::max(most, paths.at((*host)->GetId()).size());
    }
    double atHosts = 0; // seconds per bit at the slowest port
    for (const auto& port : m_ports)
    {
        const auto rate = std::min(port.up, port.down).GetBitRate();
        atHosts = std::max(atHosts, 1.0 / static_cast<double>(rate));
    }
    double between = 0;
    for (const auto& device : m_graph.GetDevices())
    {
        const auto rate = GetDeviceRate(*device).GetBitRate();
        if (rate > 0 && !m_graph.IsAtHost(*device))
        {
            between = std::max(between, 1.0 / static_cast<double>(rate));
        }
    }
    return 2 * atHosts + static_cast<double>(most - 2) * between;
}

Time
InstalledNetwork::GetTime(const std::vector<Ptr<NetDevice>>& path, uint32_t bytes)
{
    Time sum;
    for (const auto& device : path)
    {
        TimeValue delay(Time(0));
        device->GetChannel()->GetAttributeFailSafe("Delay", delay);
        const auto rate = GetDeviceRate(*device);
        sum += delay.Get() + (rate.GetBitRate() > 0 ? rate.CalculateBytesTxTime(bytes) : Time());
    }
    return sum;
}

Time
InstalledNetwork::GetLongestRoundTrip(uint32_t bytes, uint32_t backBytes) const
{
    Time longest;
    // Of paths there and back the channels are the same; their rates may not be. The longest path
    // from any host is that from one of two ends in most networks; from all it would take long.
    for (const HostId end : {HostId{0}, GetNHosts() - 1})
    {
        const auto there = m_graph.GetPaths(m_hosts.Get(end));
        for (auto host = m_hosts.Begin(); host != m_hosts.End(); ++host)
        {
            const auto& path = there.at((*host)->GetId());
            longest = std::max(longest, GetTime(path, bytes) + GetTime(path, backBytes));
        }
    }
    return longest;
}

BandwidthDelay
InstalledNetwork::GetBandwidthDelay() const
{
    HostId fastest = 0;
    for (HostId host = 1; host < GetNHosts(); ++host)
    {
        fastest = GetUplinkRate(host) > GetUplinkRate(fastest) ? host : fastest;
    }
    BandwidthDelay largest;
    for (const HostId end : {HostId{0}, GetNHosts() - 1, fastest})
    {
        const auto there = m_graph.GetPaths(m_hosts.Get(end));
        for (HostId host = 0; host < GetNHosts(); ++host)
        {
            if (host == end)
            {
                continue;
            }
            const auto& path = there.at(m_hosts.Get(host)->GetId());
            BandwidthDelay found{std::min(GetUplinkRate(end), GetDownlinkRate(host)),
                                 GetTime(path, BandwidthDelay::FRAME_BYTES) +
                                     GetTime(path, BandwidthDelay::BACK_BYTES)};
            for (const auto& device : path)
            {
                const auto rate = GetDeviceRate(*device);
                found.rate = rate.GetBitRate() > 0 ? std::min(found.rate, rate) : found.rate;
            }
            largest = found.GetBytes() > largest.GetBytes() ? found : largest;
        }
    }
    return largest;
}

} // namespace ns3::coflow
