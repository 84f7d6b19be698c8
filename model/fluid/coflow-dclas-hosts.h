/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCLAS_HOSTS_H
#define COFLOW_DCLAS_HOSTS_H

#include "ns3/coflow-dclas-policy.h"
#include "ns3/coflow-port-index.h"
#include "ns3/coflow-queue-sharing.h"
#include "ns3/coflow-view.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// The knowledge and the decisions of sending hosts between two decisions of the coordinator of
/// D-CLAS. The rules are the same as those of the daemons at packet level:
///
/// - A host knows the bytes that all hosts had sent of a coflow at the last multiple of delta. It
///   adds its own bytes at once, and moves the coflow down when the sum reaches a threshold.
/// - A host may send to all receivers that the coordinator has not closed to the coflow. If the
///   last flow of the coflows that may send from a host to a receiver finishes, the first coflow
///   that waits for this receiver may send. With all-or-none, this is the first coflow that shares
///   no receiver with another coflow of this host.
/// - A host that does not know the width of a coflow takes the width of its own part.
class DclasHosts
{
  public:
    /// @param policy thresholds, keys and parameters; it must outlive this object
    explicit DclasHosts(const DclasPolicy& policy)
        : m_policy(&policy)
    {
    }

    /// Updates the knowledge of hosts to the present, at the rates of the last NoteRates().
    /// @param view the coflows now
    /// @param index the coflows by port
    /// @returns whether a coflow has reached a threshold, by the bytes that the coordinator knows
    bool Advance(const AttainedView& view, const PortIndex& index);

    /// @return the queue of a coflow at the coordinator
    int QueueAtCoordinator(const CoflowRow& row) const
    {
        return m_known[row.index].queue;
    }

    /// Gives hosts a decision of the coordinator on a coflow.
    /// @param view the coflows now
    /// @param index the coflows by port
    /// @param row row of the view
    /// @param promoted whether the coflow goes before all queues
    /// @param open per receiving node: whether the coflow may send to the node
    void TakeDecision(const AttainedView& view,
                      const PortIndex& index,
                      std::uint32_t row,
                      bool promoted,
                      std::span<const std::uint8_t> open);

    /// Ends a decision of the coordinator: hosts have the decisions on all coflows.
    /// @param view the coflows now
    /// @param index the coflows by port
    /// @param reassign whether hosts reassign receivers
    void EndDecision(const AttainedView& view, const PortIndex& index, bool reassign);

    /// Whether every coflow is in the same queue on all hosts and at the coordinator.
    bool Agree(const AttainedView& view) const;

    /// Reassigns receivers when flows have finished: hosts give free receivers to waiting coflows.
    void ReassignReceivers(const AttainedView& view, const PortIndex& index);

    /// Adds the flows that may send to the sharing of the ports.
    void AddGroups(const AttainedView& view, const PortIndex& index, QueueSharing& sharing) const;

    /// Notes the rates of hosts from now on.
    void NoteRates(const AttainedView& view, const PortIndex& index, const QueueSharing& sharing);

    /// Time at which a coflow moves down next, on a host, or at the coordinator at a multiple of
    /// its period. NEVER: the coflow does not move down at these rates.
    Nanoseconds NextFall(const CoflowRow& row, Nanoseconds now) const;

  private:
    /// A sending host and a receiving one.
    using Pair = std::pair<HostId, HostId>;

    /// The knowledge of one host about a coflow.
    struct Part
    {
        HostId host{0}; ///< the host
        double own{0};  ///< bytes that the host has sent since the last sum of the coordinator
        double rate{0}; ///< rate at which the host sends, in bytes per second
        int queue{0};   ///< queue of the coflow on this host
    };

    /// The knowledge of the hosts and the coordinator about a coflow.
    struct Known
    {
        bool seen{false};           ///< the coflow has been present
        std::uint64_t lastSeen{0};  ///< last call of Advance() with this coflow
        double sent{0};             ///< bytes that all hosts had sent at the last call
        double told{0};             ///< last sum that hosts got from the coordinator, in bytes
        int queue{0};               ///< queue at the coordinator
        bool promoted{false};       ///< the coflow goes before all queues
        std::uint32_t width{0};     ///< number of receivers that hosts know; 0: unknown
        std::vector<Part> parts{};  ///< parts by sender
        std::vector<HostId> off{};  ///< closed receivers, in order
        std::vector<Pair> handed{}; ///< closed pairs to which hosts send nevertheless, in order

        /// Whether a host may send to another host.
        bool MaySend(HostId from, HostId to) const;
    };

    using Rank = QueueSharing::Rank;

    /// The node of a coflow at a port; none where the coflow has no flow at the port.
    static std::optional<std::uint32_t> FindNode(const PortIndex::Part& part,
                                                 bool sends,
                                                 HostPort port);

    /// Rank of a coflow at one of its sending nodes.
    Rank RankOf(const Known& known, const PortIndex::Part& part, std::uint32_t node) const;

    /// Makes one part for each present sender, and moves the coflow down by the sums.
    void Update(Known& known, const PortIndex::Part& part) const;

    /// Collects the pairs of hosts between which coflows may send.
    void Collect(const AttainedView& view, std::size_t hosts);

    /// Reassigns a receiver that has become free for a host.
    void Reassign(const AttainedView& view, const PortIndex& index, const Pair& freed);

    /// Position of a pair in m_mark.
    std::size_t At(const Pair& pair) const
    {
        return pair.first * m_hosts + pair.second;
    }

    const DclasPolicy* m_policy;            ///< thresholds and keys
    std::vector<Known> m_known;             ///< by coflow index
    std::vector<std::uint32_t> m_present{}; ///< coflow indices of the last call
    std::uint64_t m_calls{0};               ///< number of calls of Advance()
    Nanoseconds m_last{0};                  ///< time of the last call of Advance()
    std::size_t m_hosts{0};                 ///< number of hosts
    bool m_anyOff{false};                   ///< a receiver is closed
    std::vector<Pair> m_used;               ///< pairs between which coflows may send
    std::vector<std::uint8_t> m_mark;       ///< per pair: 1 where the pair is in m_used
};

} // namespace coflow

#endif // COFLOW_DCLAS_HOSTS_H
