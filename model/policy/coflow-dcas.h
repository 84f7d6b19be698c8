/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_H
#define COFLOW_DCAS_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace coflow
{

/// D-CAS (Luo et al.): senders and receivers of a coflow agree on its urgency without a
/// coordinator. A subcoflow, the flows of one coflow at one sender, wants the time that its
/// remaining bytes take at its port. Every `delta` it announces that to the receivers that it
/// still has flows to; each answers with the largest that its senders announced, and the largest
/// answer is the priority of the subcoflow until the next round. The maximum so spreads one hop.
///
/// A subcoflow with fewer than `threshold` bytes left goes before all that, by arrival of its
/// coflow; one that has had no service for `T` goes before the negotiated ones, as an equal among
/// its like. Flows of equal priority share, and what they leave is for the next.
///
/// A subcoflow knows its own remaining bytes, which is why this is a clairvoyant policy here; it
/// reads nothing of other senders but their announcements. Rounds are at multiples of delta for
/// all senders, and answers come at once. Decides then, when coflows come and go, and
/// `coalesce` after a flow has finished. A decision costs O(flows + subcoflows log subcoflows).
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
        return {true, m_coalesce};
    }

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

    /// One round of one coflow.
    /// @param src per flow: its sender
    /// @param dst per flow: its receiver
    /// @param desired per host: what it announces as a sender
    /// @returns per flow: the priority of its subcoflow
    static std::vector<double> Negotiate(std::span<const HostId> src,
                                         std::span<const HostId> dst,
                                         std::span<const double> desired);

  private:
    /// Priority of a subcoflow: class, and a value inside. Smaller goes first.
    using Key = std::tuple<int, double>;

    /// What a sender remembers of a subcoflow.
    struct Subcoflow
    {
        Key key{1, 0.0};        ///< priority of this round
        Nanoseconds served{-1}; ///< when it last had service; -1: never seen
        double remaining{0};    ///< bytes left when last looked at
        Nanoseconds seen{-1};   ///< last decision in which it had flows
        std::uint32_t place{0}; ///< rank of its priority in that decision
    };

    /// Sets the priorities of all subcoflows of a coflow.
    /// @param round whether it is time for all; otherwise only for new ones
    void UpdateKeys(const ClairvoyantView& view,
                    const CoflowRow& row,
                    const PortRates& capacity,
                    bool round);

    /// Hands out rates by priority.
    void Serve(const ClairvoyantView& view, std::span<double> rates);

    Nanoseconds m_delta;    ///< period of rounds
    Nanoseconds m_patience; ///< T
    double m_threshold;     ///< bytes below which a subcoflow is small
    Nanoseconds m_coalesce; ///< how soon a finished flow causes a decision
    std::vector<std::vector<Subcoflow>> m_subcoflows; ///< by coflow index and sender
    PortBudget m_budget;                              ///< working memory
    MaxMinFiller m_filler;                            ///< working memory
    std::vector<double> m_left;                       ///< working memory: bytes per sender
    std::vector<std::pair<Key, Subcoflow*>> m_order;  ///< working memory: by priority
    std::vector<std::uint32_t> m_classOf;             ///< working memory: per flow
};

} // namespace coflow

#endif // COFLOW_DCAS_H
