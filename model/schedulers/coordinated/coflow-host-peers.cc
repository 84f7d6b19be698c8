/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-host-peers.h"

namespace ns3::coflow
{

using ::coflow::HostId;

namespace
{

template <class Key, class Value>
std::optional<Value>
Find(const std::map<Key, Value>& map, Key key)
{
    const auto found = map.find(key);
    return found == map.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

std::optional<HostPeers::PeerId>
HostPeers::Join(PeerId peer, HostId host)
{
    Leave(peer);
    const auto former = Drop(host);
    m_hosts[peer] = host;
    m_peers[host] = peer;
    return former;
}

std::optional<HostId>
HostPeers::Leave(PeerId peer)
{
    const auto host = HostOf(peer);
    if (host)
    {
        Drop(*host);
    }
    return host;
}

std::optional<HostPeers::PeerId>
HostPeers::Drop(HostId host)
{
    const auto peer = PeerOf(host);
    if (peer)
    {
        m_hosts.erase(*peer);
        m_peers.erase(host);
    }
    return peer;
}

std::optional<HostId>
HostPeers::HostOf(PeerId peer) const
{
    return Find(m_hosts, peer);
}

std::optional<HostPeers::PeerId>
HostPeers::PeerOf(HostId host) const
{
    return Find(m_peers, host);
}

void
HostPeers::Clear()
{
    m_hosts.clear();
    m_peers.clear();
}

} // namespace ns3::coflow
