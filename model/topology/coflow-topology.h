/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TOPOLOGY_H
#define COFLOW_TOPOLOGY_H

#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-types.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ns3::coflow
{

using ::coflow::HostId;

/// Index of a host or switch: hosts are 0 .. H-1, switches follow tier by tier.
using VertexId = uint32_t;

/// Index of a directed port, which sends from one vertex to another. The two directions of
/// link i are the ports 2i and 2i+1; link h is the one between host h and its switch.
using LinkPort = uint32_t;

/// No port: there is no path.
inline constexpr LinkPort NO_PORT = UINT32_MAX;

/// The longest path that any topology here has, in ports (a fat-tree's).
inline constexpr uint32_t MAX_PATH_PORTS = 6;

/// The most hosts that a topology may have.
inline constexpr uint32_t MAX_HOSTS = 1U << 22;

/// A directed port: one end of a link, and the wire it sends on.
struct TopologyPort
{
    VertexId from{0}; ///< vertex that the port belongs to
    VertexId to{0};   ///< vertex at the other end of the wire
    DataRate rate;    ///< rate at which the port sends
    Time delay;       ///< propagation delay of the wire
    bool up{true};    ///< false while the link has failed
};

/// Ports of one vertex that lead to neighbouring links: first, first + 2, first + 4, ...
struct PortRange
{
    LinkPort first{0}; ///< the first port
    uint32_t count{0}; ///< number of ports

    /// @param i index below count
    LinkPort operator[](uint32_t i) const
    {
        return first + 2 * i;
    }
};

/// Vertices that share a name.
struct TopologyTier
{
    std::string name;  ///< of each, without its number
    VertexId first{0}; ///< first vertex
    uint32_t count{0}; ///< number of vertices
};

/// What a network looks like, for any fabric to run: which ports there are, the rate and delay
/// of each, and the path of a packet.
///
/// A concrete topology says how it is made (DoBuild()) and which ports of a switch are the
/// equally short ways to a host (DoGetEqualCostPorts(), in closed form). All else is done here:
/// the choice among them (ECMP: a hash of the flow, salted per switch), failed links, rates,
/// names.
///
/// Life: create, set attributes, Build() once; then ask. Attributes set after Build() have no
/// effect. Links may fail, recover and change rate at any time.
class Topology : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Topology();

    /// Makes the vertices and ports; does nothing the second time.
    /// Throws ::coflow::InputError where an attribute has a value that cannot be.
    void Build();

    /// @return number of hosts
    uint32_t GetNHosts() const
    {
        return m_nHosts;
    }

    /// @return number of hosts and switches
    uint32_t GetNVertices() const
    {
        return static_cast<uint32_t>(m_salts.size());
    }

    /// @return number of directed ports, twice the number of links
    uint32_t GetNPorts() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

    /// @param port a port below GetNPorts()
    /// @return its ends, its rate and its delay, and whether its link is up
    const TopologyPort& GetPort(LinkPort port) const
    {
        return m_ports[port];
    }

    /// @param vertex a vertex below GetNVertices()
    /// @return whether it is a host; otherwise it is a switch
    bool IsHost(VertexId vertex) const
    {
        return vertex < m_nHosts;
    }

    /// @param host a host
    /// @return the port by which the host sends
    static constexpr LinkPort GetUplink(HostId host)
    {
        return 2 * host;
    }

    /// @param host a host
    /// @return the port of a switch that sends to the host
    static constexpr LinkPort GetDownlink(HostId host)
    {
        return 2 * host + 1;
    }

    /// @param port a port
    /// @return the port of the same link that sends the other way
    static constexpr LinkPort GetReverse(LinkPort port)
    {
        return port ^ 1;
    }

    /// @param host a host
    /// @return the switch that the host is attached to
    VertexId GetHostSwitch(HostId host) const
    {
        return m_ports[GetUplink(host)].to;
    }

    /// @return the tiers, hosts first, in order of their vertices
    const std::vector<TopologyTier>& GetTiers() const
    {
        return m_tiers;
    }

    /// @param vertex a vertex
    /// @return its tier and number in it, such as "host3", "edge2", "agg5" or "core1"
    std::string GetVertexName(VertexId vertex) const;

    /// Throws ::coflow::InputError where there is no such vertex.
    /// @param name name of a vertex
    /// @return the vertex
    VertexId FindVertex(const std::string& name) const;

    /// @param port a port
    /// @return the names of its two vertices, such as "edge2->agg5"
    std::string GetPortName(LinkPort port) const;

    /// Throws ::coflow::InputError where there is no such link.
    /// @param from a vertex
    /// @param to a neighbour of it
    /// @return the port that sends from one to the other
    LinkPort FindPort(VertexId from, VertexId to) const;

    /// The equally short ways from a vertex to a host, failed ones included.
    /// @param vertex a vertex other than dst
    /// @param dst a host
    /// @return ports of the vertex, at least one
    PortRange GetEqualCostPorts(VertexId vertex, HostId dst) const
    {
        if (vertex < m_nHosts)
        {
            return {GetUplink(vertex), 1};
        }
        if (vertex == GetHostSwitch(dst))
        {
            return {GetDownlink(dst), 1};
        }
        return DoGetEqualCostPorts(vertex, dst);
    }

    /// The port by which a vertex sends a packet on.
    /// @param vertex a vertex other than dst
    /// @param dst the host that the packet is for
    /// @param hash GetFlowHash(), or GetPacketHash() where packets are sprayed
    /// @return the port, or NO_PORT where failed links leave no shortest path
    LinkPort NextPort(VertexId vertex, HostId dst, uint64_t hash) const
    {
        const PortRange ports = GetEqualCostPorts(vertex, dst);
        if (m_nFailedLinks != 0)
        {
            return ChooseUsablePort(ports, vertex, dst, hash);
        }
        return ports[ChooseIndex(ports.count, vertex, hash)];
    }

    /// @param vertex a vertex other than dst
    /// @param dst a host
    /// @return whether several ports lead from the vertex to the host, failed ones included
    bool HasChoice(VertexId vertex, HostId dst) const
    {
        return GetEqualCostPorts(vertex, dst).count > 1;
    }

    /// @param src a host
    /// @param dst a host, or the same
    /// @return whether the first has a way to the second, or to itself
    bool HasPath(HostId src, HostId dst) const
    {
        return m_nFailedLinks == 0 || src == dst || NextPort(src, dst, 0) != NO_PORT;
    }

    /// The ports that a packet passes, in order: what NextPort() says at every vertex.
    /// @param src sending host
    /// @param dst receiving host
    /// @param hash as for NextPort()
    /// @param path where the ports are written, MAX_PATH_PORTS of them at most
    /// @return number of ports: 0 where src is dst or there is no path
    uint32_t Path(HostId src,
                  HostId dst,
                  uint64_t hash,
                  std::span<LinkPort, MAX_PATH_PORTS> path) const;

    /// How much more hosts can send into an edge switch than the switch can send on: the sum of the
    /// rates of its host links over that of its links to other switches. Of the switches that
    /// hosts are attached to, the one where that is most. At most 1: the edge is no bottleneck.
    /// @return the ratio; 0 where the hosts' switch has no links to other switches
    double GetOversubscription() const;

    /// @return whether packets are sprayed: NextPort() then wants a hash per packet
    bool IsSprayingPackets() const
    {
        return m_spraying;
    }

    /// @return after how long without a packet of a flow a switch chooses for it anew; 0: never
    Time GetFlowletTimeout() const
    {
        return m_flowletTimeout;
    }

    /// Takes the link between two neighbours away, in both directions, as a path to choose.
    /// Packets that already wait at its ports are still sent.
    /// Throws ::coflow::InputError where there is no such link.
    /// @param a a vertex
    /// @param b a neighbour of it
    void FailLink(VertexId a, VertexId b);

    /// Brings a failed link back. Throws as FailLink().
    /// @param a a vertex
    /// @param b a neighbour of it
    void RestoreLink(VertexId a, VertexId b);

    /// Changes the rate of both directions of a link, for packets whose transmission starts
    /// from now on. Throws as FailLink(), and where the rate is 0.
    /// @param a a vertex
    /// @param b a neighbour of it
    /// @param rate the new rate
    void SetLinkRate(VertexId a, VertexId b, DataRate rate);

    /// Fixes the random stream that the salts of ECMP are drawn from.
    /// @param stream first stream index to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// Signature of the trace source PortChange.
    /// @param port the port that failed, recovered or changed its rate
    typedef void (*PortTracedCallback)(LinkPort port);

  protected:
    /// Adds the hosts. To be called before any AddSwitches() or AddLink().
    /// @param count number of hosts
    void AddHosts(uint32_t count);

    /// Adds a tier of switches.
    /// @param tier name of the tier, without digits: the switches are called tier0, tier1, ...
    /// @param count number of switches
    /// @return the first of them
    VertexId AddSwitches(const std::string& tier, uint32_t count);

    /// Adds the next link: ports 2i (a to b) and 2i+1 (b to a). Links of hosts, in order of the
    /// hosts and with the host first, come before those between switches.
    /// @param a a vertex
    /// @param b a vertex
    void AddLink(VertexId a, VertexId b);

    /// Adds the links of all hosts, spread over the switches of a tier as evenly as can be:
    /// host h goes to switch floor(h * switches / hosts).
    /// @param first first switch of the tier
    /// @param switches number of switches
    void AddHostLinks(VertexId first, uint32_t switches);

    /// Has Build() choose the rate of the links between switches, all alike, such that
    /// GetOversubscription() is what was asked for.
    /// Throws ::coflow::InputError where FabricLinkRate is given, too, or the ratio is out of
    /// range.
    /// @param ratio the attribute Oversubscription; 0: not asked for
    void Oversubscribe(double ratio);

    /// @param attribute name of the attribute that the value is from
    /// @param value the value
    /// @param lowest lowest value allowed
    /// @param highest highest value allowed
    /// Throws ::coflow::InputError where the value is out of the range.
    void CheckRange(const std::string& attribute,
                    uint64_t value,
                    uint64_t lowest,
                    uint64_t highest) const;

    /// Throws ::coflow::InputError that names this topology's type.
    /// @param attribute name of the attribute
    /// @param value its value
    /// @param allowed what is allowed
    [[noreturn]] void Reject(const std::string& attribute,
                             const std::string& value,
                             const std::string& allowed) const;

    void DoDispose() override;

  private:
    /// Adds hosts, then switches, then links.
    virtual void DoBuild() = 0;

    /// GetEqualCostPorts() of a switch that the host is not attached to. May not allocate.
    /// @param vertex a switch
    /// @param dst a host attached to another switch
    virtual PortRange DoGetEqualCostPorts(VertexId vertex, HostId dst) const = 0;

    /// ECMP: the choice of one out of count ways by a switch.
    uint32_t ChooseIndex(uint32_t count, VertexId vertex, uint64_t hash) const
    {
        // Multiply-shift: the upper half of the hash as a fraction of 2^32.
        return static_cast<uint32_t>(((MixBits(hash ^ m_salts[vertex]) >> 32) * count) >> 32);
    }

    /// ECMP over those ports from which the host can be reached.
    LinkPort ChooseUsablePort(PortRange ports, VertexId vertex, HostId dst, uint64_t hash) const;
    /// @return whether a shortest path to dst begins with the port
    bool IsUsable(LinkPort port, HostId dst) const;
    /// @return whether a shortest path leads from the switch to the host; memoised
    bool IsReachable(VertexId vertex, HostId dst) const;

    void SetLinkState(VertexId a, VertexId b, bool up);
    void DrawSalts();
    void ApplyHostRates();
    void ApplyOversubscription();
    void ApplyFailedLinks();

    /// What is known about a switch's way to a host while links have failed.
    enum class Reachability : uint8_t
    {
        UNKNOWN,
        NO,
        YES
    };

    DataRate m_linkRate;       ///< rate of host links
    DataRate m_fabricLinkRate; ///< rate of links between switches; 0: as m_linkRate
    Time m_linkDelay;          ///< propagation delay of every link
    std::string m_hostRates;   ///< hosts with rates of their own
    std::string m_failedLinks; ///< links that are down from the start
    bool m_spraying;           ///< whether packets are sprayed
    Time m_flowletTimeout;     ///< see GetFlowletTimeout()
    bool m_salted;             ///< whether every switch has a salt of its own

    bool m_built{false};
    double m_oversubscription{0}; ///< as asked for; 0: rates are as they are
    uint32_t m_nHosts{0};
    uint32_t m_nFailedLinks{0};
    std::vector<TopologyPort> m_ports;
    std::vector<TopologyTier> m_tiers;
    std::vector<uint64_t> m_salts; ///< by vertex
    Ptr<UniformRandomVariable> m_random;
    /// By (switch, host); empty while nothing has failed.
    mutable std::vector<Reachability> m_reachability;
    TracedCallback<LinkPort> m_portChangeTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_TOPOLOGY_H
