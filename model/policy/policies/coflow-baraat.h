/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BARAAT_H
#define COFLOW_BARAAT_H

#include "ns3/coflow-class-filler.h"
#include "ns3/coflow-policy.h"
#include "ns3/coflow-port-index.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coflow
{

/// Baraat's FIFO with limited multiplexing (SIGCOMM 2014) in the fluid limit. Tasks (coflows) are
/// served by arrival. A port calls a task heavy once it has forwarded `heavyBytes` of it; the
/// active class of a port is the shortest run of its oldest tasks that holds one task that is not
/// heavy, and its flows share equally. Later tasks get what is left, in order.
///
/// Flows that are in the active class of both their ports go first and share by max-min; the others
/// follow by the age of their tasks. No sizes are known: bytes are counted from the rates given.
/// Decides when coflows come and go, when a task becomes heavy, and `coalesce` after a flow has
/// finished. A decision costs O(flows that get a rate + flows of coflows that lost some + ports
/// used by coflows).
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

    bool IsWorkConserving() const override
    {
        return true;
    }

    Triggers GetTriggers() const override
    {
        return m_triggers;
    }

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// What the ports know of a task.
    struct Task
    {
        std::vector<double> bytes;                      ///< per port: forwarded so far
        std::vector<std::pair<HostPort, double>> rates; ///< since the last decision
        bool present{false};                            ///< it was there at the last decision
    };

    /// A node of a row.
    struct Node
    {
        std::uint32_t row;  ///< row of the view
        std::uint32_t node; ///< its number in the row
    };

    /// Counts what was forwarded since the last decision; forgets tasks that are gone.
    void Count(const AttainedView& view);

    /// Place of every task in the order of a port: 0 in the active class, else its row plus one.
    void Places(const AttainedView& view);

    /// Hands out rates by place.
    void Serve(const AttainedView& view, std::span<double> rates);

    /// Remembers the rates given.
    /// @returns when the next task becomes heavy at them
    Nanoseconds Note(const AttainedView& view);

    double m_heavyBytes;                   ///< H
    Triggers m_triggers;                   ///< when to decide
    Nanoseconds m_counted{0};              ///< when bytes were last counted
    std::vector<Task> m_tasks;             ///< by coflow index; those that are gone are empty
    std::vector<std::uint32_t> m_present;  ///< coflow indices at the last decision
    PortBudget m_budget;                   ///< working memory
    PortIndex m_index;                     ///< flows of the coflows by port
    ClassFiller m_filler;                  ///< working memory
    std::vector<std::uint32_t> m_place;    ///< working memory: per node of all rows
    std::vector<std::uint32_t> m_classEnd; ///< working memory: per class, in m_byClass
    std::vector<Node> m_byClass;           ///< working memory: nodes of all rows by class
};

} // namespace coflow

#endif // COFLOW_BARAAT_H
