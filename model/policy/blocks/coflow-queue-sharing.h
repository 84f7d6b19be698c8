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

/// Serves groups of flows from queues. Inside a queue, groups are served one after the other, and
/// the flows of a group share equally. Queues share every port by weight K - k, or by strict
/// priority. Unused capacity of a queue at a port goes to the other queues at the port, also by
/// weight. After a few rounds, the remaining capacity is given to all groups in order.
class QueueSharing
{
  public:
    /// Queue of a group that is served before all queues.
    static constexpr int FIRST = -1;

    /// The rank of a coflow. Smaller ranks are served first.
    struct Rank
    {
        int queue{0};  ///< 0 to K - 1, or FIRST
        double key{0}; ///< order inside the queue

        auto operator<=>(const Rank&) const = default;
    };

    /// Flows of one coflow that are served together: the flows between the group's nodes.
    struct Group
    {
        Rank rank;            ///< rank of the coflow; ties are broken by row
        std::uint32_t row{0}; ///< row of the view
        std::size_t begin{0}; ///< first of its nodes
        std::size_t end{0};   ///< one past the last of its nodes
    };

    /// Called when a group is served.
    /// @param group the group
    /// @param nodes nodes of the group
    /// @param budget free rates for the group
    /// @param leftovers whether the free rates are unused shares of queues
    /// @returns the nodes of the group that are served; valid until the next call
    using Turn = std::function<std::span<const std::uint32_t>(const Group& group,
                                                              std::span<const std::uint32_t> nodes,
                                                              const PortBudget& budget,
                                                              bool leftovers)>;

    /// @param queues number of queues, K
    /// @param strict whether queues have strict priority, in place of weights
    QueueSharing(int queues, bool strict)
        : m_queues(queues),
          m_strict(strict)
    {
    }

    /// Starts without groups. The view and its index must exist until Serve().
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
    /// @param rates per flow of the view; the new rates are added
    /// @param turn called for every group when it is served; empty: all nodes are served
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

    /// Weight of a queue: its share of a port, relative to the other queues at the port.
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
    bool m_strict;                      ///< higher queues have strict priority
    const PortIndex* m_index{nullptr};  ///< flows by port
    ClassFiller m_filler;               ///< computes the rates of flows
    PortBudget m_budget;                ///< free rates of the ports
    std::vector<Group> m_groups;        ///< groups; in the order of service after Serve()
    std::vector<std::uint32_t> m_nodes; ///< nodes of all groups
};

} // namespace coflow

#endif // COFLOW_QUEUE_SHARING_H
