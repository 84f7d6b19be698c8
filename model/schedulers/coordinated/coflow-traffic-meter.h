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

/// Measures what chosen flows of a host move, in application bytes, from one reading to the next.
class TrafficMeter
{
  public:
    /// What was moved since the last reading.
    struct Reading
    {
        uint64_t rxBitsPerSecond{0}; ///< received
        uint64_t txBitsPerSecond{0}; ///< sent and acknowledged
    };

    /// Measures a flow from this host.
    /// @param before what was acknowledged of it already, which does not count
    void AddSent(const FlowKey& key, uint64_t before = 0);

    /// A flow from this host is done. No effect if it is not measured.
    void FinishSent(const FlowKey& key, uint64_t bytes);

    /// Measures a flow to this host.
    void AddReceived(const FlowKey& key);

    /// A flow to this host is done. No effect if it is not measured.
    void FinishReceived(const FlowKey& key, uint64_t bytes);

    /// @return whether no flow is measured, and nothing waits to be read
    bool IsIdle() const
    {
        return m_sent.empty() && m_received.empty() && m_sentBytes == 0 && m_receivedBytes == 0;
    }

    /// @param source sends the flows
    /// @param sink receives the flows
    /// @return what was moved since the last reading
    Reading Read(const CoflowSource& source, const CoflowSink& sink);

  private:
    std::map<FlowKey, uint64_t> m_sent;     ///< flows from here, with bytes counted so far
    std::map<FlowKey, uint64_t> m_received; ///< flows to here, with bytes counted so far
    uint64_t m_sentBytes{0};                ///< of flows that finished since the last reading
    uint64_t m_receivedBytes{0};            ///< likewise
    Time m_lastReading;                     ///< when
};

} // namespace ns3::coflow

#endif // COFLOW_TRAFFIC_METER_H
