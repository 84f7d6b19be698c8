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
/// hosts' ports and of links on its flows' paths. Flows without a path get one, the largest flow
/// first: the path on which the bytes of the coflow take the least time. 2. The coflow with the
/// least completion time gets its paths, and rates with which all its flows finish together. Then
/// the completion times of all others are computed again, with the remaining capacity (`order` =
/// left). 3. At the end, unused capacity is given to flows in the same order (`backfill`).
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

    /// Links of a path count as ports do, where there are any.
    bool IsWorkConserving() const override
    {
        return m_backfill;
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
    /// How long what is put on a path takes.
    struct PathTime
    {
        double longest{0}; ///< on one of its links, in seconds
        double sum{0};     ///< on all its links, in seconds

        auto operator<=>(const PathTime&) const = default;
    };

    /// What it remembers of a coflow.
    struct Memory
    {
        Nanoseconds since{-1}; ///< when it last had a rate, or became ready; -1: it is new
        Nanoseconds until{-1}; ///< it goes before all others until then
        bool hasRate{false};   ///< by the last decision
        bool served{false};    ///< it has had room on all its ports and links: its paths are kept
    };

    /// A coflow that has no rates yet.
    struct Candidate
    {
        double key;        ///< completion time in seconds; of those that wait for too long, below 0
        std::uint32_t row; ///< where it is

        auto operator<=>(const Candidate&) const = default;
    };

    /// Prepares the working memory for a decision.
    void Prepare(const ClairvoyantView& view, const PortRates& capacity);
    /// Notes how long coflows have waited.
    void EnterWaits(const ClairvoyantView& view);
    /// Notes which coflows have a rate.
    /// @return when to look at them again
    Nanoseconds LeaveWaits(const ClairvoyantView& view, std::span<const double> rates);

    /// Finds paths for the flows of a coflow that may have another one, on what is left, and adds
    /// up what all its flows put on links.
    void FindPaths(const ClairvoyantView& view, std::uint32_t r);
    /// @return place of the path that a flow is best put on, behind those that were looked at
    std::size_t BestPath(std::uint32_t f, double bytes, PathNumber present) const;
    /// @return how long a path takes with these bytes on it too
    PathTime TimeOf(const FabricPath& path, double bytes) const;
    /// @return the completion time of a coflow on what is left, in seconds, with the paths found
    double CompletionTime(const ClairvoyantView& view, std::uint32_t r);
    /// @return whether a flow has a path that it keeps
    bool KeepsPath(const ClairvoyantView& view, const CoflowRow& row, std::uint32_t f) const;
    /// Puts the paths in force that were found for flows which have a rate.
    void TakePaths(const CoflowRow& row, std::span<const double> rates);

    /// Sorts coflows, and gives rates to those that have room on all their ports and links.
    void Serve(const ClairvoyantView& view, std::span<double> rates);
    /// Gives rates by which all flows of a coflow end together.
    void ServeCoflow(const ClairvoyantView& view,
                     std::uint32_t r,
                     double time,
                     std::span<double> rates);
    /// Hands out what is left.
    void HandOutRest(const ClairvoyantView& view, std::span<double> rates);

    bool m_left;              ///< order by what is left; else by what there is
    bool m_joint;             ///< paths are chosen with the rates; else by a hash
    bool m_reroute;           ///< flows that have begun may get another path
    bool m_backfill;          ///< hand out what is left
    bool m_rescheduleOnFlow;  ///< decide also when a flow finishes
    Nanoseconds m_patience;   ///< T
    Nanoseconds m_preference; ///< delta

    const PathMap* m_map{nullptr}; ///< null: ports alone limit
    double m_share{1};             ///< of a link's rate
    std::vector<Memory> m_memory;  ///< by coflow index

    /// @name Working memory of a decision
    /// @{
    PortBudget m_budget;                                ///< ports, then links
    HostPort m_firstLink{0};                            ///< limit of link 0
    CoflowLoads m_loads;                                ///< on ports
    MaxMinFiller m_filler;                              ///< of what is left
    std::vector<std::span<const FabricPath>> m_choices; ///< per flow
    std::vector<std::uint32_t> m_bySize;                ///< flows, coflow by coflow
    std::vector<PathNumber> m_found;                    ///< per flow
    std::vector<PathNumber> m_paths;                    ///< per flow: what is answered
    std::vector<double> m_load;                         ///< per limit: of the coflow at hand
    std::vector<PortDemand> m_linkLoads;                ///< likewise, of links that it uses
    std::vector<double> m_keys;                         ///< per row, on what there is
    std::vector<std::uint32_t> m_order;                 ///< rows as they were served
    std::size_t m_served{0};                            ///< how many of these have rates
    /// @}
};

} // namespace coflow

#endif // COFLOW_RAPIER_H
