/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SUMMARY_H
#define COFLOW_SUMMARY_H

#include "ns3/coflow-diagnosis.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-record.h"
#include "ns3/coflow-run-sample.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace coflow
{

/// Mean and quantiles (see Quantile) of some measure; all 0 where nothing was measured.
struct Distribution
{
    std::size_t count{0};
    double mean{0};
    double median{0};
    double p95{0};
    double p99{0};
    double max{0};

    static Distribution Of(std::vector<double> values);

    Json ToJson() const;
};

/// What the coflows' records say about a whole run. Unfinished coflows are counted but are
/// part of no distribution, among them those that an admission control rejected and that were
/// not sent all the same.
struct RunSummary
{
    std::size_t coflows{0};             ///< submitted
    std::size_t finished{0};            ///< of them, finished
    std::size_t rejected{0};            ///< of them, rejected by an admission control
    std::size_t bypassed{0};            ///< of them, too small to wait for the scheduler
    std::vector<CoflowId> unfinished{}; ///< neither finished nor rejected, in workload order
    Distribution cct{};                 ///< seconds
    std::array<Distribution, ALL_BINS.size()> cctOfBin{}; ///< seconds, in the order of ALL_BINS
    Distribution slowdown{};                              ///< CCT / Gamma
    std::optional<Distribution> unloadedSlowdown{};       ///< CCT / unloaded CCT; none in fluids
    double makespanSeconds{0};                            ///< first arrival to last finish
    double utilisation{0};            ///< share of the ingress ports' capacity used in it
    double boundMeanCctSeconds{0};    ///< no scheduler has a smaller mean CCT
    std::size_t withDeadline{0};      ///< submitted with a deadline
    std::size_t metDeadline{0};       ///< of them, finished in time
    std::size_t nearlyMetDeadline{0}; ///< of them, in time or late by DEADLINE_TOLERANCE at most
    Distribution outOfSync{};         ///< see OutOfSync(); to be added by hand
    std::optional<DisparitySummary> disparity{}; ///< of progress over time; to be added by hand
    std::vector<Finding> findings{};             ///< what has decided the numbers; by hand
    std::uint64_t hosts{0};                      ///< of the network; by hand
    std::uint64_t idleHosts{0};                  ///< of them, those that no flow names; by hand
    bool contended{true};                        ///< see WasContended(); by hand
    std::vector<std::string> waits{}; ///< of a run that stalled: what coflows wait for; by hand

    /// @param records of all coflows
    /// @param rates the ports' rates, for the utilisation
    /// @param bound on the mean CCT of all coflows, in seconds; where some have not finished, or
    ///        it is smaller, the mean Gamma of the finished ones is told instead
    static RunSummary Of(const std::vector<CoflowRecord>& records,
                         const PortRates& rates,
                         double bound = 0);

    Json ToJson() const;
};

/// @return that some hosts of the network have no flow, for a person; empty where all have one
std::string FormatIdleHosts(std::uint64_t idleHosts, std::uint64_t hosts);

/// How far flows of a coflow are apart, as Graviton measures it (Jajoo et al., HotCloud 2016,
/// section 5): the largest completion time of a flow over the smallest one, both counted from the
/// arrival of the coflow.
/// @param coflows records of all coflows
/// @param flows records of their flows
/// @return over the finished coflows that have two flows or more, flows within a host and flows
///         without bytes left out
Distribution OutOfSync(const std::vector<CoflowRecord>& coflows,
                       const std::vector<FlowRecord>& flows);

} // namespace coflow

#endif // COFLOW_SUMMARY_H
