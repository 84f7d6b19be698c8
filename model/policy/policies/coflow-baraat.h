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

/// Baraat's FIFO with limited multiplexing (SIGCOMM 2014) for fluid flows. Tasks (coflows) are
/// served by arrival. A task is heavy at a port once the port has forwarded `heavyBytes` of it. The
/// active class of a port is the shortest run of its oldest tasks with one task that is not heavy.
/// The flows of this class share equally. Later tasks get the unused capacity, in order.
///
/// Flows in the active class of both their ports are served first, and share by max-min fairness.
/// All other flows follow by the age of their tasks. The policy knows no sizes, and counts bytes
/// from its rates. It decides when coflows arrive and finish, when a task becomes heavy, and
/// `coalesce` after a flow has finished. A decision costs O(flows that get a rate + flows of
/// coflows with finished flows + ports of coflows).
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
        return m_triggers;
    }

    Decision Allocate(const AttainedView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// The state of a task at ports.
    struct Task
    {
        std::vector<double> bytes; ///< per port: forwarded so far
        /// Rate at ports since the last decision, in bytes per second.
        std::vector<std::pair<HostPort, double>> rates;
        bool present{false}; ///< present at the last decision
    };

    /// A node of a row.
    struct Node
    {
        std::uint32_t row;  ///< row of the view
        std::uint32_t node; ///< its number in the row
    };

    /// Counts the bytes since the last decision, and removes finished tasks.
    void Count(const AttainedView& view);

    /// Position of every task in the order of a port: 0 in the active class, otherwise its row plus
    /// one.
    void Places(const AttainedView& view);

    /// Computes rates by position.
    void Serve(const AttainedView& view, std::span<double> rates);

    /// Stores the rates. @returns time at which the next task becomes heavy
    Nanoseconds Note(const AttainedView& view);

    double m_heavyBytes;                   ///< H: bytes from which a task is heavy at a port
    Triggers m_triggers;                   ///< when to decide
    Nanoseconds m_counted{0};              ///< time of the last count of bytes
    std::vector<Task> m_tasks;             ///< tasks, by coflow index; empty for finished tasks
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
