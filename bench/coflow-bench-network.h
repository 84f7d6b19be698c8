/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BENCH_NETWORK_H
#define COFLOW_BENCH_NETWORK_H

#include "ns3/coflow-fabric.h"
#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3::coflow
{

/// A network to be measured: a fabric, or ns-3's own parts on the same topology.
class BenchNetwork
{
  public:
    virtual ~BenchNetwork() = default;

    /// @return its hosts
    virtual const NodeContainer& GetHosts() const = 0;
    /// @return the address of a host
    virtual Ipv4Address GetAddress(HostId host) const = 0;
    /// @return packets put on a wire so far, summed over all ports
    virtual uint64_t GetPacketHops() const = 0;
};

/// @param kind name of a fabric; or "vanilla" or "nixvector" for PointToPointHelper with its
///        defaults, routed by ns3::GlobalRouting or ns3::Ipv4NixVectorRouting
/// @param topology what it looks like, not built yet
/// @param mtu largest IPv4 packet, bytes
std::unique_ptr<BenchNetwork> MakeBenchNetwork(const std::string& kind,
                                               Ptr<Topology> topology,
                                               uint16_t mtu);

} // namespace ns3::coflow

#endif // COFLOW_BENCH_NETWORK_H
