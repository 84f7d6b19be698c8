/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CLASS_FILLER_H
#define COFLOW_CLASS_FILLER_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-port-index.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// Serves classes of flows one after the other. Each class shares the free rates that the classes
/// before have left, by max-min fairness with equal weights. The rates are those of MaxMinFiller.
///
/// A class is defined by the nodes of a PortIndex that Add() adds. A flow belongs to the first
/// class for which both its nodes have been added, and is served in this class if both its ports
/// have a free rate. A node at an exhausted port costs nothing, so the cost is in the flows that
/// get a rate. MaxMinFiller has to visit every flow of every class, and most of these flows get no
/// rate.
class ClassFiller
{
  public:
    /// Starts a decision, without rates and nodes.
    /// @param view the coflows
    /// @param index flows of the coflows by port; view and index must exist as long as the filler
    ///        is used
    void Start(const StructureView& view, const PortIndex& index);

    /// Adds a node to the next class. The nodes of a row must be added one after the other.
    void Add(std::uint32_t row, std::uint32_t node, const PortBudget& budget);

    /// Adds all receiving nodes of all rows, as the first class.
    void AddReceivers(const PortBudget& budget);

    /// Serves the present class.
    /// @param budget free rates of the ports, reduced by the flows' rates
    /// @param rates per flow of the view; set for flows that are served
    void Fill(PortBudget& budget, std::span<double> rates);

    /// Serves only the flows of one coflow between some nodes.
    /// @param row the coflow; none of its nodes has been added
    /// @param nodes of the coflow; no node twice
    /// @param budget free rates of the ports, reduced by the flows' rates
    /// @param rates per flow of the view; the new rates are added
    void FillNodes(std::uint32_t row,
                   std::span<const std::uint32_t> nodes,
                   PortBudget& budget,
                   std::span<double> rates);

    /// Rate given so far to the nodes of a row.
    std::span<const double> NodeRates(std::size_t row) const
    {
        return std::span(m_nodeRate)
            .subspan(m_index->FirstNode(row), m_index->Of(row).nodes.size());
    }

    /// Rate given so far to a coflow.
    double RowRate(std::size_t row) const;

  private:
    /// Whether a node takes part in the present class.
    enum class State : std::uint8_t
    {
        OUT, ///< the node has not been added, or its port is exhausted
        NEW, ///< the node was added to the present class
        OLD  ///< the node was added to an earlier class
    };

    /// A node.
    struct Place
    {
        std::uint32_t row;  ///< row of the view
        std::uint32_t node; ///< node of the row
    };

    /// An entry of the heap: the level at which a port would be exhausted.
    struct Candidate
    {
        double level;  ///< rate of a flow when the port is exhausted
        HostPort port; ///< the port

        /// Whether this entry precedes another one: by level, then by port.
        bool Before(const Candidate& other) const
        {
            return (level < other.level) | ((level == other.level) & (port < other.port));
        }
    };

    /// Numbers of flow ends at some nodes of one row.
    struct Ends
    {
        std::uint32_t sending{0};   ///< at sending nodes
        std::uint32_t receiving{0}; ///< at receiving nodes
    };

    /// Adds a node that takes part.
    /// @returns whether the node's port has a free rate; otherwise the call has no effect
    bool Enter(const Place& place, State state, const PortBudget& budget);

    /// The flow ends at nodes of one row.
    Ends EndsAt(std::span<const Place> places) const;

    /// Removes a node, which then takes part no more.
    void Forget(const Place& place);

    /// Counts the flows of a node that belong to the present class, at both nodes of the flow.
    /// @param part the row
    /// @param first number of its node 0 among the nodes of all rows
    /// @param node a node that takes part
    /// @param both also count flows whose other node is NEW
    void CountNode(const PortIndex::Part& part, std::size_t first, std::uint32_t node, bool both);

    /// Counts all flows of a row with no node that is OUT.
    void CountAllBut(const PortIndex::Part& part, std::size_t first);

    /// Counts the flows of a row that belong to the present class, per node and per port.
    /// @param places its new nodes
    void EnterRow(std::span<const Place> places);

    /// Moves an entry of the heap down to its position.
    void SiftDown(std::size_t place);

    /// Computes the rates of all flows of the present class by progressive filling.
    /// @tparam FIRST whether no flow of the class has a rate before
    template <bool FIRST>
    void Progress(PortBudget& budget, std::span<double> rates);

    /// Gives the flows of a port that have no rate yet their final rate.
    template <bool FIRST>
    void Freeze(HostPort port, double level, PortBudget& budget, std::span<double> rates);

    const StructureView* m_view{nullptr}; ///< the coflows
    const PortIndex* m_index{nullptr};    ///< flows of the coflows by port
    std::vector<State> m_state;           ///< state, per node of all rows
    std::vector<std::uint32_t> m_count;   ///< per node: number of flows of the class without a rate
    std::vector<double> m_nodeRate;       ///< per node: sum of the rates of its flows
    std::vector<std::uint32_t> m_live;    ///< per port: number of flows of the class without a rate
    std::vector<std::vector<Place>> m_at; ///< per port: nodes that take part
    std::vector<Ends> m_old;              ///< per row: flow ends at its nodes that are OLD
    std::vector<Place> m_new;             ///< nodes of the present class
    std::vector<HostPort> m_used;         ///< ports with flows of the present class
    std::uint64_t m_waiting{0};           ///< twice the number of flows of the class without a rate
    std::vector<Candidate> m_heap;        ///< ports that may be exhausted next
};

} // namespace coflow

#endif // COFLOW_CLASS_FILLER_H
