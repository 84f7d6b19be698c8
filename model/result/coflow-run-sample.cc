/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run-sample.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coflow
{

namespace
{

using SampleRef = const RunSample&;

/// A value that is undefined while no coflow is present.
std::optional<double>
WhilePresent(SampleRef sample, double value)
{
    return sample.coflows > 0 ? std::optional(value) : std::nullopt;
}

/// A value of the network; unknown in the fluid engine.
std::optional<std::uint64_t>
OfNetwork(SampleRef sample, std::uint64_t NetworkSample::* member)
{
    return sample.network ? std::optional((*sample.network).*member) : std::nullopt;
}

const std::vector<Column<RunSample>> SAMPLE_COLUMNS{
    {"time_s",
     "s",
     "when the sample was taken",
     [](SampleRef s) { return ColumnTime::Known(s.time); }},
    {"coflows", "", "coflows present and not finished", [](SampleRef s) { return s.coflows; }},
    {"flows", "", "their flows that are not finished", [](SampleRef s) { return s.flows; }},
    {"utilisation",
     "",
     "sum of all rates over the rates of all sending ports",
     [](SampleRef s) { return std::optional(s.utilisation); }},
    {"progress_min",
     "",
     "smallest progress of a coflow ([glossary](../glossary.md#disparity-and-progress)); empty: no "
     "coflow is "
     "present",
     [](SampleRef s) { return WhilePresent(s, s.smallestProgress); }},
    {"progress_max",
     "",
     "largest progress of a coflow; empty: no coflow is present",
     [](SampleRef s) { return WhilePresent(s, s.largestProgress); }},
    {"disparity",
     "",
     "`progress_max` over `progress_min`; `inf`: one coflow waits while another progresses",
     [](SampleRef s) { return WhilePresent(s, s.Disparity()); }},
    {"queue_bytes",
     "bytes",
     "bytes in all queues of the network; only in the packet engine, as the next two columns",
     [](SampleRef s) { return OfNetwork(s, &NetworkSample::bytes); }},
    {"largest_queue_bytes",
     "bytes",
     "bytes in the fullest queue",
     [](SampleRef s) { return OfNetwork(s, &NetworkSample::largestBytes); }},
    {"control_wire_bytes",
     "bytes",
     "bytes of IPv4 packets with control messages so far",
     [](SampleRef s) { return OfNetwork(s, &NetworkSample::controlBytes); }},
};

} // namespace

double
RunSample::Disparity() const
{
    if (largestProgress == 0)
    {
        return 1;
    }
    return smallestProgress > 0 ? largestProgress / smallestProgress
                                : std::numeric_limits<double>::infinity();
}

const std::vector<Column<RunSample>>&
SampleColumns()
{
    return SAMPLE_COLUMNS;
}

std::string
ToCsv(const std::vector<RunSample>& samples)
{
    return ToCsv(SAMPLE_COLUMNS, samples);
}

std::optional<DisparitySummary>
DisparitySummary::Of(const std::vector<RunSample>& samples)
{
    std::vector<double> values;
    for (const RunSample& sample : samples)
    {
        if (sample.coflows > 0)
        {
            values.push_back(sample.Disparity());
        }
    }
    if (values.empty())
    {
        return std::nullopt;
    }
    DisparitySummary summary;
    summary.samples = values.size();
    std::ranges::sort(values);
    const auto finite =
        std::ranges::find_if(values, [](double value) { return std::isinf(value); });
    summary.infinite =
        static_cast<double>(values.end() - finite) / static_cast<double>(values.size());
    summary.largestFinite = finite == values.begin() ? 0 : *(finite - 1);
    // The quantile is one of the values, without interpolation, because values may be infinite.
    const auto quantile = [&](double q) {
        return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
    };
    summary.median = quantile(0.5);
    summary.p95 = quantile(0.95);
    summary.p99 = quantile(0.99);
    summary.max = values.back();
    return summary;
}

Json
DisparitySummary::ToJson() const
{
    return Json::Object()
        .Set("samples", std::uint64_t{samples})
        .Set("median", median)
        .Set("p95", p95)
        .Set("p99", p99)
        .Set("max", max)
        .Set("largest_finite", largestFinite)
        .Set("infinite_fraction", infinite);
}

} // namespace coflow
