/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SEGMENT_LOG_H
#define COFLOW_SEGMENT_LOG_H

#include "ns3/coflow-segment-carrier.h"

#include <functional>
#include <string>

namespace ns3::coflow
{

/// Writes a line for every TCP segment that a host of an ExpressFabric sends. Lean connections and
/// sockets with packets have the same format, so that two runs can be compared line by line.
///
/// Fields are separated by tabs: time in time steps of ns-3 (ns), sending host, destination with
/// its port, source port, flags by letter (F S R A E C: FIN, SYN, RST, ACK, ECE, CWR), sequence
/// number, acknowledgement, payload in bytes, unscaled window of the header, ECN field, timestamp
/// and its echo, bytes of the TCP header, coflow/flow or -, priority's key, and the SACK blocks as
/// [first,end).
class SegmentLog final : public SegmentListener
{
  public:
    /// Receives a line without the line break.
    using Sink = std::function<void(const std::string& line)>;

    /// @param sink receives the lines
    explicit SegmentLog(Sink sink);

    /// @return names of the fields, as a line
    static std::string GetHeader();

    void Sent(::coflow::HostId host,
              Ipv4Address destination,
              const LeanSegment& segment,
              uint8_t ecn,
              const PacketClass& packetClass) override;

  private:
    Sink m_sink;
};

} // namespace ns3::coflow

#endif // COFLOW_SEGMENT_LOG_H
