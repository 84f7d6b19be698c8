/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PHILAE_H
#define COFLOW_PHILAE_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-contention-count.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-starvation-guard.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// Philae (Jajoo, Hu, Lin: A Case for Sampling Based Learning Techniques in Coflow Scheduling,
/// 2021). The coordinator learns the size of a coflow from a sample of its flows, its *pilots*, and
/// hears of a flow only when that is over.
///
/// A coflow of at most `thinLimit` flows is thin: it is not sampled, and goes before all others,
/// the least contention first. Of any other coflow only the pilots are sent at first: `pilotShare`
/// of its flows, at ports that have the fewest pilots. Pilots go before what has been sampled,
/// first in, first out. When the pilots of a coflow are over, their mean size is taken for the size
/// of all its flows. Then the coflow goes by the estimated size of its unfinished flows, with `key`
/// = size-contention times its contention: the number of other sampled coflows that share a port
/// with it. Coflows get rates one after the other, flows of a coflow by max-min fairness.
///
/// The T/delta machine of Varys guards against starvation.
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
    /// A pilot that is not over.
    struct Pilot
    {
        FlowId flow; ///< identifier in its coflow
        HostId src;  ///< sending host
        HostId dst;  ///< receiving host
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
        std::uint32_t turn{0};       ///< how often it changed which of its flows may be sent
        double sentBefore{0};        ///< bytes that its flows had sent when it was first seen
        double length{0};            ///< estimated size of a flow, in bytes
        std::vector<Pilot> pilots{}; ///< those that are not over
    };

    /// What a coflow was given last, which it is given again where nothing about it has changed.
    struct Grant
    {
        std::uint32_t flows{0};       ///< number of its flows; 0: it has had nothing yet
        std::uint32_t revision{0};    ///< CoflowRow::revision
        std::vector<double> before{}; ///< free rates of its ports, in the order of its loads
        std::vector<double> after{};  ///< the same when it had been served
        std::vector<double> rates{};  ///< of its flows, in the order of the view
    };

    /// Takes account of what came and went.
    void Learn(const AttainedView& view, std::size_t hosts);
    /// Chooses the pilots of a coflow.
    void ChoosePilots(const AttainedView& view, const CoflowRow& row, Sample& sample);
    /// Forgets pilots that are over.
    void DropPilots(const AttainedView& view, const CoflowRow& row, Sample& sample);
    /// Sorts the rows.
    void Sort(const AttainedView& view);
    /// Computes the loads of flows that may be sent.
    void Load(const AttainedView& view, std::size_t hosts);
    /// Says which flows of a row may be sent.
    void Choose(const AttainedView& view, const CoflowRow& row);
    /// Hands out rates in that order.
    void Serve(const AttainedView& view, std::span<double> rates);
    /// Shares what is free among all flows of a row, or repeats what it was given last.
    void ServeAll(const AttainedView& view, std::uint32_t row, std::span<double> rates);
    /// Position of a flow in the view; it is there.
    static std::uint32_t PositionOf(const AttainedView& view, const CoflowRow& row, FlowId flow);

    double m_pilotShare;                 ///< part of the flows that are pilots
    std::uint32_t m_thinLimit;           ///< most flows of a thin coflow
    bool m_byContention;                 ///< the key has contention in it
    Nanoseconds m_coalesce;              ///< how late it hears of flows
    StarvationGuard m_guard;             ///< the T/delta machine
    std::vector<Sample> m_samples;       ///< by coflow index
    std::vector<std::uint32_t> m_pilots; ///< per port: pilots that are not over
    ContentionCount m_contention;        ///< per row
    CoflowLoads m_loads;                 ///< flows per port that may be sent
    PortBudget m_budget;                 ///< what is free
    MaxMinFiller m_filler;               ///< working memory
    std::vector<Grant> m_grants;         ///< by coflow index
    std::vector<double> m_amounts;       ///< per flow: 1 if it may be sent; of rows that need it
    std::vector<std::uint32_t> m_order;  ///< rows in the order of service
};

} // namespace coflow

#endif // COFLOW_PHILAE_H
