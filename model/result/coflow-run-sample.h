/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RUN_SAMPLE_H
#define COFLOW_RUN_SAMPLE_H

#include "ns3/coflow-column.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coflow
{

/// The state of a packet network at one time.
struct NetworkSample
{
    std::uint64_t bytes{0};        ///< bytes in all queues
    std::uint64_t largestBytes{0}; ///< bytes in the longest queue
    std::uint64_t controlBytes{0}; ///< bytes of IPv4 packets with control messages so far
};

/// The state of a run at one time: one line of timeseries.csv. Samples are taken at equal
/// intervals, so that their distribution is a distribution over time. Of a time without coflows,
/// the first 1000 samples and the last sample are kept, because the others are equal.
///
/// The progress of a coflow (Wang and Wang, Fair Coflow Scheduling without Prior Knowledge) is the
/// minimum over its ports of (share of the port's capacity that it has) / (its demand at the port).
/// The demand at a port is the time that the coflow's remaining bytes need alone at this port,
/// normalised so that the largest demand of a coflow is 1.
///
/// In the fluid engine, rates are the rates at the time of the sample. At packet level, a rate is
/// the bytes delivered since the last sample, or since the arrival of the coflow, over this time.
/// TCP delivers bytes that have waited for a retransmission at once, so that a share of a port may
/// be above 1 for a short interval.
struct RunSample
{
    Nanoseconds time{0};                    ///< time of the sample
    std::uint64_t coflows{0};               ///< coflows that have arrived and not finished
    std::uint64_t flows{0};                 ///< unfinished flows of these coflows
    double utilisation{0};                  ///< sum of rates over the capacity of all sending ports
    double smallestProgress{0};             ///< smallest progress of these coflows
    double largestProgress{0};              ///< largest progress of these coflows
    std::optional<NetworkSample> network{}; ///< packet level only

    /// Largest over smallest progress; infinite where one coflow waits while another one
    /// progresses; 1 where no coflow progresses.
    double Disparity() const;
};

/// @return the columns of timeseries.csv
const std::vector<Column<RunSample>>& SampleColumns();

/// @return the text of timeseries.csv; an undefined value is empty, an infinite value `inf`
std::string ToCsv(const std::vector<RunSample>& samples);

/// Progress disparity over time: quantiles over the samples at which a coflow was present.
struct DisparitySummary
{
    std::size_t samples{0};  ///< number of samples with a coflow
    double median{0};        ///< median; this and the following values may be infinite
    double p95{0};           ///< 95th percentile
    double p99{0};           ///< 99th percentile
    double max{0};           ///< maximum
    double largestFinite{0}; ///< largest finite disparity
    double infinite{0};      ///< fraction of samples with infinite disparity

    /// @return the quantiles; none if no sample has a coflow
    static std::optional<DisparitySummary> Of(const std::vector<RunSample>& samples);

    /// @return a JSON object, in which infinite values are null
    Json ToJson() const;
};

} // namespace coflow

#endif // COFLOW_RUN_SAMPLE_H
