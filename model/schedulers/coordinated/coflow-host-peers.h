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

    /// A host has said that it is at the other end of a connection.
    /// @return the host's former connection, which is forgotten; none if it had none
    std::optional<PeerId> Join(PeerId peer, ::coflow::HostId host);

    /// A connection is over.
    /// @return the host that had it; none where no host had said so, or has another one since
    std::optional<::coflow::HostId> Leave(PeerId peer);

    /// Takes the connection of a host away.
    /// @return the connection that it had
    std::optional<PeerId> Drop(::coflow::HostId host);

    /// @return the host at the other end of a connection
    std::optional<::coflow::HostId> HostOf(PeerId peer) const;

    /// @return the connection of a host
    std::optional<PeerId> PeerOf(::coflow::HostId host) const;

    /// Forgets all.
    void Clear();

  private:
    std::map<PeerId, ::coflow::HostId> m_hosts; ///< by connection
    std::map<::coflow::HostId, PeerId> m_peers; ///< the same, by host
};

} // namespace ns3::coflow

#endif // COFLOW_HOST_PEERS_H
