/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ADMITTING_POLICY_H
#define COFLOW_ADMITTING_POLICY_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-deadline-order.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// The base of deadline-aware schedulers that choose a set of coflows and an order of service
/// together: DCoflow, WDCoflow, CS-MHA. A derived class chooses.
///
/// When a coflow becomes ready, the derived class chooses again among all coflows whose deadline is
/// ahead, by their remaining bytes and the time until their deadlines. If it chooses the new
/// coflow, the choice is in force. Otherwise the choice before stays, and the new coflow is
/// proposed again every `retryAfter`. After that, the new coflow is not sent or, with `bestEffort`,
/// is sent behind all others. An admitted coflow may lose its position to a new coflow, unless
/// `displace` is false. A displaced coflow is sent behind all others, and may be chosen again.
///
/// Coflows are served greedily: first the chosen coflows in their order, then coflows without a
/// deadline, first in, first out, then all others by deadline. The flows of each coflow share the
/// remaining capacity of their ports by max-min fairness in proportion to their remaining bytes.
/// The policy also decides when flows finish. A decision costs O(flows).
class AdmittingPolicy : public ClairvoyantPolicy
{
  public:
    Triggers GetTriggers() const override
    {
        return {true, 0};
    }

    bool DecidesOrder() const override
    {
        return true;
    }

    bool AdmitsWhenItDecides() const override
    {
        return true;
    }

    Admission AdmitCoflow(const ClairvoyantView& view,
                          std::size_t row,
                          const PortRates& capacity) override;

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

    /// The parameters of all policies of this family.
    static std::vector<ParameterSpec> Specs();

  protected:
    /// @param parameters values of Specs()
    explicit AdmittingPolicy(const Parameters& parameters);

    /// Chooses among coflows.
    /// @param jobs the coflows, each with at least one port
    /// @param ports number of ports
    /// @return the choice, with numbers of jobs
    virtual DeadlineChoice Choose(std::span<const DeadlineJob> jobs, std::size_t ports) const = 0;

  private:
    /// Status of a coflow.
    enum class Status : std::uint8_t
    {
        NEW,     ///< not part of any choice yet
        CHOSEN,  ///< chosen by the choice in force
        LEFT_OUT ///< not chosen by the choice in force
    };

    /// State of a coflow between decisions.
    struct Standing
    {
        Status status{Status::NEW}; ///< whether it is chosen
        std::uint32_t place{0};     ///< position in the order, if chosen
    };

    /// Whether a coflow is a candidate: it has a future deadline.
    static bool Concerned(const ClairvoyantView& view, std::size_t row)
    {
        return view.sizes[row].deadline != NEVER && view.sizes[row].deadline > view.now;
    }

    /// State of the coflow of a row.
    Standing& StandingOf(const ClairvoyantView& view, std::size_t row);

    /// Chooses among all candidates of a view.
    /// @returns the choice, with numbers of m_candidates
    DeadlineChoice ChooseFrom(const ClairvoyantView& view, const PortRates& capacity);

    /// Puts the last choice in force.
    void Adopt(const ClairvoyantView& view, const DeadlineChoice& choice);

    /// Sorts the rows of a view into m_order, most urgent first.
    void Order(const ClairvoyantView& view);

    Nanoseconds m_retryAfter; ///< time until a rejected coflow comes again; 0: never
    bool m_bestEffort;        ///< send rejected coflows
    bool m_displace;          ///< a new coflow may displace an admitted one

    std::vector<Standing> m_standings;              ///< state of each coflow, by coflow index
    PortBudget m_budget;                            ///< working memory
    CoflowLoads m_loads;                            ///< working memory
    MaxMinFiller m_filler;                          ///< working memory
    std::vector<std::vector<PortDemand>> m_seconds; ///< working memory: per candidate
    std::vector<std::uint32_t> m_candidates;        ///< working memory: rows
    std::vector<std::uint32_t> m_order;             ///< working memory: rows, most urgent first
};

} // namespace coflow

#endif // COFLOW_ADMITTING_POLICY_H
