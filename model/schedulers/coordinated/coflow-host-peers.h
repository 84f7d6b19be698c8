/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOST_PEERS_H
#define COFLOW_HOST_PEERS_H

#include "ns3/coflow-control-endpoint.h"
#include "ns3/coflow-types.h"

#include <map>
#include <optional>

namespace ns3::coflow
{

/// The host at the other end of each connection. A host has at most one connection, its latest. A
/// connection has at most one host.
class HostPeers
{
  public:
    using PeerId = ControlEndpoint::PeerId;

    /// A host has named itself as the other end of a connection.
    /// @param peer the connection
    /// @param host the host
    /// @return the earlier connection of the host, which is removed; none: the host had none
    std::optional<PeerId> Join(PeerId peer, ::coflow::HostId host);

    /// A connection has ended.
    /// @param peer the connection
    /// @return host of the connection; none: not known, or the host has a newer connection
    std::optional<::coflow::HostId> Leave(PeerId peer);

    /// Removes the connection of a host.
    /// @param host the host
    /// @return the connection; none: the host had none
    std::optional<PeerId> Drop(::coflow::HostId host);

    /// @param peer a connection
    /// @return the host at its other end; none: not known
    std::optional<::coflow::HostId> HostOf(PeerId peer) const;

    /// @param host a host
    /// @return connection of the host; none: the host has none
    std::optional<PeerId> PeerOf(::coflow::HostId host) const;

    /// Removes all connections.
    void Clear();

  private:
    std::map<PeerId, ::coflow::HostId> m_hosts; ///< hosts by connection
    std::map<::coflow::HostId, PeerId> m_peers; ///< connections by host
};

} // namespace ns3::coflow

#endif // COFLOW_HOST_PEERS_H
