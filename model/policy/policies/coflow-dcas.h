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

/// D-CAS (Luo et al.): senders and receivers of a coflow agree on its urgency without a
/// coordinator. A subcoflow, the flows of one coflow at one sender, wants the time that its
/// remaining bytes take at its port. Every `delta` it announces that to the receivers that it
/// still has flows to; each answers with the largest that it remembers of the coflow's senders, and
/// the largest answer is the priority of the subcoflow until the next round. The maximum so spreads
/// one hop.
///
/// A subcoflow with fewer than `threshold` bytes left goes before all that, by arrival of its
/// coflow; one that has had no service for `T` goes before the negotiated ones, as an equal among
/// its like. Neither announces anything: receivers remember what it announced last for `expiry`.
/// A sender that has no flow left to a receiver is forgotten there at once. Flows of equal
/// priority share, and what they leave is for the next.
///
/// A subcoflow knows its own remaining bytes, which is why this is a clairvoyant policy here; it
/// reads nothing of other senders but their announcements. Rounds are at multiples of delta for
/// all senders, and every answer counts all announcements of its round. Decides then, when coflows
/// come and go, and `coalesce` after a flow has finished. A decision costs O(flows of coflows that
/// sent or get a rate + subcoflows log subcoflows).
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

    bool IsWorkConserving() const override
    {
        return true;
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
    /// @param sender a host that it has flows at
    DcasKey KeyOf(std::uint32_t index, HostId sender) const;

    /// One round of one coflow: DcasProtocol::Psi at every receiver, then DcasProtocol::Phi at
    /// every sender, in less time than a look at every flow takes.
    /// @param part its flows
    /// @param known per sending node: the time that its receivers remember; 0: they remember none
    /// @returns per sending node: the largest answer to its announcement, if it made one
    static std::vector<double> Negotiate(const PortIndex::Part& part,
                                         std::span<const double> known);

  private:
    /// What a sender remembers of a subcoflow.
    struct Subcoflow
    {
        DcasKey key{DcasKey::Starved()}; ///< priority of this round
        Nanoseconds served{-1};          ///< when it last had service; -1: never seen
        double remaining{0};             ///< bytes left then
        double left{0};                  ///< bytes left when last looked at
        Nanoseconds announced{-1};       ///< when it last announced what it wants; -1: never
        double wanted{0};                ///< the time that it announced, in nanoseconds
        double agreed{0};                ///< what the last negotiation gave, in nanoseconds
    };

    /// The subcoflows of a coflow.
    struct Task
    {
        std::vector<Subcoflow> subcoflows; ///< by sender; empty: never seen
        double sent{-1};                   ///< CoflowRow::sent when last looked at
        std::vector<double> known;         ///< what the last negotiation was about
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

    /// Looks at what is left of a coflow.
    void UpdateLeft(const ClairvoyantView& view, std::uint32_t row, std::size_t hosts);

    /// Sets the priorities of a coflow that has just arrived, before its first round.
    void SetFirstKeys(const ClairvoyantView& view, std::uint32_t row, const PortRates& capacity);

    /// A round of a coflow: its subcoflows announce what they want, and have new priorities.
    void HoldRound(const ClairvoyantView& view, std::uint32_t row, const PortRates& capacity);

    /// Puts the subcoflows in order.
    /// @returns whether it is another one than at the last decision, so that rates change
    bool Order(const ClairvoyantView& view);

    /// Hands out rates by priority.
    void Serve(const ClairvoyantView& view, std::span<double> rates);

    Nanoseconds m_delta;         ///< period of rounds
    Nanoseconds m_patience;      ///< T
    Nanoseconds m_expiry;        ///< how long receivers remember
    double m_threshold;          ///< bytes below which a subcoflow is small
    Triggers m_triggers;         ///< when to decide
    std::vector<Task> m_tasks;   ///< by coflow index
    PortIndex m_index;           ///< flows of the coflows by port
    PortRates m_capacity;        ///< at the last decision
    PortBudget m_budget;         ///< working memory
    ClassFiller m_filler;        ///< working memory
    std::vector<double> m_left;  ///< working memory: bytes per sender
    std::vector<double> m_known; ///< working memory: per sending node
    std::vector<Group> m_groups; ///< by priority
    std::vector<Group> m_before; ///< m_groups of the decision before
};

} // namespace coflow

#endif // COFLOW_DCAS_H
