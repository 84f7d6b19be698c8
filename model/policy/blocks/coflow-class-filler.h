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
/// A class is given by the nodes of a PortIndex that it adds: a flow belongs to the first class
/// by which both its nodes have been added, and is served in it if both its ports have rate left.
/// A node whose port is exhausted costs nothing, so the work is in the flows that get a rate.
/// MaxMinFiller has to look at every flow of every class, and most of them get nothing.
class ClassFiller
{
  public:
    /// Starts a decision, without rates and nodes.
    /// @param view the coflows
    /// @param index the same by port; both must last while the filler is used
    void Start(const StructureView& view, const PortIndex& index);

    /// Adds a node to the next class. The nodes of a row must be added one after the other.
    void Add(std::uint32_t row, std::uint32_t node, const PortBudget& budget);

    /// Adds all receiving nodes of all rows, as the first class.
    void AddReceivers(const PortBudget& budget);

    /// Serves the class.
    /// @param budget what is free; reduced
    /// @param rates per flow of the view; set for flows that are served
    void Fill(PortBudget& budget, std::span<double> rates);

    /// Serves only the flows of one coflow between some nodes.
    /// @param row the coflow; none of its nodes has been added
    /// @param nodes of the coflow, each once
    /// @param budget what is free; reduced
    /// @param rates per flow of the view; added to
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
    /// Whether a node takes part.
    enum class State : std::uint8_t
    {
        OUT, ///< it has not been added, or its port is exhausted
        NEW, ///< it belongs to the class at hand
        OLD  ///< it belongs to one before
    };

    /// A node.
    struct Place
    {
        std::uint32_t row;  ///< row of the view
        std::uint32_t node; ///< node of the row
    };

    /// When a port would run out, as the heap knows it.
    struct Candidate
    {
        double level;  ///< rate of a flow then
        HostPort port; ///< the port

        /// Whether it goes first: by level, then by port.
        bool Before(const Candidate& other) const
        {
            return (level < other.level) | ((level == other.level) & (port < other.port));
        }
    };

    /// Ends of flows at some nodes of one row.
    struct Ends
    {
        std::uint32_t sending{0};   ///< at sending nodes
        std::uint32_t receiving{0}; ///< at receiving nodes
    };

    /// Lets a node take part.
    /// @returns whether its port has rate left; otherwise nothing was done
    bool Enter(const Place& place, State state, const PortBudget& budget);

    /// Ends of flows at nodes of one row.
    Ends EndsAt(std::span<const Place> places) const;

    /// A node takes part no more.
    void Forget(const Place& place);

    /// Counts a node's flows that belong to the class at hand, at both their nodes.
    /// @param part the row
    /// @param first its node 0 among those of all rows
    /// @param node the node; it takes part
    /// @param both also flows whose other node is new
    void CountNode(const PortIndex::Part& part, std::size_t first, std::uint32_t node, bool both);

    /// Counts all flows of a row of which no node is out.
    void CountAllBut(const PortIndex::Part& part, std::size_t first);

    /// Counts the flows of a row that belong to the class at hand, and enters them at their ports.
    /// @param places its new nodes
    void EnterRow(std::span<const Place> places);

    /// Moves a candidate of the heap down to where it belongs.
    void SiftDown(std::size_t place);

    /// Fills all ports that have flows of the class at hand.
    /// @tparam FIRST no flow of it has a rate yet
    template <bool FIRST>
    void Progress(PortBudget& budget, std::span<double> rates);

    /// Gives all flows of the class that a port still has their rate.
    template <bool FIRST>
    void Freeze(HostPort port, double level, PortBudget& budget, std::span<double> rates);

    const StructureView* m_view{nullptr}; ///< the coflows
    const PortIndex* m_index{nullptr};    ///< the same by port
    std::vector<State> m_state;           ///< per node of all rows
    std::vector<std::uint32_t> m_count;   ///< per node: flows of the class without a rate
    std::vector<double> m_nodeRate;       ///< per node: rate given
    std::vector<std::uint32_t> m_live;    ///< per port: flows of the class without a rate
    std::vector<std::vector<Place>> m_at; ///< per port: nodes that take part
    std::vector<Ends> m_old;              ///< per row: at its old nodes
    std::vector<Place> m_new;             ///< nodes of the class at hand
    std::vector<HostPort> m_used;         ///< ports with flows of the class at hand
    std::uint64_t m_waiting{0};           ///< twice the flows of the class without a rate
    std::vector<Candidate> m_heap;        ///< ports that may be exhausted next
};

} // namespace coflow

#endif // COFLOW_CLASS_FILLER_H
