/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TRAFFIC_METER_H
#define COFLOW_TRAFFIC_METER_H

#include "ns3/coflow-sink.h"
#include "ns3/coflow-source.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>

namespace ns3::coflow
{

/// Measures the traffic of chosen flows of a host, in application bytes, from one reading to the
/// next.
class TrafficMeter
{
  public:
    /// The traffic since the last reading.
    struct Reading
    {
        uint64_t rxBitsPerSecond{0}; ///< rate of reception
        uint64_t txBitsPerSecond{0}; ///< rate of sending, of acknowledged bytes
    };

    /// Starts to measure a flow from this host.
    /// @param key the flow
    /// @param before number of bytes that were acknowledged before, which do not count
    void AddSent(const FlowKey& key, uint64_t before = 0);

    /// A flow from this host is done. No effect if the flow is not measured.
    /// @param key the flow
    /// @param bytes its size
    void FinishSent(const FlowKey& key, uint64_t bytes);

    /// Starts to measure a flow to this host.
    /// @param key the flow
    void AddReceived(const FlowKey& key);

    /// A flow to this host is done. No effect if the flow is not measured.
    /// @param key the flow
    /// @param bytes its size
    void FinishReceived(const FlowKey& key, uint64_t bytes);

    /// @return whether no flow is measured, and all traffic was read
    bool IsIdle() const
    {
        return m_sent.empty() && m_received.empty() && m_sentBytes == 0 && m_receivedBytes == 0;
    }

    /// @param source source of the host
    /// @param sink sink of the host
    /// @return the traffic since the last reading
    Reading Read(const CoflowSource& source, const CoflowSink& sink);

  private:
    std::map<FlowKey, uint64_t> m_sent;     ///< flows from this host, with bytes counted so far
    std::map<FlowKey, uint64_t> m_received; ///< flows to this host, with bytes counted so far
    uint64_t m_sentBytes{0};     ///< sent bytes of flows that finished since the last reading
    uint64_t m_receivedBytes{0}; ///< received bytes of flows that finished since the last reading
    Time m_lastReading;          ///< time of the last reading
};

} // namespace ns3::coflow

#endif // COFLOW_TRAFFIC_METER_H
