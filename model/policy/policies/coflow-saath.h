/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SAATH_H
#define COFLOW_SAATH_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-contention-count.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// Saath (Jajoo, Gandhi, Hu, Koh: CoNEXT 2017). A coordinator decides for all hosts at multiples of
/// `delta`, from the bytes that flows have sent by then. In between, hosts keep their rates.
///
/// A coflow of N flows is in queue k until its longest flow has sent 1/N of the k-th threshold
/// (`firstThreshold` x `factor`^k). Coflows never move up. The coordinator serves the queues from
/// the highest one, and the coflows of a queue by least contention. The contention of a coflow is
/// the number of other coflows that share a port with it. A coflow gets one rate for all its flows:
/// the largest rate that is free at all its ports. If one of its ports is exhausted, the coflow
/// gets nothing. With `workConservation`, coflows that got nothing then use the unused capacity, in
/// the same order.
///
/// A coflow that enters a queue gets a deadline: `deadlineFactor` times the time that all coflows
/// of the queue need one after the other. After its deadline, the coflow is served before all
/// queues, by earliest deadline.
///
/// A decision costs O(flows + coflows x ports x coflows / 64).
class Saath : public AttainedPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Saath(const Parameters& parameters);

    /// Its parameters.
    static std::vector<ParameterSpec> Specs();

    Triggers GetTriggers() const override
    {
        return m_triggers;
    }

    Nanoseconds ReportPeriod() const override;

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// The position of a coflow.
    struct Place
    {
        std::uint8_t queue{0};       ///< its queue
        Nanoseconds deadline{NEVER}; ///< deadline in this queue; NEVER: the coflow is new
    };

    /// The first multiple of the period at or after a time.
    Nanoseconds TickFrom(Nanoseconds time) const;
    /// Bytes of a coflow's longest flow at which the coflow leaves a queue; infinite for the last
    /// queue.
    double Limit(const CoflowRow& row, int queue) const;
    /// Moves coflows to their queues, and sets deadlines of coflows that enter a queue.
    void EnterQueues(const AttainedView& view, const PortRates& capacity);
    /// Sorts the rows.
    void Sort(const AttainedView& view);
    /// The largest rate that all flows of a row can have; 0 if a port is exhausted.
    double EqualRate(std::size_t row) const;
    /// Time at which the result may change without an event.
    Nanoseconds NextTime(const AttainedView& view, std::span<const double> rates) const;

    Triggers m_triggers;                 ///< when to decide
    Nanoseconds m_delta;                 ///< period of the coordinator
    Nanoseconds m_due{NEVER};            ///< time of its next decision
    double m_deadlineFactor;             ///< d: see the parameter deadlineFactor
    bool m_sameQueue;                    ///< contention is counted inside a queue
    bool m_workConservation;             ///< use unused capacity
    std::vector<double> m_thresholds;    ///< thresholds by queue, in bytes of a whole coflow
    std::vector<Place> m_places;         ///< position of each coflow, by coflow index
    std::vector<std::uint8_t> m_queue;   ///< queue, per row
    ContentionCount m_contention;        ///< contention, per row
    CoflowLoads m_loads;                 ///< flows per port
    PortBudget m_budget;                 ///< unused capacity
    MaxMinFiller m_filler;               ///< working memory
    std::vector<std::uint32_t> m_order;  ///< rows in the order of service
    std::vector<std::uint32_t> m_missed; ///< rows that got nothing at first
};

} // namespace coflow

#endif // COFLOW_SAATH_H
