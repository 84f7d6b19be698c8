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
/// flows). The cost is small where flows have finished and every port still has a flow, if flows
/// are sorted by receiver, as in most traces. The positions of a receiving node's flows are then
/// contiguous.
class PortIndex
{
  public:
    /// What a coflow has at one port; at least one flow.
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
        std::uint32_t senders{0};       ///< number of its sending nodes; they come first
        std::uint32_t firstReceived{0}; ///< first entry of a receiving node
        std::uint64_t seen{0};          ///< last update in which it was present
        std::vector<Node> nodes;        ///< by port
        /// Of all nodes, senders first: the node at the other end of a flow.
        std::vector<std::uint32_t> others;
        /// Likewise: where the flow was when the part was made, in ascending order at a node.
        /// Those of receiving nodes are left out if flows stand by receiver.
        std::vector<std::uint32_t> places;
        std::vector<std::uint32_t> now;   ///< by place: where the flow is now
        std::vector<std::uint32_t> first; ///< per flow: its place when the part was made
        std::vector<FlowId> ids;          ///< per flow

        /// Number of its receiving nodes.
        std::uint32_t Receivers() const
        {
            return static_cast<std::uint32_t>(nodes.size()) - senders;
        }

        /// Whether its flows stand in the order of the receiving nodes.
        bool ByReceiver() const
        {
            return places.size() < others.size();
        }

        /// Per flow at a node: the node at its other end.
        std::span<const std::uint32_t> Others(std::uint32_t node) const
        {
            return std::span(others).subspan(nodes[node].begin, nodes[node].Count());
        }

        /// Calls function(other, position) for every flow at a node, until it answers false.
        /// @param other the node at its other end
        /// @param position where it is, counted from CoflowRow::begin
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
    /// @param view the coflows; one that gains flows from call to call has another revision
    /// @param hosts number of hosts
    void Update(const StructureView& view, std::size_t hosts);

    /// Whether the last update found other flows, or other coflows, than the one before.
    bool Changed() const
    {
        return m_changed;
    }

    /// The coflow in this row of the view.
    const Part& Of(std::size_t row) const
    {
        return m_parts[m_indices[row]];
    }

    /// Number of the row's node 0 when the nodes of all rows are counted through.
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
    /// A port, while a part is made.
    struct Work
    {
        std::uint32_t count{0}; ///< number of its flows; 0 between parts
        std::uint32_t node{0};  ///< its node
        std::uint32_t next{0};  ///< place of its next entry
    };

    /// Ports with a count, in order.
    std::span<const HostPort> PortsOf(std::span<const HostId> src,
                                      std::span<const HostId> dst,
                                      std::size_t hosts);

    /// Removes flows that have finished from a part.
    /// @returns whether that was all; otherwise it has to be made anew
    static bool Shrink(const StructureView& view, const CoflowRow& row, Part& part);

    /// Removes a flow from its sending node.
    /// @param node the node
    /// @param place where the flow was when the part was made
    /// @returns whether the node has others
    static bool RemoveAtSender(Part& part, std::uint32_t node, std::uint32_t place);

    /// Makes a part anew.
    void Build(const StructureView& view, const CoflowRow& row, std::size_t hosts, Part& part);

    std::vector<Part> m_parts;               ///< by coflow index; those that are gone are empty
    std::vector<std::uint32_t> m_indices;    ///< per row: coflow index
    std::vector<std::size_t> m_firstNode{0}; ///< per row, and the end
    std::uint64_t m_updates{0};              ///< number of updates
    bool m_changed{false};                   ///< by the last update
    std::vector<Work> m_work;                ///< working memory: per port
    std::vector<HostPort> m_ports;           ///< working memory: ports of the coflow at hand
};

} // namespace coflow

#endif // COFLOW_PORT_INDEX_H
