/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PHILAE_H
#define COFLOW_PHILAE_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-contention-count.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coflow
{

/// Philae (Jajoo, Hu, Lin: A Case for Sampling Based Learning Techniques in Coflow Scheduling,
/// 2021), as its authors' simulator has it. The coordinator learns the size of a coflow from a
/// sample of its flows, its *pilots*, and hears of a flow only when that is over.
///
/// A coflow of at most `thinLimit` flows is thin: it is not sampled, and goes before all others,
/// the least contention first. Of any other coflow only the pilots are sent at first: `pilotShare`
/// of its flows, at ports that have the fewest pilots. Pilots go before what has been sampled,
/// first in, first out. When the pilots of a coflow are over, their mean size is taken for the size
/// of all its flows.
///
/// A sampled coflow is in a queue by its impact: the mean size times its contention, the number of
/// coflows of its queue that share a port with it, itself included. Coflows of a queue are served
/// in the order in which they came into it. Time is cut into slots. The first queue with coflows
/// has most of the slots, and each later queue has fewer. In a slot its queue is served first, and
/// then the others, from the first on.
///
/// A port serves one flow at a time, at its full rate: coflow by coflow, each sending host that is
/// free takes the first flow whose receiving host is free.
class Philae : public AttainedPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Philae(const Parameters& parameters);

    /// Its parameters.
    static std::vector<ParameterSpec> Specs();

    Triggers GetTriggers() const override
    {
        return {true, m_coalesce};
    }

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// A flow between two hosts.
    struct Ends
    {
        HostId src;  ///< sending host
        HostId dst;  ///< receiving host
        FlowId flow; ///< identifier in its coflow

        auto operator<=>(const Ends&) const = default;
    };

    /// What it knows of a coflow.
    struct Sample
    {
        /// How far it is.
        enum class Stage : std::uint8_t
        {
            THIN,     ///< it is not sampled
            SAMPLING, ///< pilots are under way
            LEARNT    ///< its size is estimated
        };

        Stage stage{Stage::THIN};    ///< how far it is
        std::uint32_t revision{0};   ///< CoflowRow::revision that it has taken account of
        std::uint32_t flows{0};      ///< number of its flows so far; 0: it was never seen
        std::uint32_t left{0};       ///< number of those that were unfinished when it was last seen
        double sentBefore{0};        ///< bytes that its flows had sent when it was first seen
        double length{0};            ///< estimated size of a flow, in bytes
        std::uint8_t queue{0};       ///< of impact; where it is learnt
        std::uint64_t entered{0};    ///< its place among all moves to queues, from 1 on
        std::vector<Ends> pilots{};  ///< those that are not over
        std::vector<Ends> service{}; ///< its flows in the order of service; some may be over
    };

    /// Slots of one queue, one after the other.
    struct Turn
    {
        std::uint8_t queue{0}; ///< which
        Nanoseconds end{0};    ///< when they are over
    };

    /// Takes account of what came and went.
    void Learn(const AttainedView& view, std::size_t hosts);
    /// Notes the flows of a coflow in the order of service.
    static void NoteFlows(const AttainedView& view, const CoflowRow& row, Sample& sample);
    /// Chooses the pilots of a coflow.
    void ChoosePilots(const AttainedView& view, const CoflowRow& row, Sample& sample);
    /// Forgets pilots that are over.
    void DropPilots(const AttainedView& view, const CoflowRow& row, Sample& sample);
    /// Counts contention inside queues, and moves coflows to the queues of their impacts.
    void MoveToQueues(const AttainedView& view, std::size_t hosts);
    /// Finds out whose slot it is.
    /// @return when the next queue has one, as far as that matters
    Nanoseconds TakeSlot(const AttainedView& view);
    /// Sorts the rows.
    void Sort(const AttainedView& view);
    /// Gives flows of a coflow what their ports have, one flow per port.
    void Serve(const AttainedView& view, std::uint32_t r, std::span<double> rates);
    /// Position of a flow in the view; none: it is over.
    static std::optional<std::uint32_t> PositionOf(const AttainedView& view,
                                                   const CoflowRow& row,
                                                   FlowId flow);

    double m_pilotShare;           ///< part of the flows that are pilots
    std::uint32_t m_thinLimit;     ///< most flows of a thin coflow
    bool m_byContention;           ///< the impact has contention in it
    std::vector<double> m_limits;  ///< impact at which a coflow leaves each queue but the last
    std::uint64_t m_slots;         ///< of the first queue
    double m_slotFactor;           ///< how many times fewer the next queue has
    Nanoseconds m_slot;            ///< length of a slot
    Nanoseconds m_coalesce;        ///< how late it hears of flows
    std::vector<Turn> m_turns;     ///< whose slots it is, and whose come next
    std::uint64_t m_entered{0};    ///< moves to queues so far
    std::vector<Sample> m_samples; ///< by coflow index
    std::vector<std::uint32_t> m_pilots; ///< per port: pilots that are not over
    ContentionCount m_contention;        ///< per row
    CoflowLoads m_loads;                 ///< flows per port
    PortBudget m_budget;                 ///< what is free
    std::vector<std::uint32_t> m_order;  ///< rows in the order of service
};

} // namespace coflow

#endif // COFLOW_PHILAE_H
