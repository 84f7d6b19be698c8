/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RESERVED_PORT_H
#define COFLOW_RESERVED_PORT_H

#include "ns3/node.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace ns3
{
class Ipv4EndPoint;
}

namespace ns3::coflow
{

/// A TCP port at which a socket listens as soon as the first packet arrives. A listening socket
/// costs time and memory, and lean connections do not need one. No other application gets the port.
class ReservedPort
{
  public:
    /// @param node the host
    /// @param port the port
    /// @param listen called when the first packet has arrived: binds a socket to the port, and
    ///        begins to listen. TCP receives the packet afterwards
    ReservedPort(Ptr<Node> node, uint16_t port, std::function<void()> listen);

    /// Gives the port back, unless a socket listens.
    ~ReservedPort();

    ReservedPort(const ReservedPort&) = delete;
    ReservedPort& operator=(const ReservedPort&) = delete;

    /// @return whether the port is reserved. At first false means that another application has the
    ///         port, and later that a socket listens
    bool IsReserved() const
    {
        return m_endpoint != nullptr;
    }

  private:
    void GiveBack();
    void HandleFirstPacket();

    Ptr<Node> m_node;                      ///< the host
    std::function<void()> m_listen;        ///< begins to listen
    Ipv4EndPoint* m_endpoint{nullptr};     ///< ns-3's entry of the port; null: not reserved
    std::shared_ptr<ReservedPort*> m_self; ///< points to this object; packets may arrive later
};

} // namespace ns3::coflow

#endif // COFLOW_RESERVED_PORT_H
