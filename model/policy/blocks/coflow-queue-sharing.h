/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_QUEUE_SHARING_H
#define COFLOW_QUEUE_SHARING_H

#include "ns3/coflow-class-filler.h"
#include "ns3/coflow-port-index.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace coflow
{

/// Serves groups of flows from queues, one group after the other inside a queue, the flows of a
/// group equally. Queues share every port by weight K - k, or the higher one goes first. What a
/// queue cannot use of a port goes to the other queues there, by weight as well; what is left when
/// that has been done a few times goes to all in order.
class QueueSharing
{
  public:
    /// Queue of a group that goes before all queues.
    static constexpr int FIRST = -1;

    /// Where a coflow stands; the smaller rank goes first.
    struct Rank
    {
        int queue{0};  ///< 0 to K - 1, or FIRST
        double key{0}; ///< order inside the queue

        auto operator<=>(const Rank&) const = default;
    };

    /// Flows of one coflow that are served together: those that join two of its nodes.
    struct Group
    {
        Rank rank;            ///< ties by row
        std::uint32_t row{0}; ///< row of the view
        std::size_t begin{0}; ///< first of its nodes
        std::size_t end{0};   ///< one past the last of its nodes
    };

    /// Asked when it is a group's turn.
    /// @param group the group
    /// @param nodes its nodes
    /// @param budget what there is for it
    /// @param leftovers whether that is what queues have left of their shares
    /// @returns those of its nodes that take part; valid until the next call
    using Turn = std::function<std::span<const std::uint32_t>(const Group& group,
                                                              std::span<const std::uint32_t> nodes,
                                                              const PortBudget& budget,
                                                              bool leftovers)>;

    /// @param queues their number K
    /// @param strict whether higher queues go first, in place of weights
    QueueSharing(int queues, bool strict)
        : m_queues(queues),
          m_strict(strict)
    {
    }

    /// Starts anew, without groups. The view and its index must last until Serve().
    void Start(const StructureView& view, const PortIndex& index, const PortRates& capacity);

    /// Adds a group without nodes.
    void AddGroup(const Rank& rank, std::uint32_t row);

    /// Adds a node to the last group. No node is added twice to a group.
    void AddNode(std::uint32_t node)
    {
        m_nodes.push_back(node);
        ++m_groups.back().end;
    }

    /// Serves all groups.
    /// @param rates per flow of the view; added to
    /// @param turn asked for every group whenever it is its turn; empty: all nodes take part
    void Serve(std::span<double> rates, const Turn& turn = {});

    /// Rate that Serve() has given to the nodes of a row.
    std::span<const double> NodeRates(std::size_t row) const
    {
        return m_filler.NodeRates(row);
    }

    /// Rate that Serve() has given to a coflow.
    double RowRate(std::size_t row) const
    {
        return m_filler.RowRate(row);
    }

    /// Share of a queue in a port, relative to those of the other queues there.
    double Weight(int queue) const
    {
        return static_cast<double>(m_queues - queue);
    }

    /// Rate of a port.
    double Capacity(HostPort port) const
    {
        return m_budget.Capacity(port);
    }

  private:
    /// Serves groups in order.
    void ServeInOrder(std::span<const Group> groups,
                      PortBudget& budget,
                      bool leftovers,
                      std::span<double> rates,
                      const Turn& turn);

    /// Serves groups of queues by weight.
    void ServeByWeight(std::span<const Group> groups, std::span<double> rates, const Turn& turn);

    int m_queues;                       ///< K
    bool m_strict;                      ///< higher queues go first
    const PortIndex* m_index{nullptr};  ///< flows by port
    ClassFiller m_filler;               ///< gives flows their rates
    PortBudget m_budget;                ///< what is free
    std::vector<Group> m_groups;        ///< in the order of service
    std::vector<std::uint32_t> m_nodes; ///< of all groups
};

} // namespace coflow

#endif // COFLOW_QUEUE_SHARING_H
