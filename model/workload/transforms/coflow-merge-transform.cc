/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The transform that adds the coflows of another file.

#include "ns3/coflow-error.h"
#include "ns3/coflow-text.h"
#include "ns3/coflow-trace-reader.h"
#include "ns3/coflow-transform.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace coflow
{

namespace
{

/// Adds all coflows of another workload. Their ids continue from the highest id of the workload.
void
Merge(Workload& workload, Workload other, const std::string& text)
{
    if (other.scale != workload.scale)
    {
        throw InputError("transform " + text + " finds sizes scaled by " +
                         FormatNumber(other.scale) + ", but here they are scaled by " +
                         FormatNumber(workload.scale) + "; allowed: traces of one scale");
    }
    CoflowId highest = 0;
    for (const Coflow& coflow : workload.coflows)
    {
        highest = std::max(highest, coflow.id);
    }
    if (highest > std::numeric_limits<CoflowId>::max() - other.coflows.size())
    {
        throw InputError("transform " + text + " finds the coflow id " + std::to_string(highest) +
                         ", beyond which there are not enough ids; allowed: lower ids");
    }
    std::map<CoflowId, CoflowId> renumbered;
    for (const Coflow& coflow : other.coflows)
    {
        renumbered.emplace(coflow.id, highest + 1 + renumbered.size());
    }
    for (Coflow& coflow : other.coflows)
    {
        coflow.id = renumbered.at(coflow.id);
        for (CoflowId& parent : coflow.parents)
        {
            parent = renumbered.at(parent);
        }
        workload.coflows.push_back(std::move(coflow));
    }
    workload.hosts = std::max(workload.hosts, other.hosts);
    for (const std::string& line : other.history)
    {
        workload.history.push_back("merged: " + line);
    }
}

Transform
ParseMerge(const TransformKind& kind, const std::string& argument)
{
    if (argument.empty())
    {
        TransformArgument(kind, argument).Fail("the name of a file without commas");
    }
    const std::string text = kind.name + "=" + argument;
    return {text,
            [=](Workload& workload) { Merge(workload, ReadTrace(argument), text); },
            argument};
}

const TransformEntry g_merge({"merge",
                              "FILE",
                              "adds the coflows of another trace, with their arrivals and hosts; a "
                              "file in the Facebook format is read with 1 MB = 1000000 bytes; "
                              "their ids continue from the highest one, in order of arrival",
                              ParseMerge});

} // namespace

} // namespace coflow
