/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCLAS_POLICY_H
#define COFLOW_DCLAS_POLICY_H

#include "ns3/coflow-class-filler.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-port-index.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// Discretised coflow-aware least-attained service (Aalo, SIGCOMM 2015), with the order inside a
/// queue left open. A coflow starts in queue 0 and falls into queue k when all its flows together
/// have sent Q_k-1 = firstThreshold x factor^(k-1) bytes; it never rises. What the coordinator has
/// to find out takes effect at the next multiple of its period `delta`; 0: at once.
///
/// Queues share every port by weight (K - k) or strictly. Inside a queue coflows are served one by
/// one in order, flows of a coflow equally; what a queue cannot use goes to all coflows in the
/// order of queues. Receivers are part of the allocation, as with Aalo's receiver matching.
///
/// Decides when coflows come, go, or change queues, and `coalesce` after a flow has finished. A
/// decision costs O(flows that get a rate + flows of coflows that lost some).
class DclasPolicy : public AttainedPolicy
{
  public:
    /// @param queues their number K
    /// @returns the parameters of the family
    static std::vector<ParameterSpec> Specs(int queues);

    Control GetControl() const override
    {
        return Control::HYBRID;
    }

    Triggers GetTriggers() const override
    {
        return m_triggers;
    }

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) final;

    /// @name For daemons, which decide the same from what they know
    /// @{

    /// Order inside a queue; first in, first out if a policy does not say otherwise.
    /// @param queue the coflow's queue
    /// @param width number of receivers that it still has flows to
    /// @returns smaller goes first; ties by readiness and id
    virtual double KeyOf(int queue, std::uint32_t width) const;

    /// Whether a coflow is served only if all its receivers have rate left.
    virtual bool AllOrNone() const
    {
        return false;
    }

    /// Number of queues K.
    int Queues() const
    {
        return m_queues;
    }

    /// Bytes at which a coflow leaves a queue; the last one is never left.
    double Threshold(int queue) const;

    /// Share of a queue where queues share by weight.
    double Weight(int queue) const
    {
        return static_cast<double>(m_queues - queue);
    }

    /// Whether a higher queue goes before a lower one.
    bool IsStrict() const
    {
        return m_strict;
    }

    /// Period of the coordinator.
    Nanoseconds Delta() const
    {
        return m_delta;
    }

    /// @}

    /// @name What the last decision was made of
    /// @{

    /// Rows in the order of service.
    std::span<const std::uint32_t> Order() const
    {
        return m_order;
    }

    /// Queue of a row.
    int QueueOfRow(std::size_t row) const
    {
        return m_rowQueue[row];
    }

    /// Whether a row goes before all queues.
    bool IsPromoted(std::size_t row) const
    {
        return m_promoted[row] != 0;
    }

    /// Number of receivers that a row has flows to.
    std::uint32_t WidthOfRow(std::size_t row) const
    {
        return m_index.Of(row).Receivers();
    }

    /// @}

  protected:
    /// @param parameters values of Specs()
    explicit DclasPolicy(const Parameters& parameters);

    /// Whether a coflow goes before all queues.
    virtual bool Promoted(const CoflowRow& row, Nanoseconds now);

    /// When a coflow that gets nothing will be promoted; NEVER if never.
    virtual Nanoseconds PromotionTime(const CoflowRow& row) const;

  private:
    /// Moves coflows to their queues.
    void UpdateQueues(const AttainedView& view);

    /// When a coflow will fall, at this rate.
    Nanoseconds FallTime(const CoflowRow& row, int queue, Nanoseconds now, double rate) const;

    /// Serves rows in order from a budget.
    void Serve(std::span<const std::uint32_t> rows, PortBudget& budget, std::span<double> rates);

    /// Splits what is left of every port between the queues present there, and serves them.
    void ServeByWeight(std::span<const std::uint32_t> rows, std::span<double> rates);

    int m_queues;                         ///< K
    double m_firstThreshold;              ///< Q_0, in bytes
    double m_factor;                      ///< E
    Nanoseconds m_delta;                  ///< period of the coordinator
    Triggers m_triggers;                  ///< when to decide
    bool m_strict;                        ///< queues share strictly
    std::vector<std::uint8_t> m_queueOf;  ///< by coflow index: its queue
    std::vector<int> m_rowQueue;          ///< working memory: per row
    std::vector<double> m_keys;           ///< working memory: per row
    std::vector<std::uint32_t> m_order;   ///< working memory: rows in the order of service
    std::vector<std::uint8_t> m_promoted; ///< working memory: per row
    PortBudget m_budget;                  ///< working memory
    PortIndex m_index;                    ///< flows of the coflows by port
    ClassFiller m_filler;                 ///< working memory
};

} // namespace coflow

#endif // COFLOW_DCLAS_POLICY_H
