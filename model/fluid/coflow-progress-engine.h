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
        std::uint32_t pair;    ///< number of the pair of its ports
        std::uint32_t node[2]; ///< nodes of its coflow at these ports
        double target;         ///< sum of the clocks of coflow and pair at which the flow finishes
        bool finished;         ///< the flow has finished
    };

    /// A flow in the heap of the node that limits it.
    struct Bound
    {
        double key;         ///< sum of the clocks of coflow and port; the flow does not finish
                            ///< before this sum
        std::uint32_t flow; ///< position in Task::flows

        /// Reverse order, for heaps with the smallest on top.
        bool operator<(const Bound& other) const
        {
            return key != other.key ? key > other.key : flow > other.flow;
        }
    };

    /// The flows of a coflow at one port.
    struct Node
    {
        std::uint32_t port;      ///< the port
        std::uint32_t count;     ///< number of unfinished flows
        std::vector<Bound> heap; ///< flows that this port limited when they were last visited
    };

    /// A coflow.
    struct Task
    {
        std::uint32_t index{0};        ///< position of the coflow in the workload
        std::uint32_t left{0};         ///< number of unfinished flows
        double bottleneck{0};          ///< largest ratio of Node::count to the rate of the port
        double rate{0};                ///< rate of each of its flows by progress, in bytes per
                                       ///< second
        double clock{0};               ///< integral of `rate`, in bytes
        std::vector<Node> nodes;       ///< one for each port that the coflow uses
        std::vector<ActiveFlow> flows; ///< all flows that use the fabric, in the order of their ids
        std::uint32_t witness{0};      ///< flow that was last in the last call of LastFinish()
        bool changed{true};            ///< Port::demand does not have the demand of this coflow
    };

    /// A port.
    struct Port
    {
        double capacity{0}; ///< rate of the port, in bytes per second
        double flows{0};    ///< number of flows
        double demand{0};   ///< sum of normalised demands
        double spare{0};    ///< unused rate of the port per flow, in bytes per second
        double clock{0};    ///< integral of `spare`, in bytes
    };

    /// Two ports with flows between them.
    struct Pair
    {
        std::uint32_t port[2]{0, 0}; ///< the ports
        std::uint32_t flows{0};      ///< number of flows; 0: unused
        double clock{0};             ///< integral of the smaller spare rate of the two ports, in
                                     ///< bytes
    };

    /// Removes the coflows without unfinished flows.
    void RemoveFinished();

    /// Finishes a flow.
    void Finish(Task& task, std::uint32_t flow, Nanoseconds time);

    /// Computes progress and spare rates.
    void ComputeRates();

    /// Computes the time of the next decision.
    void Foresee();

    /// @return the time at which the last flow of a coflow finishes, where the time is before
    ///         `horizon`; otherwise any time at or after `horizon`
    Nanoseconds LastFinish(Task& task, Nanoseconds horizon) const;

    /// Puts a flow into the heap of the node that limits it.
    void Insert(Task& task, std::uint32_t flow);

    /// Takes the first flow from the heap of a node.
    /// @returns the flow
    std::uint32_t TakeFirst(Node& node) const;

    /// @return the finish time of a flow at the rates in force
    Nanoseconds FinishOf(const Task& task, std::uint32_t flow) const;

    /// @return the bytes left of a flow
    double Remaining(const Task& task, const ActiveFlow& flow) const;

    /// Adds the demand of a coflow at its ports; subtracts the demand with sign -1.
    void AddDemand(const Task& task, double sign);

    /// @return the number of the pair of two ports. The pair counts one more flow
    std::uint32_t UsePair(std::uint32_t in, std::uint32_t out);

    const ProgressForm m_form;                                  ///< form of the policy
    const std::uint32_t m_hosts;                                ///< number of hosts
    Nanoseconds m_lastArrival{0};                               ///< time of the last arrival
    Nanoseconds m_completion{NEVER};                            ///< time of the next decision
                                                                ///< because of a completion
    std::vector<Port> m_ports;                                  ///< all ports
    std::vector<Pair> m_pairs;                                  ///< pairs of ports, used and unused
    std::vector<std::uint32_t> m_freePairs;                     ///< numbers of unused pairs
    std::unordered_map<std::uint64_t, std::uint32_t> m_place;   ///< number of a pair, by ports
    std::vector<Task> m_tasks;                                  ///< present coflows, in the order
                                                                ///< of their ready times
    bool m_tasksChanged{false};                                 ///< the list of coflows has changed
    bool m_due{false};                                          ///< a decision is due
    std::vector<std::pair<std::size_t, std::uint32_t>> m_taken; ///< flows taken from their heaps
};

} // namespace coflow

#endif // COFLOW_PROGRESS_ENGINE_H
