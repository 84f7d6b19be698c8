/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-traffic-meter.h"

#include "ns3/simulator.h"

namespace ns3::coflow
{

void
TrafficMeter::AddSent(const FlowKey& key, uint64_t before)
{
    m_sent.emplace(key, before);
}

void
TrafficMeter::FinishSent(const FlowKey& key, uint64_t bytes)
{
    const auto flow = m_sent.find(key);
    if (flow != m_sent.end())
    {
        m_sentBytes += bytes - flow->second;
        m_sent.erase(flow);
    }
}

void
TrafficMeter::AddReceived(const FlowKey& key)
{
    m_received.emplace(key, 0);
}

void
TrafficMeter::FinishReceived(const FlowKey& key, uint64_t bytes)
{
    const auto flow = m_received.find(key);
    if (flow != m_received.end())
    {
        m_receivedBytes += bytes - flow->second;
        m_received.erase(flow);
    }
}

TrafficMeter::Reading
TrafficMeter::Read(const CoflowSource& source, const CoflowSink& sink)
{
    for (auto& [key, counted] : m_sent)
    {
        if (const auto progress = source.GetProgress(key))
        {
            m_sentBytes += progress->acknowledged - counted;
            counted = progress->acknowledged;
        }
    }
    for (auto& [key, counted] : m_received)
    {
        const auto received = sink.GetReceivedBytes(key);
        m_receivedBytes += received - counted;
        counted = received;
    }
    const double seconds = (Simulator::Now() - m_lastReading).GetSeconds();
    Reading reading;
    if (seconds > 0)
    {
        reading.rxBitsPerSecond = static_cast<uint64_t>(8 * m_receivedBytes / seconds);
        reading.txBitsPerSecond = static_cast<uint64_t>(8 * m_sentBytes / seconds);
    }
    m_sentBytes = 0;
    m_receivedBytes = 0;
    m_lastReading = Simulator::Now();
    return reading;
}

} // namespace ns3::coflow
