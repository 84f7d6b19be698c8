/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_H
#define COFLOW_DCAS_H

#include "ns3/coflow-class-filler.h"
#include "ns3/coflow-dcas-protocol.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-port-index.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// D-CAS (Luo et al.): senders and receivers of a coflow agree on its priority without a
/// coordinator. A subcoflow is the flows of one coflow at one sender. Its wanted time is the time
/// that its remaining bytes take at its port. Every `delta`, it announces this time to the
/// receivers of its unfinished flows. Each receiver replies with the largest time that the coflow's
/// senders have announced to it. The largest reply is the priority of the subcoflow until the next
/// round. So the maximum spreads over one hop.
///
/// A subcoflow with fewer than `threshold` bytes left precedes all others, by the arrival of its
/// coflow. A subcoflow without service for `T` precedes subcoflows with negotiated priorities. All
/// such subcoflows have equal priority. Subcoflows of these two kinds announce nothing. Receivers
/// use the last announcement of such a subcoflow for `expiry`. A receiver removes a sender at once
/// when the sender has no flow left to it. Flows of equal priority share, and the unused capacity
/// is for the next priority.
///
/// This is a clairvoyant policy, because a subcoflow knows its own remaining bytes. A sender uses
/// only announcements of other senders. All senders have their rounds at multiples of delta, and
/// every reply includes all announcements of its round. The policy decides at rounds, when coflows
/// arrive and finish, and `coalesce` after a flow has finished. A decision costs O(flows of coflows
/// that have sent or get a rate + subcoflows log subcoflows).
class Dcas : public ClairvoyantPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Dcas(const Parameters& parameters);

    /// Its parameters.
    static std::vector<ParameterSpec> Specs();

    Control GetControl() const override
    {
        return Control::LOCAL;
    }

    Triggers GetTriggers() const override
    {
        return m_triggers;
    }

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

    /// The priority of a subcoflow as of the last decision.
    /// @param index CoflowRow::index of a coflow of the last decision
    /// @param sender a sending host of the coflow
    DcasKey KeyOf(std::uint32_t index, HostId sender) const;

    /// One round of one coflow: DcasProtocol::Psi at every receiver, then DcasProtocol::Phi at
    /// every sender, in less time than one visit per flow.
    /// @param part flows of the coflow
    /// @param known per sending node: the time that its receivers have stored; 0: none
    /// @returns per sending node: the largest reply to its announcement, if it has announced
    static std::vector<double> Negotiate(const PortIndex::Part& part,
                                         std::span<const double> known);

  private:
    /// The state of a subcoflow at its sender.
    struct Subcoflow
    {
        DcasKey key{DcasKey::Starved()}; ///< priority of this round
        Nanoseconds served{-1};          ///< time of its last service; -1: new
        double remaining{0};             ///< bytes left at the last service
        double left{0};                  ///< bytes left at the last update
        Nanoseconds announced{-1};       ///< time of its last announcement; -1: none
        double wanted{0};                ///< announced time, in nanoseconds
        double agreed{0};                ///< result of the last negotiation, in nanoseconds
    };

    /// The subcoflows of a coflow.
    struct Task
    {
        std::vector<Subcoflow> subcoflows; ///< by sender; empty: never seen
        double sent{-1};                   ///< CoflowRow::sent at the last update
        std::vector<double> known;         ///< input of the last negotiation
        bool agreed{false};                ///< flows are the same as at the last negotiation
    };

    /// Subcoflows of one coflow with equal priority, at consecutive nodes.
    struct Group
    {
        DcasKey key;         ///< their priority
        std::uint32_t row;   ///< row of the view
        std::uint32_t begin; ///< first of its sending nodes
        std::uint32_t end;   ///< one past the last
    };

    /// Updates the remaining bytes of a coflow.
    void UpdateLeft(const ClairvoyantView& view, std::uint32_t row, std::size_t hosts);

    /// Sets the priorities of a coflow that has just arrived, before its first round.
    void SetFirstKeys(const ClairvoyantView& view, std::uint32_t row, const PortRates& capacity);

    /// A round of a coflow: its subcoflows announce their times, and get new priorities.
    void HoldRound(const ClairvoyantView& view, std::uint32_t row, const PortRates& capacity);

    /// Sorts the subcoflows. @returns whether the order has changed since the last decision
    bool Order(const ClairvoyantView& view);

    /// Computes rates by priority.
    void Serve(const ClairvoyantView& view, std::span<double> rates);

    Nanoseconds m_delta; ///< period of rounds
    /// T: time without service after which a subcoflow precedes negotiated priorities.
    Nanoseconds m_patience;
    Nanoseconds m_expiry;        ///< lifetime of announcements
    double m_threshold;          ///< bytes below which a subcoflow is small
    Triggers m_triggers;         ///< when to decide
    std::vector<Task> m_tasks;   ///< state of each coflow, by coflow index
    PortIndex m_index;           ///< flows of the coflows by port
    PortRates m_capacity;        ///< capacity of the ports at the last decision
    PortBudget m_budget;         ///< working memory
    ClassFiller m_filler;        ///< working memory
    std::vector<double> m_left;  ///< working memory: bytes per sender
    std::vector<double> m_known; ///< working memory: per sending node
    std::vector<Group> m_groups; ///< groups, by priority
    std::vector<Group> m_before; ///< m_groups of the last decision
};

} // namespace coflow

#endif // COFLOW_DCAS_H
