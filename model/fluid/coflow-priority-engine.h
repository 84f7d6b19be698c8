/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PRIORITY_ENGINE_H
#define COFLOW_PRIORITY_ENGINE_H

#include "ns3/coflow-fluid-run.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <limits>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace coflow
{

/// The executor for policies that are a total order of flows (PriorityForm), where all ports
/// have the same rate: a flow then has all of both its ports or nothing, and what runs is the
/// greedy matching of ports, best flow first.
///
/// That matching is the only one in which no waiting flow is better than what runs at both its
/// ports. It is kept up to date by repairs: a port that has become free takes its best flow
/// whose other port is free or runs something worse, which frees a port in turn. Between events
/// running flows only get better, so the matching lasts. A flow costs O(ports at its port +
/// log flows) plus that for every flow that it displaces.
class PriorityEngine
{
  public:
    /// @param run workload and records; all ports have the same rate
    /// @param form the order
    PriorityEngine(FluidRun& run, const PriorityForm& form);

    /// Runs to the end.
    void Run();

  private:
    static constexpr std::uint32_t NONE = UINT32_MAX; ///< no flow, or no link

    /// Rank of a flow. Smaller runs first.
    struct Key
    {
        double major{0};       ///< first key
        double minor{0};       ///< second key
        std::uint64_t flow{0}; ///< position of the coflow, then flow id

        bool operator<(const Key& other) const
        {
            if (major != other.major)
            {
                return major < other.major;
            }
            return minor != other.minor ? minor < other.minor : flow < other.flow;
        }
    };

    /// Rank that is worse than every flow's.
    static constexpr Key FREE{std::numeric_limits<double>::infinity(), 0.0, 0};

    /// A flow that has not finished.
    struct Active
    {
        std::uint32_t coflow{0};  ///< position of its coflow
        FlowId flow{0};           ///< its id
        std::uint32_t link{0};    ///< where it runs
        double major{0};          ///< first key
        double remaining{0};      ///< bytes left at `since`
        Nanoseconds since{0};     ///< when it started to run, if it runs
        std::uint32_t version{0}; ///< counts starts
        bool running{false};      ///< it has its ports
    };

    /// A flow that waits in its link.
    struct Waiting
    {
        Key key;              ///< its rank; does not change while it waits
        std::uint32_t active; ///< the flow

        /// Reverse order, for heaps with the smallest on top.
        bool operator<(const Waiting& other) const
        {
            return other.key < key;
        }
    };

    /// A pair of hosts.
    struct Link
    {
        std::uint32_t port[2];                ///< sending and receiving port
        std::priority_queue<Waiting> waiting; ///< its flows that do not run
        bool listed{false};                   ///< it stands in m_candidates
        Key key;                              ///< ... with this rank
    };

    /// The best waiting flow of a link, as one of its ports sees it.
    struct Candidate
    {
        Key key;             ///< rank of the flow
        std::uint32_t link;  ///< where it waits
        std::uint32_t other; ///< the port at the other end

        bool operator<(const Candidate& candidate) const
        {
            return key < candidate.key;
        }
    };

    /// When a running flow finishes.
    struct Finish
    {
        Nanoseconds time;      ///< when
        std::uint32_t active;  ///< the flow
        std::uint32_t version; ///< Active::version when it started

        /// Reverse order, for heaps with the earliest on top.
        bool operator<(const Finish& other) const
        {
            return std::tie(time, active) > std::tie(other.time, other.active);
        }
    };

    /// The rank of a flow now.
    Key KeyOf(const Active& active) const;

    /// Takes the samples that are due before a time.
    void SampleBefore(Nanoseconds end);

    void TakeReady();
    void TakeFinished();
    void Wait(std::uint32_t active);
    void Start(std::uint32_t active);
    void Stop(std::uint32_t active);

    /// Brings m_candidates up to date with the best waiting flow of a link.
    void List(std::uint32_t link);

    /// The same for one of its ports.
    void ListAt(std::uint32_t link, int end);

    /// Fills free ports until the matching is the greedy one again.
    void Repair();

    /// Gives both ports of a flow to it.
    void Occupy(std::uint32_t active);

    /// Leaves both ports of a flow free.
    void Vacate(std::uint32_t active);

    /// Brings m_runKey up to the time.
    void UpdateKeys();

    /// Whether a flow of this rank may take a port.
    bool MayTake(std::uint32_t port, const Key& key) const
    {
        return key < m_runKey[port];
    }

    /// The best waiting flow that may take both its ports, of all links at a port.
    /// @returns none: nullptr
    const Candidate* BestAt(std::uint32_t port) const;

    /// When the next running flow finishes.
    Nanoseconds NextFinish();

    FluidRun& m_run;                                           ///< workload and records
    const PriorityForm m_form;                                 ///< the order
    const double m_rate;                                       ///< of every port
    Nanoseconds m_now{0};                                      ///< time
    std::vector<Active> m_active;                              ///< flows, by slot
    std::vector<std::uint32_t> m_freeSlots;                    ///< slots of finished flows
    std::vector<Link> m_links;                                 ///< pairs of hosts
    std::unordered_map<std::uint64_t, std::uint32_t> m_linkOf; ///< by hosts
    std::vector<std::vector<Candidate>>
        m_candidates;                     ///< per port: links with waiting flows, by rank
    std::vector<std::uint32_t> m_runs;    ///< per port: the flow that runs
    std::vector<Key> m_runKey;            ///< per port: rank of that flow; FREE: none
    std::vector<std::uint32_t> m_dirty;   ///< ports to be looked at by Repair
    std::priority_queue<Finish> m_finish; ///< of running flows; outdated ones stay
};

} // namespace coflow

#endif // COFLOW_PRIORITY_ENGINE_H
