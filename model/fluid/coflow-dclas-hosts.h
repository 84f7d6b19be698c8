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

/// What sending hosts know of coflows between two words of the coordinator of D-CLAS, and what
/// they make of it, as the daemons at packet level do:
///
/// - What all hosts have sent of a coflow they know as of the last multiple of delta; what they
///   send themselves they add at once, and move the coflow down when that crosses a limit.
/// - They may send to all receivers that the coordinator has not switched off for the coflow. Where
///   the last flow of the coflows that may send from a host to a receiver is over, the first
///   one that waits there goes on; with all-or-none, the first one none of whose receivers is in
///   use by another one on this host.
/// - Where they have not been told the width of a coflow, they take that of their own part.
class DclasHosts
{
  public:
    /// @param policy limits, keys and parameters; must last
    explicit DclasHosts(const DclasPolicy& policy)
        : m_policy(&policy)
    {
    }

    /// Time has passed, at the rates of the last NoteRates().
    /// @param view the coflows now
    /// @param index the same by port
    /// @param delta period of the coordinator
    /// @returns whether the coordinator has seen a coflow cross a limit
    bool Advance(const AttainedView& view, const PortIndex& index, Nanoseconds delta);

    /// Queue in which the coordinator has a coflow.
    int ReportedQueue(const CoflowRow& row) const
    {
        return m_known[row.index].queue;
    }

    /// The coordinator decides anew.
    /// @param row row of the view
    /// @param promoted whether it goes before all queues
    /// @param open per receiving node: whether the coflow may send there
    void Report(const AttainedView& view,
                const PortIndex& index,
                std::uint32_t row,
                bool promoted,
                std::span<const std::uint8_t> open);

    /// All coflows have been told of.
    /// @param reassign whether hosts reassign receivers
    void EndReport(const AttainedView& view, const PortIndex& index, bool reassign);

    /// Whether all hosts have all coflows in the queue in which the coordinator has them.
    bool Agree(const AttainedView& view) const;

    /// Flows have finished: hosts give free receivers to coflows that wait for them.
    void ReassignReceivers(const AttainedView& view, const PortIndex& index);

    /// Hands what may be sent to those who share the ports.
    void AddGroups(const AttainedView& view, const PortIndex& index, QueueSharing& sharing) const;

    /// Takes down how fast hosts send from now on.
    void NoteRates(const AttainedView& view, const PortIndex& index, const QueueSharing& sharing);

    /// When a coflow falls next: on a host by what that knows, or by what the coordinator sees at a
    /// multiple of its period. NEVER: not at these rates.
    Nanoseconds NextFall(const CoflowRow& row, Nanoseconds now, Nanoseconds delta) const;

  private:
    /// A sending host and a receiving one.
    using Pair = std::pair<HostId, HostId>;

    /// What one host knows of a coflow.
    struct Part
    {
        HostId host{0}; ///< the host
        double own{0};  ///< bytes that it has sent since the coordinator told a sum
        double rate{0}; ///< at which it sends
        int queue{0};   ///< in which it has the coflow
    };

    /// What is known of a coflow.
    struct Known
    {
        bool seen{false};           ///< it has been present
        std::uint64_t lastSeen{0};  ///< call of Advance() in which it was present
        double sent{0};             ///< by all hosts, at the last call
        double told{0};             ///< the sum that hosts have been told
        int queue{0};               ///< in which the coordinator has it
        bool promoted{false};       ///< it goes before all queues
        std::uint32_t width{0};     ///< as told; 0: never
        std::vector<Part> parts{};  ///< by sender
        std::vector<HostId> off{};  ///< receivers that are switched off, in order
        std::vector<Pair> handed{}; ///< of those, what hosts have let go on by themselves, in order

        /// Whether a host may send to another one.
        bool MaySend(HostId from, HostId to) const;
    };

    using Rank = QueueSharing::Rank;

    /// The node of a coflow at a port; none where it has no flow.
    static std::optional<std::uint32_t> FindNode(const PortIndex::Part& part,
                                                 bool sends,
                                                 HostPort port);

    /// Rank of a coflow at one of its sending nodes.
    Rank RankOf(const Known& known, const PortIndex::Part& part, std::uint32_t node) const;

    /// Brings the parts of a coflow to the senders that it has, and its queues to the sums.
    void Update(Known& known, const PortIndex::Part& part) const;

    /// Collects which hosts have flows to which ones that they may send.
    void Collect(const AttainedView& view, std::size_t hosts);

    /// A receiver has become free for a host.
    void Reassign(const AttainedView& view, const PortIndex& index, const Pair& freed);

    /// Position of a pair in m_mark.
    std::size_t At(const Pair& pair) const
    {
        return pair.first * m_hosts + pair.second;
    }

    const DclasPolicy* m_policy;            ///< limits and keys
    std::vector<Known> m_known;             ///< by coflow index
    std::vector<std::uint32_t> m_present{}; ///< coflow indices of the last call
    std::uint64_t m_calls{0};               ///< of Advance()
    Nanoseconds m_last{0};                  ///< time of the last one
    std::size_t m_hosts{0};                 ///< number of hosts
    bool m_anyOff{false};                   ///< something is switched off
    std::vector<Pair> m_used;               ///< pairs between which coflows may send
    std::vector<std::uint8_t> m_mark;       ///< per pair: it is in m_used
};

} // namespace coflow

#endif // COFLOW_DCLAS_HOSTS_H
