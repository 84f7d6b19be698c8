/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CODA_H
#define COFLOW_CODA_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// The scheduler of CODA (Zhang, Chen, Yi, Chen, Chowdhury, Geng: SIGCOMM 2016), which bears with
/// flows that are taken for those of wrong coflows. A coordinator decides for all hosts at
/// multiples of `delta`, from what flows have sent by then. In between, hosts keep the rates that
/// they were told.
///
/// An identified coflow is in queue k by what all its flows have sent, as in Aalo. The coordinator
/// goes through the queues from the highest one, in a queue first in, first out. *Late binding*: a
/// flow whose margin is at most `diameter` lies at the border of two coflows and is served with the
/// one that is served first. It counts for what its identified coflow has sent. *Priority inside a
/// coflow*: of the flows that are served with a coflow those that have sent least come first, in
/// queues as coflows have them (`flowQueues`, `flowThreshold`). Flows of one coflow and queue share
/// what is left of ports by max-min.
///
/// A decision costs O(flows + classes of flows that get a rate).
class Coda : public AttainedPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Coda(const Parameters& parameters);

    /// Its parameters.
    static std::vector<ParameterSpec> Specs();

    Triggers GetTriggers() const override
    {
        return m_triggers;
    }

    Nanoseconds ReportPeriod() const override;

    bool ReadsFlowNotes() const override
    {
        return true;
    }

    bool IsWorkConserving() const override
    {
        return m_delta == 0;
    }

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// The first multiple of the period at a time or after it.
    Nanoseconds TickFrom(Nanoseconds time) const;
    /// The queue of something that has sent so much.
    static std::size_t QueueOf(std::span<const double> limits, double sent);
    /// Puts the coflows into the order of service.
    void Sort(const AttainedView& view);
    /// The place of a flow among the coflows: that of its own or, at the border, of the next one.
    std::uint32_t PlaceOf(std::uint32_t row, const Identification& identified) const;
    /// Puts every flow into its class.
    void Classify(const AttainedView& view);
    /// When something may be in another queue.
    Nanoseconds NextTime(const AttainedView& view, std::span<const double> rates);

    Triggers m_triggers;                ///< when to decide
    Nanoseconds m_delta;                ///< period of the coordinator
    Nanoseconds m_due{NEVER};           ///< when it decides next, as far as it knows
    double m_diameter;                  ///< d
    std::vector<double> m_limits;       ///< of queues of coflows but the last one, in bytes
    std::vector<double> m_flowLimits;   ///< of queues of flows but the last one, in bytes
    std::vector<std::uint8_t> m_queue;  ///< per row
    std::vector<std::uint32_t> m_order; ///< rows in the order of service
    std::vector<std::uint32_t> m_place; ///< per row: its place in the order
    std::vector<std::pair<CoflowId, std::uint32_t>> m_rows; ///< rows by id
    std::vector<std::uint32_t> m_class;                     ///< per flow
    std::vector<std::uint32_t> m_begin;                     ///< per class: in m_flows
    std::vector<std::uint32_t> m_flows;                     ///< flows by class
    PortBudget m_budget;                                    ///< what is free
    MaxMinFiller m_filler;                                  ///< working memory
};

} // namespace coflow

#endif // COFLOW_CODA_H
