/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCTCP_H
#define COFLOW_DCTCP_H

#include "ns3/tcp-dctcp.h"

#include <cstdint>

namespace ns3::coflow
{

/// DCTCP (RFC 8257) as Linux has it (net/ipv4/tcp_dctcp.c). It differs from ns-3's in three ways:
///
/// - Marks never leave less than MinWindow segments. ns-3 goes down to one segment, for which the
///   receiver holds its acknowledgement back until DelAckTimeout; so a flow with one segment has a
///   multiple of the round trip of a flow with two, and starves beside that.
/// - A loss halves the window, whatever part of the packets was marked (RFC 8257, 3.5).
/// - A receiver that is a CoflowTcpSocket tells which packets were marked as RFC 8257, 3.2, wants
///   it; see RepairedTcpSocket. With any other socket the receiver is ns-3's.
class Dctcp : public TcpDctcp
{
  public:
    /// @return the type with its attributes
    static TypeId GetTypeId();

    Dctcp();
    /// A copy, for a connection that a listening socket accepts.
    Dctcp(const Dctcp& other);
    ~Dctcp() override;

    std::string GetName() const override;
    uint32_t GetSsThresh(Ptr<const TcpSocketState> state, uint32_t bytesInFlight) override;
    void CwndEvent(Ptr<TcpSocketState> state, const TcpSocketState::TcpCAEvent_t event) override;
    Ptr<TcpCongestionOps> Fork() override;

  private:
    /// @return half of the window, and not less than two segments (RFC 5681, equation 4)
    static uint32_t GetHalf(Ptr<const TcpSocketState> state);

    uint32_t m_minWindow; ///< segments that marks leave at least
};

} // namespace ns3::coflow

#endif // COFLOW_DCTCP_H
