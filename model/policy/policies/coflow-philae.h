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
/// 2021), as in its authors' simulator. The coordinator learns the size of a coflow from a sample
/// of its flows, its *pilots*. It learns the size of a flow only when the flow has finished.
///
/// A coflow of at most `thinLimit` flows is thin. Thin coflows are not sampled, and precede all
/// others, by least contention. Of any other coflow, only the pilots are sent at first:
/// `pilotShare` of its flows, at ports with the fewest pilots. Pilots precede flows of sampled
/// coflows, first in, first out. When the pilots of a coflow have finished, their mean size is the
/// estimated size of all its flows.
///
/// A sampled coflow is in a queue by its impact: the mean size times its contention, the number of
/// coflows of its queue that share a port with it, itself included. Coflows of a queue are served
/// in the order in which they entered the queue. Time is cut into slots. The first queue with
/// coflows has most of the slots, and each later queue has fewer. In a slot, the queue of the slot
/// is served first, and then all other queues, from the first queue on.
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
        HostId src;           ///< sending host
        HostId dst;           ///< receiving host
        FlowId flow;          ///< identifier in its coflow
        std::uint32_t within; ///< the flow is among this many first flows of its row; 0: finished

        auto operator<=>(const Ends&) const = default;
    };

    /// The state of a coflow.
    struct Sample
    {
        /// The stage of a coflow.
        enum class Stage : std::uint8_t
        {
            THIN,     ///< the coflow is not sampled
            SAMPLING, ///< pilots are being sent
            LEARNT    ///< its size is estimated
        };

        Stage stage{Stage::THIN};    ///< its stage
        std::uint32_t revision{0};   ///< CoflowRow::revision at the last update
        std::uint32_t flows{0};      ///< number of its flows so far; 0: new
        std::uint32_t left{0};       ///< number of unfinished flows at the last update
        double sentBefore{0};        ///< bytes that its flows had sent at the first update
        double length{0};            ///< estimated size of a flow, in bytes
        std::uint8_t queue{0};       ///< queue of its impact, if LEARNT
        std::uint64_t entered{0};    ///< position among all moves to queues, from 1 on
        std::vector<Ends> pilots{};  ///< unfinished pilots
        std::vector<Ends> service{}; ///< its flows in the order of service; some may be finished
        /// Position in `service` of the first flow of each sender.
        std::vector<std::uint32_t> senders{};
    };

    /// Slots of one queue, one after the other.
    struct Turn
    {
        std::uint8_t queue{0}; ///< the queue
        Nanoseconds end{0};    ///< end of the slots
    };

    /// Updates the state of all coflows of a view.
    void Learn(const AttainedView& view, std::size_t hosts);
    /// Stores the flows of a coflow in the order of service.
    static void NoteFlows(const AttainedView& view, const CoflowRow& row, Sample& sample);
    /// Chooses the pilots of a coflow.
    void ChoosePilots(const AttainedView& view, const CoflowRow& row, Sample& sample);
    /// Removes finished pilots.
    void DropPilots(const AttainedView& view, const CoflowRow& row, Sample& sample);
    /// Counts contention inside queues, and moves coflows to the queues of their impacts.
    void MoveToQueues(const AttainedView& view, const PortRates& capacity);
    /// Finds the queue of the present slot.
    /// @return time of the next queue's slot, if it matters
    Nanoseconds TakeSlot(const AttainedView& view);
    /// Sorts the rows.
    void Sort(const AttainedView& view);
    /// Gives flows of a coflow the full rates of their ports, one flow per port.
    void Serve(const AttainedView& view, std::uint32_t r, std::span<double> rates);
    /// Position of a flow in the view; none: the flow is finished. Updates Ends::within.
    static std::optional<std::uint32_t> PositionOf(const AttainedView& view,
                                                   const CoflowRow& row,
                                                   Ends& flow);

    double m_pilotShare;           ///< share of flows that are pilots
    std::uint32_t m_thinLimit;     ///< most flows of a thin coflow
    bool m_byContention;           ///< whether the impact includes contention
    std::vector<double> m_limits;  ///< impact at which a coflow leaves each queue but the last
    std::uint64_t m_slots;         ///< number of slots of the first queue
    double m_slotFactor;           ///< ratio of the slots of two queues
    Nanoseconds m_slot;            ///< length of a slot
    Nanoseconds m_coalesce;        ///< delay from the completion of a flow to the decision
    std::vector<Turn> m_turns;     ///< present and next slots
    std::uint64_t m_entered{0};    ///< moves to queues so far
    std::vector<Sample> m_samples; ///< state of each coflow, by coflow index
    std::vector<std::uint32_t> m_pilots; ///< per port: unfinished pilots
    ContentionCount m_contention;        ///< contention per row
    CoflowLoads m_loads;                 ///< flows per port
    PortBudget m_budget;                 ///< unused capacity
    OpenPorts m_open;                    ///< working memory: ports with a free rate
    std::vector<std::uint32_t> m_order;  ///< rows in the order of service
};

} // namespace coflow

#endif // COFLOW_PHILAE_H
