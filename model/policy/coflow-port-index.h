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

/// The unfinished flows of every coflow of a view, by port. What one coflow has at one port is a
/// node; a flow joins a sending and a receiving node of its coflow.
///
/// Kept from decision to decision: a coflow that has as many flows as the last time, and the same
/// revision, has the same ones, and costs nothing; any other costs O(its flows).
class PortIndex
{
  public:
    /// A flow as one of its nodes sees it.
    struct Entry
    {
        std::uint32_t other; ///< the node at its other end
        std::uint32_t flow;  ///< its position, counted from CoflowRow::begin
    };

    /// What a coflow has at one port; at least one flow.
    struct Node
    {
        PortId port{0};         ///< the port
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
        std::uint32_t flows{0};     ///< number of its flows
        std::uint32_t revision{0};  ///< CoflowRow::revision of its flows
        std::uint32_t senders{0};   ///< number of its sending nodes; they come first
        std::uint64_t seen{0};      ///< last update in which it was present
        std::vector<Node> nodes;    ///< by port
        std::vector<Entry> entries; ///< of all nodes, one after the other

        /// Number of its receiving nodes.
        std::uint32_t Receivers() const
        {
            return static_cast<std::uint32_t>(nodes.size()) - senders;
        }

        /// The flows at a node.
        std::span<const Entry> At(std::uint32_t node) const
        {
            return std::span(entries).subspan(nodes[node].begin, nodes[node].Count());
        }
    };

    /// Brings the index up to date.
    /// @param view the coflows; one that gains flows from call to call has another revision
    /// @param hosts number of hosts
    void Update(const StructureView& view, std::size_t hosts);

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
    std::span<const PortId> PortsOf(std::span<const HostId> src,
                                    std::span<const HostId> dst,
                                    std::size_t hosts);

    /// Makes a part anew.
    void Build(const StructureView& view, const CoflowRow& row, std::size_t hosts, Part& part);

    std::vector<Part> m_parts;               ///< by coflow index; those that are gone are empty
    std::vector<std::uint32_t> m_indices;    ///< per row: coflow index
    std::vector<std::size_t> m_firstNode{0}; ///< per row, and the end
    std::uint64_t m_updates{0};              ///< number of updates
    std::vector<Work> m_work;                ///< working memory: per port
    std::vector<PortId> m_ports;             ///< working memory: ports of the coflow at hand
};

} // namespace coflow

#endif // COFLOW_PORT_INDEX_H
