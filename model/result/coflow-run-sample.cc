/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-run-sample.h"

#include "ns3/coflow-format.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coflow
{

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

std::string
ToCsv(const std::vector<RunSample>& samples)
{
    std::string out = "time_s,coflows,flows,utilisation,progress_min,progress_max,disparity,"
                      "queue_bytes,largest_queue_bytes,control_wire_bytes\n";
    for (const RunSample& sample : samples)
    {
        out += FormatSeconds(sample.time);
        out += ',';
        out += std::to_string(sample.coflows);
        out += ',';
        out += std::to_string(sample.flows);
        out += ',';
        out += FormatNumber(sample.utilisation);
        out += ',';
        if (sample.coflows > 0)
        {
            const double disparity = sample.Disparity();
            out += FormatNumber(sample.smallestProgress);
            out += ',';
            out += FormatNumber(sample.largestProgress);
            out += ',';
            out += std::isinf(disparity) ? "inf" : FormatNumber(disparity);
        }
        else
        {
            out += ",,";
        }
        out += ',';
        if (sample.network)
        {
            out += std::to_string(sample.network->bytes);
            out += ',';
            out += std::to_string(sample.network->largestBytes);
            out += ',';
            out += std::to_string(sample.network->controlBytes);
        }
        else
        {
            out += ",,";
        }
        out += '\n';
    }
    return out;
}

DisparitySummary
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
    DisparitySummary summary;
    summary.samples = values.size();
    if (values.empty())
    {
        return summary;
    }
    std::sort(values.begin(), values.end());
    const auto finite =
        std::find_if(values.begin(), values.end(), [](double value) { return std::isinf(value); });
    summary.infinite =
        static_cast<double>(values.end() - finite) / static_cast<double>(values.size());
    summary.largestFinite = finite == values.begin() ? 0 : *(finite - 1);
    // The value at a quantile, not between two, of which one may be infinite.
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
