/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PROGRESS_ENGINE_H
#define COFLOW_PROGRESS_ENGINE_H

#include "ns3/coflow-fluid-executor.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coflow
{

/// The executor for policies with equal progress of all coflows by flow counts, and a backfill by
/// the smaller unused rate per flow of a flow's two ports (ProgressForm). All rates change with
/// every decision, but they follow from few numbers: one per coflow and one per port.
///
/// Each of these numbers has a clock, which is the integral of the rate. Every pair of ports also
/// has a clock, with the smaller of the two ports' rates. The bytes of a flow are the advance of
/// its coflow's clock plus the advance of its pair's clock. The flows of a coflow that are limited
/// by a port are in a heap. The key of a flow in this heap is the sum of the coflow's and the
/// port's clock at which the flow finishes if this port keeps limiting it. A flow does not finish
/// before this sum, so it is not visited before.
///
/// A decision costs O(coflows x ports used + pairs of ports in use), for any number of flows.
class ProgressEngine final : public FluidExecutor
{
  public:
    /// @param run workload and records
    /// @param form form of the policy
    ProgressEngine(FluidRun& run, const ProgressForm& form);

  private:
    Nanoseconds Next() override
    {
        return m_completion;
    }

    void Settle(Nanoseconds time) override;
    void Arrive(std::uint32_t index, Nanoseconds ready) override;
    void Decide() override;
    void AppendFlows(Nanoseconds at, std::vector<FlowState>& flows) const override;

    void End(Nanoseconds time) override
    {
        Settle(time);
    }

    /// An unfinished flow.
    struct ActiveFlow
    {
        FlowId id;             ///< its id
        std::uint32_t pair;    ///< its ports
        std::uint32_t node[2]; ///< nodes of its coflow at them
        double target;         ///< sum of the clocks of coflow and pair at which it is through
        bool finished;         ///< it is through
    };

    /// A flow in the heap of the node that limits it.
    struct Bound
    {
        double key;         ///< sum of the clocks of coflow and port before which it is not through
        std::uint32_t flow; ///< place in Task::flows

        /// Reverse order, for heaps with the smallest on top.
        bool operator<(const Bound& other) const
        {
            return key != other.key ? key > other.key : flow > other.flow;
        }
    };

    /// What a coflow has at one port.
    struct Node
    {
        std::uint32_t port;      ///< the port
        std::uint32_t count;     ///< number of its flows
        std::vector<Bound> heap; ///< those that were limited here when last looked at
    };

    /// A coflow.
    struct Task
    {
        std::uint32_t index{0};        ///< its position in the workload
        std::uint32_t left{0};         ///< number of its flows
        double bottleneck{0};          ///< largest count over rate of a port
        double rate{0};                ///< what each of its flows gets by progress
        double clock{0};               ///< that, integrated
        std::vector<Node> nodes;       ///< by port
        std::vector<ActiveFlow> flows; ///< by id
        std::uint32_t witness{0};      ///< a flow that was the last to finish when last looked at
        bool changed{true};            ///< its demand is not part of Port::demand
    };

    /// A port.
    struct Port
    {
        double capacity{0}; ///< its rate
        double flows{0};    ///< number of flows
        double demand{0};   ///< sum of normalised demands
        double spare{0};    ///< what is left to each flow
        double clock{0};    ///< that, integrated
    };

    /// Two ports with flows in between.
    struct Pair
    {
        std::uint32_t port[2]{0, 0}; ///< the ports
        std::uint32_t flows{0};      ///< number of flows; 0: unused
        double clock{0};             ///< smaller spare rate of the two, integrated
    };

    /// Removes the coflows that have no flow left.
    void RemoveFinished();

    /// Finishes a flow.
    void Finish(Task& task, std::uint32_t flow, Nanoseconds time);

    /// Computes progress and spare rates.
    void ComputeRates();

    /// Works out when to decide again.
    void Foresee();

    /// When the last flow of a coflow finishes, if that is before `horizon`; otherwise some time
    /// that is not.
    Nanoseconds LastFinish(Task& task, Nanoseconds horizon) const;

    /// Puts a flow into the heap of the node that limits it.
    void Insert(Task& task, std::uint32_t flow);

    /// Takes the first flow of a node.
    /// @returns the flow
    std::uint32_t TakeFirst(Node& node) const;

    /// When a flow finishes at the rates in force.
    Nanoseconds FinishOf(const Task& task, std::uint32_t flow) const;

    /// What a flow has still to move.
    double Remaining(const Task& task, const ActiveFlow& flow) const;

    /// Adds (or with sign -1 takes away) the demand of a coflow at its ports.
    void AddDemand(const Task& task, double sign);

    /// Number of the pair of two ports, in use from now on.
    std::uint32_t UsePair(std::uint32_t in, std::uint32_t out);

    const ProgressForm m_form;                                  ///< what the policy is
    const std::uint32_t m_hosts;                                ///< number of hosts
    Nanoseconds m_lastArrival{0};                               ///< of a coflow
    Nanoseconds m_completion{NEVER};                            ///< when to decide for a completion
    std::vector<Port> m_ports;                                  ///< all ports
    std::vector<Pair> m_pairs;                                  ///< pairs in use, and unused places
    std::vector<std::uint32_t> m_freePairs;                     ///< unused places
    std::unordered_map<std::uint64_t, std::uint32_t> m_place;   ///< of pairs, by ports
    std::vector<Task> m_tasks;                                  ///< coflows present, by readiness
    bool m_tasksChanged{false};                                 ///< one has come or gone
    bool m_due{false};                                          ///< something to decide about
    std::vector<std::pair<std::size_t, std::uint32_t>> m_taken; ///< flows taken from their heaps
};

} // namespace coflow

#endif // COFLOW_PROGRESS_ENGINE_H
