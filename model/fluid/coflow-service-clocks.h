/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SERVICE_CLOCKS_H
#define COFLOW_SERVICE_CLOCKS_H

#include "ns3/coflow-types.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coflow
{

/// Finds the next flow to finish, where the rate of a flow is its weight x the level of a node. A
/// change of a level does not visit flows.
///
/// Every node has a clock that advances at its level: the service per unit of weight. A link that
/// is limited by the node gets the same service. So the order in which the links of a node finish
/// does not change with the level. Each node has a heap of its links, by the value of the clock at
/// which the first flow of the link finishes. A link moves to another heap only when its other node
/// becomes its limit.
class ServiceClocks
{
  public:
    /// A flow of a link.
    struct Entry
    {
        double target;        ///< service of the link at which the flow finishes
        std::uint32_t coflow; ///< position of its coflow
        FlowId flow;          ///< its id

        /// Reverse order, for heaps with the smallest on top.
        bool operator<(const Entry& other) const
        {
            return target > other.target;
        }
    };

    /// A finished flow.
    struct Finished
    {
        std::uint32_t link;   ///< link of the flow
        std::uint32_t coflow; ///< position of its coflow
        FlowId flow;          ///< its id
    };

    /// Adds a node with level 0.
    std::uint32_t AddNode();

    /// Adds a link without a node.
    std::uint32_t AddLink();

    /// Whether a link has a node.
    bool IsBound(std::uint32_t link) const
    {
        return m_links[link].node != NONE;
    }

    /// Adds a flow to a link.
    /// @param link link of the flow
    /// @param amount service per unit of weight that the flow needs
    void AddFlow(std::uint32_t link,
                 double amount,
                 std::uint32_t coflow,
                 FlowId flow,
                 Nanoseconds now);

    /// Changes the limiting node of a link that has flows.
    void Bind(std::uint32_t link, std::uint32_t node, Nanoseconds now);

    /// Changes the level of a node; infinite counts as 0.
    void SetLevel(std::uint32_t node, double level, Nanoseconds now);

    /// Finish time of the next flow; NEVER: none. To be called after all changes at `now`.
    Nanoseconds Next(Nanoseconds now);

    /// Calls function(link, entry, service) for every flow, with the service of its link at a time.
    /// @param at the time, between the last change and the next finish
    template <class Function>
    void ForEachFlow(Nanoseconds at, Function function) const
    {
        for (std::uint32_t l = 0; l < m_links.size(); ++l)
        {
            if (m_links[l].node == NONE)
            {
                continue;
            }
            const Node& node = m_nodes[m_links[l].node];
            const double clock =
                node.clock + node.level * (static_cast<double>(at - node.at) * 1e-9);
            for (const Entry& entry : m_links[l].flows)
            {
                function(l, entry, clock + m_links[l].offset);
            }
        }
    }

    /// Level of the node that limits a link with flows.
    double LevelOf(std::uint32_t link) const
    {
        return m_nodes[m_links[link].node].level;
    }

    /// Removes the flows that have finished.
    /// @param finished list, which the flows are appended to
    void TakeFinished(Nanoseconds now, std::vector<Finished>& finished);

  private:
    static constexpr std::uint32_t NONE = UINT32_MAX; ///< no node
    static constexpr std::size_t BLOCK = 64;          ///< nodes per entry of m_blockNext

    /// A link in the heap of its node. Outdated entries stay until they are on top.
    struct Bound
    {
        double key;            ///< value of the node's clock at which the first flow of the link
                               ///< finishes
        std::uint32_t link;    ///< the link
        std::uint32_t version; ///< Link::version at the insertion

        /// Reverse order, for heaps with the smallest on top.
        bool operator<(const Bound& other) const
        {
            return key != other.key ? key > other.key : link > other.link;
        }
    };

    /// A clock and the links that follow it.
    struct Node
    {
        double level{0};         ///< rate of the clock per second
        double clock{0};         ///< value of the clock at the time `at`
        Nanoseconds at{0};       ///< time of the last update
        std::vector<Bound> heap; ///< links of the node, by key
        bool touched{false};     ///< the node is in m_touched
    };

    /// A set of flows with equal rates per weight.
    struct Link
    {
        std::uint32_t node{NONE}; ///< node that limits the link; NONE: no flows
        std::uint32_t version{0}; ///< incremented at every change of the link's place in a heap
        double offset{0};         ///< service of the link minus the clock of its node
        std::vector<Entry> flows; ///< flows of the link, a heap by target
    };

    void Advance(Node& node, Nanoseconds now);
    void Touch(std::uint32_t node);
    void Push(std::uint32_t link);
    void DropOutdated(Node& node);

    std::vector<Node> m_nodes;              ///< all nodes
    std::vector<Link> m_links;              ///< all links
    std::vector<Nanoseconds> m_next;        ///< per node: finish time of its first flow, or NEVER
    std::vector<Nanoseconds> m_blockNext;   ///< per block of nodes: minimum of m_next
    std::vector<std::uint8_t> m_blockDirty; ///< per block: m_blockNext is outdated
    std::vector<std::uint32_t> m_touched;   ///< nodes whose m_next is outdated
};

} // namespace coflow

#endif // COFLOW_SERVICE_CLOCKS_H
