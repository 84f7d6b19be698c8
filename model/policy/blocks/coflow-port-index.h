/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PORT_INDEX_H
#define COFLOW_PORT_INDEX_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-view.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// The unfinished flows of every coflow of a view, by port. A node is the flows of one coflow at
/// one port. Each flow connects a sending and a receiving node of its coflow.
///
/// The index is updated at every decision. A coflow with the same number of flows and the same
/// revision as the last time has the same flows, and costs nothing. Any other coflow costs O(its
/// flows). The cost is small if flows have only finished, every port still has a flow, and flows
/// are sorted by receiver, as in most traces. The positions of a receiving node's flows are then
/// contiguous.
class PortIndex
{
  public:
    /// The flows of a coflow at one port; at least one flow.
    struct Node
    {
        HostPort port{0};       ///< the port
        std::uint32_t begin{0}; ///< first of its entries
        std::uint32_t end{0};   ///< one past the last of its entries

        /// Number of its flows.
        std::uint32_t Count() const
        {
            return end - begin;
        }
    };

    /// One coflow.
    struct Part
    {
        std::uint32_t flows{0};         ///< number of its flows
        std::uint32_t revision{0};      ///< CoflowRow::revision of its flows
        std::uint32_t senders{0};       ///< number of its sending nodes, which come first
        std::uint32_t firstReceived{0}; ///< first entry of a receiving node
        std::uint64_t seen{0};          ///< last update in which it was present
        std::vector<Node> nodes;        ///< nodes, sorted by port
        /// Entries of all nodes, senders first: the node at the other end of a flow.
        std::vector<std::uint32_t> others;
        /// Entries of all nodes, senders first: position of the flow when the part was built, in
        /// ascending order at a node. The entries of receiving nodes are left out if flows are
        /// sorted by receiver.
        std::vector<std::uint32_t> places;
        /// By position when the part was built: present position of the flow.
        std::vector<std::uint32_t> now;
        std::vector<std::uint32_t> first; ///< per flow: position when the part was built
        std::vector<FlowId> ids;          ///< per flow: identifier

        /// Number of its receiving nodes.
        std::uint32_t Receivers() const
        {
            return static_cast<std::uint32_t>(nodes.size()) - senders;
        }

        /// Whether its flows are sorted by receiver.
        bool ByReceiver() const
        {
            return places.size() < others.size();
        }

        /// Per flow at a node: the node at its other end.
        std::span<const std::uint32_t> Others(std::uint32_t node) const
        {
            return std::span(others).subspan(nodes[node].begin, nodes[node].Count());
        }

        /// Calls function(other, position) for every flow at a node, until the function returns
        /// false.
        /// @param other node at the other end of the flow
        /// @param position present position of the flow, counted from CoflowRow::begin
        template <class Function>
        void ForEachAt(std::uint32_t node, Function function) const
        {
            const std::uint32_t* other = others.data();
            const std::uint32_t* place = places.data();
            const std::uint32_t* position = now.data();
            const std::uint32_t end = nodes[node].end;
            std::uint32_t e = nodes[node].begin;
            if (node >= senders && ByReceiver())
            {
                const std::uint32_t before = firstReceived;
                while (e < end && function(other[e], e - before))
                {
                    ++e;
                }
                return;
            }
            while (e < end && function(other[e], position[place[e]]))
            {
                ++e;
            }
        }
    };

    /// Brings the index up to date.
    /// @param view the coflows; a coflow with added flows has another revision than before
    /// @param hosts number of hosts
    void Update(const StructureView& view, std::size_t hosts);

    /// Whether the last update found other flows or other coflows than the update before.
    bool Changed() const
    {
        return m_changed;
    }

    /// The coflow in this row of the view.
    const Part& Of(std::size_t row) const
    {
        return m_parts[m_indices[row]];
    }

    /// Number of the row's node 0 among the nodes of all rows.
    std::size_t FirstNode(std::size_t row) const
    {
        return m_firstNode[row];
    }

    /// Number of hosts of the last update.
    std::size_t Hosts() const
    {
        return m_work.size() / 2;
    }

    /// Number of nodes of all rows.
    std::size_t Nodes() const
    {
        return m_firstNode.back();
    }

  private:
    /// The state of a port during Build().
    struct Work
    {
        std::uint32_t count{0}; ///< number of its flows; 0 after Build()
        std::uint32_t node{0};  ///< its node
        std::uint32_t next{0};  ///< position of its next entry
    };

    /// Ports with at least one flow, in order.
    std::span<const HostPort> PortsOf(std::span<const HostId> src,
                                      std::span<const HostId> dst,
                                      std::size_t hosts);

    /// Removes finished flows from a part.
    /// @returns whether the part is up to date; otherwise the part must be built again
    static bool Shrink(const StructureView& view, const CoflowRow& row, Part& part);

    /// Removes a flow from its sending node.
    /// @param node the node
    /// @param place position of the flow when the part was built
    /// @returns whether the node has other flows
    static bool RemoveAtSender(Part& part, std::uint32_t node, std::uint32_t place);

    /// Builds a part from the view.
    void Build(const StructureView& view, const CoflowRow& row, std::size_t hosts, Part& part);

    std::vector<Part> m_parts; ///< by coflow index; empty for coflows that are not in the view
    std::vector<std::uint32_t> m_indices; ///< coflow index, per row
    /// Number of node 0 per row; the last element is the number of all nodes.
    std::vector<std::size_t> m_firstNode{0};
    std::uint64_t m_updates{0};    ///< number of updates
    bool m_changed{false};         ///< Changed()
    std::vector<Work> m_work;      ///< working memory: per port
    std::vector<HostPort> m_ports; ///< working memory: ports of the present coflow
};

} // namespace coflow

#endif // COFLOW_PORT_INDEX_H
