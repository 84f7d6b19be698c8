/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LINK_SHARE_H
#define COFLOW_LINK_SHARE_H

#include "ns3/coflow-flow-table.h"
#include "ns3/coflow-fluid-options.h"
#include "ns3/coflow-fluid-run.h"
#include "ns3/coflow-path-map.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// Shares ports and the links inside a fabric among flows as TCP does: max-min fair per flow, where
/// no flow takes more than its demand.
///
/// A flow has its chosen path, or otherwise the path that the fabric chooses by the hash of its
/// coflow and its number. Only ports and links where the sum of demands exceeds the capacity are
/// computed. At all others every flow has its demand.
class LinkShare
{
  public:
    /// The demand of scheduled flows.
    enum class Demand
    {
        GRANTED,       ///< the granted rate
        WITHOUT_LIMIT, ///< no limit
        GRANTED_FIRST  ///< the granted rate, and then all unused capacity
    };

    /// @return the demand of the flows that a policy decides about
    static Demand DemandOf(const Policy& policy);

    /// @param run workload and rates of the ports
    /// @param paths links and paths, which must exist as long as this object
    /// @param demand demand of flows that a policy decides about
    LinkShare(const FluidRun& run, const PathMap& paths, Demand demand);

    /// Puts the paths of a table in force.
    /// @param table flows of the run
    void TakePaths(const FlowTable& table);

    /// Sets the rates of all flows.
    /// @param table flows with granted rates, which are replaced by the rates in force
    /// @param others flows without a limit, whose rates are set
    /// @param now the time, in nanoseconds
    /// @return whether a rate in the table was changed
    bool Share(FlowTable& table, std::span<FlowState> others, Nanoseconds now);

    /// Time at which rates change: the finish of a flow at an exceeded link. NEVER: all flows have
    /// their demand.
    Nanoseconds Next() const
    {
        return m_next;
    }

  private:
    /// A flow and its rate.
    struct Member
    {
        std::uint32_t number{0}; ///< number of the flow in the workload
        HostId src{0};           ///< sending host
        HostId dst{0};           ///< receiving host
        double demand{0};        ///< in bytes per second
        double rate{0};          ///< its rate, in bytes per second
        double remaining{0};     ///< bytes left
        bool shares{false};      ///< whether it uses an exceeded port or link
        bool live{false};        ///< whether its rate still rises
    };

    /// A level at which a port or link is full.
    using Level = std::pair<double, std::uint32_t>;

    /// Calls a function for the ports and links of a flow.
    template <class Function>
    void ForEachLink(const Member& member, Function function) const
    {
        function(member.src);
        function(m_hosts + member.dst);
        for (const FabricLink link : m_paths[member.number].Links())
        {
            function(2 * m_hosts + link);
        }
    }

    void FindPath(const Member& member, CoflowId coflow, FlowId flow);
    void Collect(const FlowTable& table, std::span<const FlowState> others);
    /// Sets the rates of members to their demand, or to their share of the free capacity.
    void Fill();
    void Index();
    void Freeze(Member& member, double rate);

    const FluidRun& m_run;
    const PathMap& m_map;
    const Demand m_demand;
    const std::uint32_t m_hosts;           ///< number of hosts
    std::vector<double> m_capacity;        ///< capacity in bytes per second: sending ports,
                                           ///< receiving ports, links
    std::vector<FabricPath> m_paths;       ///< by number of the flow; count UNKNOWN: not known yet
    std::vector<Member> m_members;         ///< flows of the table in order, then the other flows
    std::vector<double> m_free;            ///< per port or link: free capacity
    std::vector<double> m_load;            ///< per port or link: sum of demands
    std::vector<std::uint32_t> m_live;     ///< per port or link: number of members that are live
    std::vector<std::uint32_t> m_begin;    ///< per port or link: position of its first member in
                                           ///< m_byLink
    std::vector<std::uint32_t> m_byLink;   ///< members at exceeded ports and links
    std::vector<std::uint32_t> m_byDemand; ///< members that share, the smallest demand first
    std::vector<Level> m_heap;             ///< working memory
    Nanoseconds m_next{NEVER};             ///< see Next()
};

} // namespace coflow

#endif // COFLOW_LINK_SHARE_H
