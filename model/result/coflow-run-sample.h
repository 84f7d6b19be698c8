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

/// What a network of packets looks like at one moment.
struct NetworkSample
{
    std::uint64_t bytes{0};        ///< in all queues
    std::uint64_t largestBytes{0}; ///< in the fullest one
    std::uint64_t controlBytes{0}; ///< of IPv4 packets that have carried control so far
};

/// What a run looks like at one moment: one line of timeseries.csv. Samples are taken at equal
/// intervals, so their distribution is one over time. Of a time in which nothing is present, the
/// first 1000 samples and the last one are there: those in between would be the same.
///
/// The progress of a coflow (Wang and Wang, Fair Coflow Scheduling without Prior Knowledge) is
/// the smallest, over the ports that it uses, of the part of the port that it has over its
/// demand there, demands being the time that what is left needs alone at each port, normalised
/// so that the largest is 1.
///
/// The fluid engine tells the rates at that moment. At packet level a rate is what was delivered
/// since the last sample, or since the arrival of the coflow, over that time; what TCP had to wait
/// with arrives at once, so parts of a port may for a short interval be above 1.
struct RunSample
{
    Nanoseconds time{0};                    ///< when
    std::uint64_t coflows{0};               ///< present and not finished
    std::uint64_t flows{0};                 ///< of them, not finished
    double utilisation{0};                  ///< sum of rates over what all sending ports have
    double smallestProgress{0};             ///< of all coflows present
    double largestProgress{0};              ///< likewise
    std::optional<NetworkSample> network{}; ///< at packet level

    /// Largest over smallest progress; infinite where one waits while another progresses,
    /// 1 where none progresses.
    double Disparity() const;
};

/// @return the columns of timeseries.csv
const std::vector<Column<RunSample>>& SampleColumns();

/// @return the text of timeseries.csv; what is undefined is empty, what is infinite `inf`
std::string ToCsv(const std::vector<RunSample>& samples);

/// Progress disparity over time: quantiles over the samples at which a coflow was present.
struct DisparitySummary
{
    std::size_t samples{0};  ///< with a coflow present
    double median{0};        ///< may be infinite, as all of these
    double p95{0};           ///< 95th percentile
    double p99{0};           ///< 99th percentile
    double max{0};           ///< largest
    double largestFinite{0}; ///< largest that is not infinite
    double infinite{0};      ///< fraction of the samples at which it is infinite

    static DisparitySummary Of(const std::vector<RunSample>& samples);

    /// @return what is infinite becomes null
    Json ToJson() const;
};

} // namespace coflow

#endif // COFLOW_RUN_SAMPLE_H
