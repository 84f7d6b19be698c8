/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RAPIER_H
#define COFLOW_RAPIER_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// Joint routing and scheduling of coflows after RAPIER (INFOCOM 2015). Only the abstract of the
/// paper was available, and doc/schedulers/rapier.md explains this interpretation.
///
/// 1. A coflow's completion time is the time of its remaining bytes with the free capacity of
///    hosts' ports and of links on its flows' paths. Flows without a path get one, the largest flow
///    first: the path on which the bytes of the coflow take the least time.
/// 2. The coflow with the least completion time gets its paths, and rates with which all its flows
///    finish together. Then the completion times of all other coflows are computed again, with the
///    remaining capacity (`order` = left).
/// 3. At the end, unused capacity is given to flows in the same order (`backfill`).
///
/// A coflow without a rate for `T` precedes all others for `delta`.
///
/// A flow that has begun keeps its path, unless `reroute` is true. Paths of flows that were served
/// by backfill only are chosen again when their coflow first gets rates in step 2. Without a map of
/// paths, only ports limit.
///
/// A decision costs O(flows x paths) for every computation of a coflow's completion time. After the
/// first computation, the time is computed again only when the coflow could be the next one.
class Rapier : public ClairvoyantPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Rapier(const Parameters& parameters);

    /// Its parameters.
    static std::vector<ParameterSpec> Specs();

    Triggers GetTriggers() const override
    {
        return {m_rescheduleOnFlow, 0};
    }

    bool ChoosesPaths() const override
    {
        return true;
    }

    void ShowPaths(const PathMap& paths, double share) override;

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// The times that the bytes on the links of a path take.
    struct PathTime
    {
        double longest{0}; ///< largest time of a link, in seconds
        double sum{0};     ///< sum of the times of all links, in seconds

        auto operator<=>(const PathTime&) const = default;
    };

    /// The state of a coflow from decision to decision.
    struct Memory
    {
        Nanoseconds since{-1}; ///< time at which it last had a rate, or became ready; -1: new
        Nanoseconds until{-1}; ///< the coflow precedes all others until this time; -1: never yet
        bool hasRate{false};   ///< the last decision gave it a rate
        bool served{false};    ///< it has had rates in step 2, so its paths are kept
    };

    /// A coflow that has no rates yet.
    struct Candidate
    {
        double key;        ///< completion time in seconds; below 0 after a wait of T
        std::uint32_t row; ///< row of the view

        auto operator<=>(const Candidate&) const = default;
    };

    /// Prepares the working memory for a decision.
    void Prepare(const ClairvoyantView& view, const PortRates& capacity);
    /// Updates the waiting times of coflows, before a decision.
    void EnterWaits(const ClairvoyantView& view);
    /// Stores which coflows have a rate, after a decision.
    /// @return time of the next decision that waiting coflows need
    Nanoseconds LeaveWaits(const ClairvoyantView& view, std::span<const double> rates);

    /// Chooses paths with the free capacity for flows of a coflow that do not keep their paths.
    /// Computes the bytes of all flows of the coflow per link.
    void FindPaths(const ClairvoyantView& view, std::uint32_t r);
    /// @param f a flow
    /// @param bytes bytes left of the flow
    /// @param present path of the flow, or NO_PATH
    /// @return position of the path with the least time, with the loads of m_load
    std::size_t BestPath(std::uint32_t f, double bytes, PathNumber present) const;
    /// @return the times of a path with these additional bytes
    PathTime TimeOf(const FabricPath& path, double bytes) const;
    /// @return the completion time of a coflow with the free capacity and newly chosen paths, in
    ///         seconds
    double CompletionTime(const ClairvoyantView& view, std::uint32_t r);
    /// @return whether a flow keeps its path
    bool KeepsPath(const ClairvoyantView& view, const CoflowRow& row, std::uint32_t f) const;
    /// Puts the chosen paths of flows with a rate into the decision.
    void TakePaths(const CoflowRow& row, std::span<const double> rates);

    /// Sorts coflows, and gives rates to coflows that have free capacity at all their ports and
    /// links.
    void Serve(const ClairvoyantView& view, std::span<double> rates);
    /// Gives rates with which all flows of a coflow finish together.
    void ServeCoflow(const ClairvoyantView& view,
                     std::uint32_t r,
                     double time,
                     std::span<double> rates);
    /// Gives unused capacity to flows, in the order of coflows.
    void HandOutRest(const ClairvoyantView& view, std::span<double> rates);

    bool m_left;     ///< order by times with the free capacity; otherwise with the full capacity
    bool m_joint;    ///< paths are chosen with the rates; otherwise by a hash
    bool m_reroute;  ///< flows that have begun may get another path
    bool m_backfill; ///< give unused capacity to flows
    bool m_rescheduleOnFlow;  ///< decide also when a flow finishes
    Nanoseconds m_patience;   ///< T: wait after which a coflow precedes all others
    Nanoseconds m_preference; ///< delta: time for which it precedes them

    const PathMap* m_map{nullptr}; ///< null: only ports limit rates
    double m_share{1};             ///< usable share of a link's rate
    std::vector<Memory> m_memory;  ///< state of each coflow, by coflow index

    /// @name Working memory of a decision
    /// @{
    PortBudget m_budget;                                ///< ports, then links
    HostPort m_firstLink{0};                            ///< limit of link 0 in m_budget
    CoflowLoads m_loads;                                ///< bytes left at ports
    MaxMinFiller m_filler;                              ///< distributes unused capacity
    std::vector<std::span<const FabricPath>> m_choices; ///< possible paths, per flow
    std::vector<std::uint32_t> m_bySize;                ///< flows of each coflow, largest first
    std::vector<PathNumber> m_found;                    ///< chosen path, per flow
    std::vector<PathNumber> m_paths;                    ///< per flow: path in the decision
    std::vector<double> m_load;                         ///< per limit: bytes of the present coflow
    std::vector<PortDemand> m_linkLoads; ///< m_load of the links that the coflow uses
    std::vector<double> m_keys;          ///< per row: completion time with the full capacity
    std::vector<std::uint32_t> m_order;  ///< rows in the order of service
    std::size_t m_served{0};             ///< number of rows that were served in step 2
    /// @}
};

} // namespace coflow

#endif // COFLOW_RAPIER_H
