/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BARAAT_H
#define COFLOW_BARAAT_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace coflow
{

/// Baraat's FIFO with limited multiplexing (SIGCOMM 2014) in the fluid limit. Tasks (coflows) are
/// served by arrival. A port calls a task heavy once it has forwarded `heavyBytes` of it; the
/// active class of a port is the shortest run of its oldest tasks that holds one task that is not
/// heavy, and its flows share equally. Later tasks get what is left, in order.
///
/// A flow has a place at both its ports; the worse of the two is its priority, and flows of equal
/// priority share by max-min. No sizes are known: bytes are counted from the rates given.
/// Decides when coflows come and go, when a task becomes heavy, and `coalesce` after a flow has
/// finished. A decision costs O(flows + coflows x ports).
class Baraat : public AttainedPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Baraat(const Parameters& parameters);

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

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// What the ports know of a task.
    struct Task
    {
        std::vector<double> bytes; ///< per port: forwarded so far
        std::vector<double> rate;  ///< per port: since the last decision
    };

    /// Counts what was forwarded since the last decision; forgets tasks that are gone.
    void Count(const AttainedView& view);

    /// Place of every task in the order of a port: the first of its class.
    void Places(const AttainedView& view);

    /// When the next task becomes heavy at the rates given.
    Nanoseconds NextHeavy(Nanoseconds now) const;

    double m_heavyBytes;                   ///< H
    Nanoseconds m_coalesce;                ///< how soon a finished flow causes a decision
    Nanoseconds m_counted{0};              ///< when bytes were last counted
    std::map<std::uint32_t, Task> m_tasks; ///< by coflow index
    PortBudget m_budget;                   ///< working memory
    CoflowLoads m_counts;                  ///< working memory
    MaxMinFiller m_filler;                 ///< working memory
    std::vector<std::uint32_t> m_place;    ///< working memory: per row and port
    std::vector<std::uint32_t> m_classOf;  ///< working memory: per flow
};

} // namespace coflow

#endif // COFLOW_BARAAT_H
