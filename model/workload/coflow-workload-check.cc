/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-workload-check.h"

#include "ns3/coflow-error.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace coflow
{

namespace
{

/// Coflow ids with their positions, sorted by id.
using IdIndex = std::vector<std::pair<CoflowId, std::size_t>>;

std::string
UpTo(std::int64_t least, std::int64_t most, const char* unit)
{
    return std::to_string(least) + " to " + std::to_string(most) + unit;
}

/// @return the position of a coflow; the number of coflows where no coflow has the id
std::size_t
PositionOf(const IdIndex& index, CoflowId id)
{
    const auto found = std::ranges::lower_bound(index, std::pair(id, std::size_t{0}));
    return found != index.end() && found->first == id ? found->second : index.size();
}

std::optional<WorkloadProblem>
FindFlowProblem(const Workload& workload, std::size_t position, Bytes& total)
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

IdIndex
IndexById(const std::vector<Coflow>& coflows)
{
    IdIndex index;
    index.reserve(coflows.size());
    for (std::size_t i = 0; i < coflows.size(); ++i)
    {
        index.emplace_back(coflows[i].id, i);
    }
    std::ranges::sort(index);
    return index;
}

/// Describes a cycle of parents.
/// @param order result of ParentsFirst(), which leaves out the coflows of a cycle
WorkloadProblem
DescribeCycle(const Workload& workload, const IdIndex& index, const std::vector<std::size_t>& order)
{
    const auto& coflows = workload.coflows;
    std::vector<bool> isStuck(coflows.size(), true);
    for (const std::size_t position : order)
    {
        isStuck[position] = false;
    }
    const auto stuckParent = [&](std::size_t position) {
        const auto& parents = coflows[position].parents;
        return *std::ranges::find_if(parents,
                                     [&](CoflowId id) { return isStuck[PositionOf(index, id)]; });
    };
    // Every stuck coflow has a stuck parent. After as many steps to a stuck parent as there are
    // coflows, `at` is in the cycle.
    auto at = static_cast<std::size_t>(std::ranges::find(isStuck, true) - isStuck.begin());
    for (std::size_t i = 0; i < coflows.size(); ++i)
    {
        at = PositionOf(index, stuckParent(at));
    }
    // One turn around the cycle finds its earliest coflow.
    std::size_t earliest = at;
    for (std::size_t i = PositionOf(index, stuckParent(at)); i != at;
         i = PositionOf(index, stuckParent(i)))
    {
        earliest = std::min(earliest, i);
    }
    return {earliest,
            "parents",
            std::to_string(stuckParent(earliest)),
            "coflows that do not wait for this one (a cycle)"};
}

std::optional<WorkloadProblem>
FindParentProblem(const Workload& workload, const IdIndex& index)
{
    const auto& coflows = workload.coflows;
    for (std::size_t i = 0; i < coflows.size(); ++i)
    {
        auto parents = coflows[i].parents;
        std::ranges::sort(parents);
        const auto twice = std::ranges::adjacent_find(parents);
        if (twice != parents.end())
        {
            return WorkloadProblem{i, "parents", std::to_string(*twice), "every parent once"};
        }
        for (const CoflowId parent : parents)
        {
            if (PositionOf(index, parent) == coflows.size())
            {
                return WorkloadProblem{i,
                                       "parents",
                                       std::to_string(parent),
                                       "ids of coflows of this workload"};
            }
        }
    }
    const auto order = ParentsFirst(workload);
    if (order.size() < coflows.size())
    {
        return DescribeCycle(workload, index, order);
    }
    return std::nullopt;
}

} // namespace

std::optional<WorkloadProblem>
FindWorkloadProblem(const Workload& workload)
{
    if (workload.hosts > MAX_HOSTS)
    {
        return WorkloadProblem{std::nullopt,
                               "hosts",
                               std::to_string(workload.hosts),
                               UpTo(0, MAX_HOSTS, "")};
    }
    const auto& coflows = workload.coflows;
    const IdIndex index = IndexById(coflows);
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    const auto twice = std::ranges::adjacent_find(index, same);
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
        for (const CoflowAttribute& attribute : COFLOW_ATTRIBUTES)
        {
            if (!attribute.IsAllowed(coflow.attributes))
            {
                return WorkloadProblem{i,
                                       attribute.name,
                                       std::to_string(coflow.attributes.*attribute.value),
                                       UpTo(attribute.least, attribute.most, "")};
            }
        }
        if (auto problem = FindFlowProblem(workload, i, total))
        {
            return problem;
        }
    }
    return FindParentProblem(workload, index);
}

void
CheckWorkload(const Workload& workload, const std::string& what)
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

std::vector<std::size_t>
ParentsFirst(const Workload& workload)
{
    // Kahn's algorithm: repeatedly takes the first coflow without untaken parents.
    const auto& coflows = workload.coflows;
    const IdIndex index = IndexById(coflows);
    std::vector<std::vector<std::size_t>> children(coflows.size());
    std::vector<std::size_t> waitingFor(coflows.size());
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < coflows.size(); ++i)
    {
        for (const CoflowId parent : coflows[i].parents)
        {
            children[PositionOf(index, parent)].push_back(i);
        }
        waitingFor[i] = coflows[i].parents.size();
        if (waitingFor[i] == 0)
        {
            ready.push(i);
        }
    }
    std::vector<std::size_t> order;
    order.reserve(coflows.size());
    while (!ready.empty())
    {
        const std::size_t taken = ready.top();
        ready.pop();
        order.push_back(taken);
        for (const std::size_t child : children[taken])
        {
            if (--waitingFor[child] == 0)
            {
                ready.push(child);
            }
        }
    }
    return order;
}

void
SortCoflows(Workload& workload)
{
    const auto earlier = [](const Coflow& a, const Coflow& b) {
        return std::tie(a.arrival, a.id) < std::tie(b.arrival, b.id);
    };
    std::ranges::stable_sort(workload.coflows, earlier);
}

} // namespace coflow
