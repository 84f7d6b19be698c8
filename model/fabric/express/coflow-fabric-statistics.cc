/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What the ports of an express fabric have done, simulated or not.

#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-light-schedule.h"

#include <utility>

namespace ns3::coflow
{

void
FabricChannel::SetDebtor(std::function<void()> debtor)
{
    m_debtor = std::move(debtor);
}

void
FabricChannel::Credit(LinkPort port, uint64_t packets, uint64_t bytes, uint8_t dsField)
{
    m_fifoPorts ? m_fifoPorts->Credit(port, packets, bytes)
                : m_queuePorts->Credit(port, packets, bytes, dsField);
}

void
FabricChannel::CollectDebts() const
{
    if (m_debtor)
    {
        m_debtor();
    }
}

PortStatistics
FabricChannel::GetPortStatistics(LinkPort port) const
{
    CollectDebts();
    return m_fifoPorts ? m_fifoPorts->GetStatistics(port, GetNetworkTimeStep())
                       : m_queuePorts->GetStatistics(port);
}

std::map<std::string, uint64_t>
FabricChannel::GetDrops(LinkPort port) const
{
    return m_fifoPorts ? m_fifoPorts->GetDrops(port) : m_queuePorts->GetDrops(port);
}

uint64_t
FabricChannel::GetQueuedBytes(LinkPort port) const
{
    return m_fifoPorts ? m_fifoPorts->GetQueuedBytes(port, GetNetworkTimeStep())
                       : m_queuePorts->GetQueuedBytes(port);
}

std::vector<BandStatistics>
FabricChannel::GetBandStatistics(LinkPort port) const
{
    CollectDebts();
    return m_queuePorts ? m_queuePorts->GetBandStatistics(port) : std::vector<BandStatistics>();
}

uint64_t
FabricChannel::GetArrivedPackets(LinkPort port) const
{
    CollectDebts();
    return m_fifoPorts ? m_fifoPorts->GetArrivedPackets(port)
                       : m_queuePorts->GetArrivedPackets(port);
}

uint64_t
FabricChannel::GetUnroutedPackets() const
{
    return m_unroutedPackets;
}

uint64_t
FabricChannel::GetTies() const
{
    return m_fifoPorts ? m_fifoPorts->GetTies() : m_queuePorts->GetTies();
}

} // namespace ns3::coflow
