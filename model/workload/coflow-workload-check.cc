/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-workload-check.h"

#include "ns3/coflow-error.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace coflow
{

namespace
{

/// Coflow ids with their positions, sorted by id.
using IdIndex = std::vector<std::pair<CoflowId, std::size_t>>;

std::string UpTo(std::int64_t least, std::int64_t most, const char* unit)
{
    return std::to_string(least) + " to " + std::to_string(most) + unit;
}

/// Position of a coflow, or the number of coflows where there is none.
std::size_t PositionOf(const IdIndex& index, CoflowId id)
{
    const auto found = std::lower_bound(index.begin(), index.end(), std::pair(id, std::size_t{0}));
    return found != index.end() && found->first == id ? found->second : index.size();
}

std::optional<WorkloadProblem> FindFlowProblem(const Workload& workload,
                                               std::size_t position,
                                               Bytes& total)
{
    const auto& flows = workload.coflows[position].flows;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const Flow& flow = flows[i];
        if (flow.id != i)
        {
            return WorkloadProblem{position,
                                   "flow id",
                                   std::to_string(flow.id),
                                   "its position among the flows, " + std::to_string(i)};
        }
        for (const auto& [name, host] : {std::pair("src", flow.src), std::pair("dst", flow.dst)})
        {
            if (host >= workload.hosts)
            {
                return WorkloadProblem{position,
                                       name,
                                       std::to_string(host),
                                       "a host from 0 to " +
                                           std::to_string(std::int64_t{workload.hosts} - 1)};
            }
        }
        if (flow.bytes < 0 || flow.bytes > MAX_BYTES - total)
        {
            return WorkloadProblem{position,
                                   "bytes",
                                   std::to_string(flow.bytes),
                                   UpTo(0, MAX_BYTES, ", in all flows together")};
        }
        total += flow.bytes;
    }
    return std::nullopt;
}

std::optional<WorkloadProblem> FindParentProblem(const Workload& workload, const IdIndex& index)
{
    const auto& coflows = workload.coflows;
    // Kahn's algorithm: take away, again and again, coflows whose parents are all taken away.
    std::vector<std::vector<std::size_t>> children(coflows.size());
    std::vector<std::size_t> waitingFor(coflows.size());
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < coflows.size(); ++i)
    {
        const auto& parents = coflows[i].parents;
        auto sorted = parents;
        std::sort(sorted.begin(), sorted.end());
        const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
        if (twice != sorted.end())
        {
            return WorkloadProblem{i, "parents", std::to_string(*twice), "every parent once"};
        }
        for (const CoflowId parent : parents)
        {
            const std::size_t position = PositionOf(index, parent);
            if (position == coflows.size())
            {
                return WorkloadProblem{i,
                                       "parents",
                                       std::to_string(parent),
                                       "ids of coflows of this workload"};
            }
            children[position].push_back(i);
        }
        waitingFor[i] = parents.size();
        if (parents.empty())
        {
            ready.push_back(i);
        }
    }
    while (!ready.empty())
    {
        const std::size_t taken = ready.back();
        ready.pop_back();
        for (const std::size_t child : children[taken])
        {
            if (--waitingFor[child] == 0)
            {
                ready.push_back(child);
            }
        }
    }
    for (std::size_t i = 0; i < coflows.size(); ++i)
    {
        if (waitingFor[i] > 0)
        {
            std::string names;
            for (const CoflowId parent : coflows[i].parents)
            {
                names += names.empty() ? "" : " ";
                names += std::to_string(parent);
            }
            return WorkloadProblem{i,
                                   "parents",
                                   names,
                                   "coflows that do not, over others, wait for this one (a cycle)"};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<WorkloadProblem> FindWorkloadProblem(const Workload& workload)
{
    if (workload.hosts > MAX_HOSTS)
    {
        return WorkloadProblem{std::nullopt,
                               "hosts",
                               std::to_string(workload.hosts),
                               UpTo(0, MAX_HOSTS, "")};
    }
    const auto& coflows = workload.coflows;
    IdIndex index;
    index.reserve(coflows.size());
    for (std::size_t i = 0; i < coflows.size(); ++i)
    {
        index.emplace_back(coflows[i].id, i);
    }
    std::sort(index.begin(), index.end());
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    const auto twice = std::adjacent_find(index.begin(), index.end(), same);
    if (twice != index.end())
    {
        return WorkloadProblem{std::next(twice)->second,
                               "coflow id",
                               std::to_string(twice->first),
                               "an id that no other coflow has"};
    }

    Bytes total = 0;
    for (std::size_t i = 0; i < coflows.size(); ++i)
    {
        const Coflow& coflow = coflows[i];
        if (coflow.arrival < 0 || coflow.arrival > MAX_TIME)
        {
            return WorkloadProblem{i,
                                   "arrival",
                                   std::to_string(coflow.arrival),
                                   UpTo(0, MAX_TIME, " ns")};
        }
        if (i > 0 && std::tie(coflow.arrival, coflow.id) <
                         std::tie(coflows[i - 1].arrival, coflows[i - 1].id))
        {
            return WorkloadProblem{i,
                                   "arrival",
                                   std::to_string(coflow.arrival),
                                   "coflows sorted by arrival, ties by id; the one before arrives "
                                   "at " +
                                       std::to_string(coflows[i - 1].arrival) + " ns"};
        }
        if (coflow.deadline && (*coflow.deadline <= 0 || *coflow.deadline > MAX_TIME))
        {
            return WorkloadProblem{i,
                                   "deadline",
                                   std::to_string(*coflow.deadline),
                                   UpTo(1, MAX_TIME, " ns")};
        }
        if (auto problem = FindFlowProblem(workload, i, total))
        {
            return problem;
        }
    }
    return FindParentProblem(workload, index);
}

void CheckWorkload(const Workload& workload, const std::string& what)
{
    if (const auto problem = FindWorkloadProblem(workload))
    {
        const std::string where =
            problem->coflow
                ? "coflow " + std::to_string(workload.coflows[*problem->coflow].id) + ": "
                : "";
        throw InputError(what + ": " + where + problem->field + " is '" + problem->value +
                         "'; allowed: " + problem->allowed);
    }
}

void SortCoflows(Workload& workload)
{
    const auto earlier = [](const Coflow& a, const Coflow& b) {
        return std::tie(a.arrival, a.id) < std::tie(b.arrival, b.id);
    };
    std::stable_sort(workload.coflows.begin(), workload.coflows.end(), earlier);
}

} // namespace coflow
