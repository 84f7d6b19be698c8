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

/// Index of a directed port, which sends from one vertex to another. The two directions of link i
/// are the ports 2i and 2i+1. Link h connects host h and its switch.
using LinkPort = uint32_t;

/// No port: there is no path.
inline constexpr LinkPort NO_PORT = UINT32_MAX;

/// Number of ports on the longest path of any topology (a path of a fat-tree).
inline constexpr uint32_t MAX_PATH_PORTS = 6;

/// The largest number of hosts of a topology.
inline constexpr uint32_t MAX_HOSTS = 1U << 22;

/// A directed port: one end of a link, and the wire on which it sends.
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

/// A tier: hosts or switches with one name and different numbers.
struct TopologyTier
{
    std::string name;  ///< name of each vertex, without its number
    VertexId first{0}; ///< first vertex
    uint32_t count{0}; ///< number of vertices
};

/// The shape of a network, for any fabric: the ports, the rate and delay of each port, and the path
/// of a packet.
///
/// A derived class builds the topology (DoBuild()) and computes which ports of a switch begin a
/// shortest path to a host (DoGetEqualCostPorts(), in closed form). This class does all other work:
/// the choice among these ports (ECMP by a hash of the flow, salted per switch), failed links,
/// rates, names.
///
/// The order of use is: create the topology, set its attributes, call Build() once, then call any
/// other method. Attributes that are set after Build() have no effect. Links may fail, recover and
/// change rate at any time.
class Topology : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    Topology();

    /// Creates the vertices and ports. A second call has no effect. Throws ::coflow::InputError
    /// where an attribute has a value that is not allowed.
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
    /// @return ends, rate and delay of the port, and whether its link is up
    const TopologyPort& GetPort(LinkPort port) const
    {
        return m_ports[port];
    }

    /// @param vertex a vertex below GetNVertices()
    /// @return whether the vertex is a host; otherwise the vertex is a switch
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
    /// @return the port of the same link in the other direction
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

    /// @return the tiers in the order of their vertices; the first tier is the hosts
    const std::vector<TopologyTier>& GetTiers() const
    {
        return m_tiers;
    }

    /// @param vertex a vertex
    /// @return the vertex's tier and its number in the tier, such as "host3", "edge2", "agg5" or
    ///         "core1"
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
    /// @param to a neighbour of that vertex
    /// @return the port that sends from the first vertex to the second
    LinkPort FindPort(VertexId from, VertexId to) const;

    /// Finds the ports that begin a shortest path from a vertex to a host, ports of failed links
    /// included.
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

    /// Computes the port by which a vertex forwards a packet.
    /// @param vertex a vertex other than dst
    /// @param dst destination host of the packet
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
    /// @return whether several ports begin a shortest path from the vertex to the host, ports of
    ///         failed links included
    bool HasChoice(VertexId vertex, HostId dst) const
    {
        return GetEqualCostPorts(vertex, dst).count > 1;
    }

    /// @param src a host
    /// @param dst a host; may be src
    /// @return whether there is a path from src to dst
    bool HasPath(HostId src, HostId dst) const
    {
        return m_nFailedLinks == 0 || src == dst || NextPort(src, dst, 0) != NO_PORT;
    }

    /// Finds the ports that a packet passes, in order, by NextPort() at every vertex.
    /// @param src sending host
    /// @param dst receiving host
    /// @param hash as for NextPort()
    /// @param path receives the ports, at most MAX_PATH_PORTS
    /// @return number of ports: 0 where src is dst or there is no path
    uint32_t Path(HostId src,
                  HostId dst,
                  uint64_t hash,
                  std::span<LinkPort, MAX_PATH_PORTS> path) const;

    /// Computes the oversubscription of edge switches: the sum of the rates of a switch's host
    /// links over the sum of the rates of its links to other switches. The result is the maximum
    /// over all switches with hosts. With a ratio of at most 1, the edge is no bottleneck.
    /// @return the ratio; 0 where the switches of hosts have no links to other switches
    double GetOversubscription() const;

    /// @return whether packets are sprayed; NextPort() then needs a hash per packet
    bool IsSprayingPackets() const
    {
        return m_spraying;
    }

    /// @return the idle time of a flow after which a switch chooses a path for the flow again. 0: a
    ///         switch never chooses again
    Time GetFlowletTimeout() const
    {
        return m_flowletTimeout;
    }

    /// Makes the link between two neighbours fail in both directions. No path is chosen over a
    /// failed link. Packets that already wait at its ports are still sent. Throws
    /// ::coflow::InputError where there is no such link.
    /// @param a a vertex
    /// @param b a neighbour of a
    void FailLink(VertexId a, VertexId b);

    /// Restores a failed link. Throws as FailLink().
    /// @param a a vertex
    /// @param b a neighbour of a
    void RestoreLink(VertexId a, VertexId b);

    /// Changes the rate of both directions of a link, for packets whose transmission starts
    /// from now on. Throws as FailLink(), and where the rate is 0.
    /// @param a a vertex
    /// @param b a neighbour of a
    /// @param rate the new rate
    void SetLinkRate(VertexId a, VertexId b, DataRate rate);

    /// Sets the random stream of the salts of ECMP.
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
    /// @return the first switch
    VertexId AddSwitches(const std::string& tier, uint32_t count);

    /// Adds the next link: ports 2i (a to b) and 2i+1 (b to a). The links of hosts come first, in
    /// the order of the hosts, with the host as a. Links between switches follow.
    /// @param a a vertex
    /// @param b a vertex
    void AddLink(VertexId a, VertexId b);

    /// Adds the links of all hosts. The hosts are spread evenly over the switches of a tier: host h
    /// is attached to switch floor(h * switches / hosts).
    /// @param first first switch of the tier
    /// @param switches number of switches
    void AddHostLinks(VertexId first, uint32_t switches);

    /// Makes Build() choose one rate for all links between switches, such that
    /// GetOversubscription() is a given ratio. Throws ::coflow::InputError where FabricLinkRate is
    /// also given, or where the ratio is out of range.
    /// @param ratio the attribute Oversubscription; 0: not given
    void Oversubscribe(double ratio);

    /// Throws ::coflow::InputError where the value of an attribute is out of range.
    /// @param attribute name of the attribute
    /// @param value the value
    /// @param lowest lowest value allowed
    /// @param highest highest value allowed
    void CheckRange(const std::string& attribute,
                    uint64_t value,
                    uint64_t lowest,
                    uint64_t highest) const;

    /// Throws ::coflow::InputError that names this topology's type.
    /// @param attribute name of the attribute
    /// @param value value of the attribute
    /// @param allowed the allowed values, as text
    [[noreturn]] void Reject(const std::string& attribute,
                             const std::string& value,
                             const std::string& allowed) const;

    void DoDispose() override;

  private:
    /// Adds hosts, then switches, then links.
    virtual void DoBuild() = 0;

    /// Computes GetEqualCostPorts() for a switch to which the host is not attached. Must not
    /// allocate memory.
    /// @param vertex a switch
    /// @param dst a host attached to another switch
    virtual PortRange DoGetEqualCostPorts(VertexId vertex, HostId dst) const = 0;

    /// Chooses one of `count` ports of a switch (ECMP).
    uint32_t ChooseIndex(uint32_t count, VertexId vertex, uint64_t hash) const
    {
        // The upper half of the hash, as a fraction of 2^32, times the count (multiply-shift).
        return static_cast<uint32_t>(((MixBits(hash ^ m_salts[vertex]) >> 32) * count) >> 32);
    }

    /// Chooses one of the ports from which the host can be reached (ECMP).
    LinkPort ChooseUsablePort(PortRange ports, VertexId vertex, HostId dst, uint64_t hash) const;
    /// @return whether a shortest path to dst begins with the port
    bool IsUsable(LinkPort port, HostId dst) const;
    /// @return whether a shortest path leads from the switch to the host. The result is memoised
    bool IsReachable(VertexId vertex, HostId dst) const;

    void SetLinkState(VertexId a, VertexId b, bool up);
    void DrawSalts();
    void ApplyHostRates();
    void ApplyOversubscription();
    void ApplyFailedLinks();

    /// Whether a switch reaches a host while links have failed.
    enum class Reachability : uint8_t
    {
        UNKNOWN,
        NO,
        YES
    };

    DataRate m_linkRate;       ///< rate of host links
    DataRate m_fabricLinkRate; ///< rate of links between switches; 0: m_linkRate
    Time m_linkDelay;          ///< propagation delay of every link
    std::string m_hostRates;   ///< attribute HostRates: hosts with other rates
    std::string m_failedLinks; ///< links that are down from the start
    bool m_spraying;           ///< whether packets are sprayed
    Time m_flowletTimeout;     ///< see GetFlowletTimeout()
    bool m_salted;             ///< whether every switch has a different salt

    bool m_built{false};
    double m_oversubscription{0}; ///< attribute Oversubscription; 0: not given
    uint32_t m_nHosts{0};
    uint32_t m_nFailedLinks{0};
    std::vector<TopologyPort> m_ports;
    std::vector<TopologyTier> m_tiers;
    std::vector<uint64_t> m_salts; ///< by vertex
    Ptr<UniformRandomVariable> m_random;
    /// By switch and host; empty while no link has failed.
    mutable std::vector<Reachability> m_reachability;
    TracedCallback<LinkPort> m_portChangeTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_TOPOLOGY_H
