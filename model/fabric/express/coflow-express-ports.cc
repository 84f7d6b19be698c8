/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-express-ports.h"

#include "ns3/coflow-intrusive-schedule.h"

namespace ns3::coflow
{

void
ExpressPorts::Build(const Topology& topology, uint16_t mtu, const FifoLimits& limits)
{
    m_mtu = mtu;
    m_fifoPorts = std::make_unique<FifoPorts>(limits);
    for (LinkPort port = 0; port < topology.GetNPorts(); ++port)
    {
        const TopologyPort& properties = topology.GetPort(port);
        m_fifoPorts->Add(m_wireTimes.Get(properties.rate, properties.delay, mtu));
    }
}

void
ExpressPorts::Build(const Topology& topology,
                    uint16_t mtu,
                    const DisciplineQueueDisc& disc,
                    FrameCarrier& carrier)
{
    m_mtu = mtu;
    m_queuePorts = std::make_unique<QueuePorts>(carrier);
    for (LinkPort port = 0; port < topology.GetNPorts(); ++port)
    {
        const TopologyPort& properties = topology.GetPort(port);
        m_queuePorts->Add(m_wireTimes.Get(properties.rate, properties.delay, mtu),
                          disc.CreateDiscipline());
        m_queuePorts->GetDiscipline(port).SetLinkRate(properties.rate);
    }
}

void
ExpressPorts::Stop()
{
    if (m_queuePorts)
    {
        m_queuePorts->Stop();
    }
}

PortStatistics
ExpressPorts::GetStatistics(LinkPort port) const
{
    return m_fifoPorts ? m_fifoPorts->GetStatistics(port, GetPacketTimeStep())
                       : m_queuePorts->GetStatistics(port);
}

std::map<std::string, uint64_t>
ExpressPorts::GetDrops(LinkPort port) const
{
    return m_fifoPorts ? m_fifoPorts->GetDrops(port) : m_queuePorts->GetDrops(port);
}

uint64_t
ExpressPorts::GetQueuedBytes(LinkPort port) const
{
    return m_fifoPorts ? m_fifoPorts->GetQueuedBytes(port, GetPacketTimeStep())
                       : m_queuePorts->GetQueuedBytes(port);
}

std::vector<BandStatistics>
ExpressPorts::GetBandStatistics(LinkPort port) const
{
    return m_queuePorts ? m_queuePorts->GetBandStatistics(port) : std::vector<BandStatistics>();
}

uint64_t
ExpressPorts::GetArrivedPackets(LinkPort port) const
{
    return m_fifoPorts ? m_fifoPorts->GetArrivedPackets(port)
                       : m_queuePorts->GetArrivedPackets(port);
}

uint64_t
ExpressPorts::GetTies() const
{
    return m_fifoPorts ? m_fifoPorts->GetTies() : m_queuePorts->GetTies();
}

void
ExpressPorts::CountPassed(LinkPort port, uint64_t packets, uint64_t bytes, uint8_t dsField)
{
    m_fifoPorts ? m_fifoPorts->CountPassed(port, packets, bytes)
                : m_queuePorts->CountPassed(port, packets, bytes, dsField);
}

} // namespace ns3::coflow
