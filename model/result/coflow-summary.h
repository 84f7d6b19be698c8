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

/// Mean and quantiles (see Quantile()) of some values; all 0 without values.
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

/// The summary of all coflow records of a run. Unfinished coflows are counted, and are not part of
/// any distribution. A coflow that an admission control has rejected and that was not sent is an
/// unfinished coflow.
struct RunSummary
{
    std::size_t coflows{0};             ///< coflows of the workload
    std::size_t finished{0};            ///< coflows that have finished
    std::size_t rejected{0};            ///< coflows that an admission control has rejected
    std::size_t bypassed{0};            ///< coflows that were too small to wait for the scheduler
    std::vector<CoflowId> unfinished{}; ///< coflows that have neither finished nor been rejected,
                                        ///< in workload order
    Distribution cct{};                 ///< coflow completion time, in seconds
    std::array<Distribution, ALL_BINS.size()> cctOfBin{}; ///< CCT per bin in seconds, in the order
                                                          ///< of ALL_BINS
    Distribution slowdown{};                              ///< CCT / Gamma
    std::optional<Distribution> unloadedSlowdown{};       ///< CCT / unloaded CCT; packet level only
    double makespanSeconds{0};                            ///< time from the first arrival to the
                                                          ///< last finish
    /// Used share of the ingress ports' capacity until the last finish; NaN if a coflow is
    /// unfinished.
    double utilisation{0};
    double boundMeanCctSeconds{0};    ///< lower bound of the mean CCT
    int boundRounds{0};               ///< rounds of the search for the bound
    std::size_t withDeadline{0};      ///< coflows that have a deadline
    std::size_t metDeadline{0};       ///< coflows that finished by their deadline
    std::size_t nearlyMetDeadline{0}; ///< coflows in time, or late by at most DEADLINE_TOLERANCE
    Distribution outOfSync{};         ///< see OutOfSync(); set after Of()
    std::optional<DisparitySummary> disparity{}; ///< disparity of progress over time; set after
                                                 ///< Of()
    std::vector<Finding> findings{};             ///< diagnosis; set after Of()
    std::uint64_t hosts{0};                      ///< hosts of the network; set after Of()
    std::uint64_t idleHosts{0};                  ///< hosts that no flow names; set after Of()
    bool contended{true};                        ///< see WasContended(); set after Of()
    std::vector<std::string> waits{}; ///< causes for which coflows wait, if STALLED; set after Of()

    /// @param records records of all coflows
    /// @param rates the ports' rates, for the utilisation
    /// @param bound lower bound of the mean CCT of all coflows, in seconds. The mean Gamma of the
    ///        finished coflows replaces it where it is larger, or where some coflows have not
    ///        finished
    static RunSummary Of(const std::vector<CoflowRecord>& records,
                         const PortRates& rates,
                         double bound = 0);

    Json ToJson() const;
};

/// @return text that says how many hosts of the network have no flow; empty where all hosts have
///         flows
std::string FormatIdleHosts(std::uint64_t idleHosts, std::uint64_t hosts);

/// Computes how far the flows of a coflow are apart, as Graviton does (Jajoo et al., HotCloud 2016,
/// section 5): the largest completion time of a flow over the smallest one. Both times count from
/// the arrival of the coflow.
/// @param coflows records of all coflows
/// @param flows records of their flows
/// @return the distribution over the finished coflows with two or more flows. Flows within a host
///         and flows without bytes are left out
Distribution OutOfSync(const std::vector<CoflowRecord>& coflows,
                       const std::vector<FlowRecord>& flows);

} // namespace coflow

#endif // COFLOW_SUMMARY_H
