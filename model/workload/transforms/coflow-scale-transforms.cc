/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Transforms that change sizes and times.

#include "ns3/coflow-error.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace coflow
{

namespace
{

constexpr double LEAST_FACTOR = 1e-9;
constexpr double MOST_FACTOR = 1e9;

/// Rounds a product to the nearest whole number, halves up.
/// @throws InputError where it exceeds `most`
std::int64_t
Scale(std::int64_t value, double factor, std::int64_t most, const std::string& text)
{
    const double product = static_cast<double>(value) * factor;
    if (product > static_cast<double>(most))
    {
        throw InputError("transform " + text + " makes " + FormatNumber(product) + " of " +
                         std::to_string(value) + "; allowed: at most " + std::to_string(most));
    }
    return std::min<std::int64_t>(std::llround(product), most);
}

void
ScaleBytes(Workload& workload, double factor, const std::string& text)
{
    for (Coflow& coflow : workload.coflows)
    {
        for (Flow& flow : coflow.flows)
        {
            const Bytes least = flow.bytes > 0 ? 1 : 0;
            flow.bytes = std::max(least, Scale(flow.bytes, factor, MAX_BYTES, text));
        }
    }
    workload.scale *= factor;
    if (!(workload.scale >= LEAST_SCALE && workload.scale <= MOST_SCALE))
    {
        throw InputError("transform " + text + " scales sizes by " + FormatNumber(workload.scale) +
                         " in all; allowed: from " + FormatNumber(LEAST_SCALE) + " to " +
                         FormatNumber(MOST_SCALE));
    }
}

void
ScaleTime(Workload& workload, double factor, const std::string& text)
{
    for (Coflow& coflow : workload.coflows)
    {
        coflow.arrival = Scale(coflow.arrival, factor, MAX_TIME, text);
        if (coflow.deadline)
        {
            coflow.deadline =
                std::max<Nanoseconds>(1, Scale(*coflow.deadline, factor, MAX_TIME, text));
        }
    }
}

/// Parses the factor of a transform that scales.
Transform
ParseFactor(const TransformKind& kind,
            const std::string& argument,
            const std::function<void(Workload&, double, const std::string&)>& apply)
{
    const TransformArgument parts(kind, argument);
    parts.RequireSize(1, "one number");
    const double factor = parts.Quantity(0, Unit::NUMBER, LEAST_FACTOR, MOST_FACTOR);
    const std::string text = kind.name + "=" + FormatNumber(factor);
    return {text, [apply, factor, text](Workload& workload) { apply(workload, factor, text); }};
}

Transform
ParseScaleBytes(const TransformKind& kind, const std::string& argument)
{
    return ParseFactor(kind, argument, ScaleBytes);
}

Transform
ParseScaleTime(const TransformKind& kind, const std::string& argument)
{
    return ParseFactor(kind, argument, ScaleTime);
}

Transform
ParseScale(const TransformKind& kind, const std::string& argument)
{
    return ParseFactor(kind,
                       argument,
                       [](Workload& workload, double factor, const std::string& text) {
                           ScaleBytes(workload, factor, text);
                           ScaleTime(workload, factor, text);
                       });
}

Transform
ParseMinFlowBytes(const TransformKind& kind, const std::string& argument)
{
    const TransformArgument parts(kind, argument);
    parts.RequireSize(1, "one number");
    const Bytes least = std::llround(parts.Quantity(0, Unit::BYTES, 1, 1e15));
    return {kind.name + "=" + std::to_string(least), [least](Workload& workload) {
                for (Coflow& coflow : workload.coflows)
                {
                    for (Flow& flow : coflow.flows)
                    {
                        flow.bytes = flow.bytes > 0 ? std::max(flow.bytes, least) : 0;
                    }
                }
            }};
}

const TransformEntry g_scaleBytes({"scale-bytes",
                                   "FACTOR",
                                   "multiplies the bytes of every flow, rounded; a flow with bytes "
                                   "keeps at least one. Defaults that scale are multiplied, too",
                                   ParseScaleBytes});

const TransformEntry g_scale({"scale",
                              "FACTOR",
                              "does what scale-bytes and scale-time do: the same load with smaller "
                              "coflows, such as scale=1/250",
                              ParseScale});

const TransformEntry g_minFlowBytes({"min-flow-bytes",
                                     "BYTES",
                                     "raises smaller flows to BYTES, except flows without bytes",
                                     ParseMinFlowBytes});

const TransformEntry g_scaleTime(
    {"scale-time",
     "FACTOR",
     "multiplies arrivals and deadlines, rounded to nanoseconds: this changes the load",
     ParseScaleTime});

} // namespace

} // namespace coflow
