/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The transform that lets schedulers take flows for those of other coflows.

#include "ns3/coflow-error.h"
#include "ns3/coflow-random.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-transform.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace coflow
{

namespace
{

constexpr double DEFAULT_ALONE = 0;
constexpr std::size_t DEFAULT_NEAR = 10;

/// What the transform is told.
struct Errors
{
    double share{0};                ///< flows that are taken for those of a wrong coflow
    std::uint64_t seed{0};          ///< of the random numbers
    double alone{DEFAULT_ALONE};    ///< of these, flows that are taken for a coflow of their own
    std::size_t near{DEFAULT_NEAR}; ///< so many coflows before and after come into question
};

/// The highest id that stands for a coflow anywhere.
CoflowId
HighestId(const Workload& workload)
{
    CoflowId highest = 0;
    for (const Coflow& coflow : workload.coflows)
    {
        highest = std::max(highest, coflow.id);
    }
    return highest;
}

/// Draws a neighbour of a coflow in the order of arrival, in proportion to its flows: so coflows
/// gain in the mean as many flows as they lose.
/// @param flowsBefore by position of a coflow: flows of all coflows before it
/// @return its position; that of the coflow itself where no other has flows
std::size_t
DrawNeighbour(std::size_t position,
              const std::vector<std::size_t>& flowsBefore,
              std::size_t near,
              Random& random)
{
    const std::size_t coflows = flowsBefore.size() - 1;
    const std::size_t first = flowsBefore[position - std::min(position, near)];
    const std::size_t last = flowsBefore[std::min(position + near, coflows - 1) + 1];
    const std::size_t own = flowsBefore[position + 1] - flowsBefore[position];
    if (last - first == own)
    {
        return position;
    }
    std::size_t drawn = random.UniformInt<std::size_t>(first, last - own - 1);
    drawn += drawn < flowsBefore[position] ? 0 : own;
    const auto after = std::upper_bound(flowsBefore.begin(), flowsBefore.end(), drawn);
    return static_cast<std::size_t>(after - flowsBefore.begin()) - 1;
}

void
Misidentify(Workload& workload, const Errors& errors, const std::string& text)
{
    std::vector<std::size_t> flowsBefore{0};
    for (const Coflow& coflow : workload.coflows)
    {
        if (!coflow.identified.empty())
        {
            throw InputError("transform " + text +
                             " finds flows that are taken for those of other coflows; allowed: one "
                             "such transform");
        }
        flowsBefore.push_back(flowsBefore.back() + coflow.flows.size());
    }
    CoflowId next = HighestId(workload);
    if (next > std::numeric_limits<CoflowId>::max() - flowsBefore.back())
    {
        throw InputError("transform " + text + " finds the coflow id " + std::to_string(next) +
                         ", beyond which there are not enough ids; allowed: lower ids");
    }
    Random random(errors.seed);
    for (std::size_t position = 0; position < workload.coflows.size(); ++position)
    {
        Coflow& coflow = workload.coflows[position];
        for (std::size_t f = 0; f < coflow.flows.size(); ++f)
        {
            // All are drawn for every flow, so that a greater share has the errors of a smaller
            // one, and others besides.
            const double distance = random.Uniform(0, 1) - errors.share;
            const bool alone = random.Uniform(0, 1) < errors.alone;
            const std::size_t drawn = DrawNeighbour(position, flowsBefore, errors.near, random);
            const CoflowId other = alone || drawn == position ? ++next : workload.coflows[drawn].id;
            Identification identified{coflow.id, other, distance};
            if (distance < 0)
            {
                identified = {other, coflow.id, -distance};
            }
            else if (alone || drawn == position)
            {
                identified = {.coflow = coflow.id};
            }
            coflow.identified.push_back(identified);
        }
    }
}

Transform
ParseMisidentify(const TransformKind& kind, const std::string& argument)
{
    const TransformArgument parts(kind, argument);
    if (parts.Size() < 2 || parts.Size() > 4)
    {
        parts.Fail("two to four numbers");
    }
    Errors errors;
    errors.share = parts.Quantity(0, Unit::NUMBER, 0, 1);
    errors.seed = static_cast<std::uint64_t>(parts.Quantity(1, Unit::COUNT, 0, 9007199254740992));
    std::string text = kind.name;
    text += '=';
    text += FormatNumber(errors.share);
    text += ':';
    text += std::to_string(errors.seed);
    if (parts.Size() > 2)
    {
        errors.alone = parts.Quantity(2, Unit::NUMBER, 0, 1);
        text += ':';
        text += FormatNumber(errors.alone);
    }
    if (parts.Size() > 3)
    {
        errors.near = static_cast<std::size_t>(parts.Quantity(3, Unit::COUNT, 1, 1e9));
        text += ':';
        text += std::to_string(errors.near);
    }
    return {text, [=](Workload& workload) { Misidentify(workload, errors, text); }};
}

const TransformEntry g_misidentify(
    {"misidentify",
     "SHARE:SEED[:ALONE[:NEAR]]",
     "lets schedulers take a SHARE of the flows for those of other coflows; ALONE, of these, for a "
     "coflow each (default 0); the others for one of the NEAR coflows that arrive before or after "
     "(default 10), in proportion to their flows",
     ParseMisidentify});

} // namespace

} // namespace coflow
