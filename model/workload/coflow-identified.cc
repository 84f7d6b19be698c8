/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-identified.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace coflow
{

bool
IdentifiedCoflows::Exist(const Workload& workload)
{
    return std::any_of(workload.coflows.begin(), workload.coflows.end(), [](const Coflow& coflow) {
        return !coflow.identified.empty();
    });
}

IdentifiedCoflows::IdentifiedCoflows(const Workload& workload)
    : m_batches(workload.coflows.size())
{
    std::unordered_map<CoflowId, std::uint32_t> weights;
    for (const Coflow& coflow : workload.coflows)
    {
        weights.emplace(coflow.id, coflow.weight);
    }
    std::vector<Coflow> found;
    std::vector<std::vector<FlowPlace>> origins;
    std::unordered_map<CoflowId, std::uint32_t> places; // by id: in `found`
    const auto placeOf = [&](CoflowId id, Nanoseconds arrival) {
        const auto [place, isNew] = places.emplace(id, static_cast<std::uint32_t>(found.size()));
        if (isNew)
        {
            const auto weight = weights.find(id);
            Coflow& coflow = found.emplace_back();
            coflow.id = id;
            coflow.arrival = arrival;
            coflow.weight = weight == weights.end() ? 1 : weight->second;
            origins.emplace_back();
        }
        return place->second;
    };
    for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
    {
        const Coflow& coflow = workload.coflows[c];
        if (coflow.flows.empty())
        {
            m_batches[c].push_back({placeOf(coflow.id, coflow.arrival), 0, 0});
        }
        for (const Flow& flow : coflow.flows)
        {
            const Identification identified = coflow.identified.empty()
                                                  ? Identification{.coflow = coflow.id}
                                                  : coflow.identified[flow.id];
            const std::uint32_t place = placeOf(identified.coflow, coflow.arrival);
            Coflow& to = found[place];
            const auto id = static_cast<FlowId>(to.flows.size());
            to.flows.push_back({id, flow.src, flow.dst, flow.bytes});
            to.identified.push_back(identified);
            origins[place].push_back({c, flow.id});
            auto& batches = m_batches[c];
            const auto batch =
                std::find_if(batches.begin(), batches.end(), [place](const FlowBatch& known) {
                    return known.coflow == place;
                });
            if (batch == batches.end())
            {
                batches.push_back({place, id, id + 1});
            }
            else
            {
                batch->end = id + 1; // no flow of another coflow came in between
            }
        }
    }
    // By (arrival, id), as the coflows of a workload.
    std::vector<std::uint32_t> order(found.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&found](std::uint32_t a, std::uint32_t b) {
        return std::tie(found[a].arrival, found[a].id) < std::tie(found[b].arrival, found[b].id);
    });
    std::vector<std::uint32_t> position(found.size());
    for (std::uint32_t p = 0; p < order.size(); ++p)
    {
        position[order[p]] = p;
        m_first.push_back(m_origins.size());
        m_origins.insert(m_origins.end(), origins[order[p]].begin(), origins[order[p]].end());
        m_coflows.push_back(std::move(found[order[p]]));
    }
    for (auto& batches : m_batches)
    {
        for (FlowBatch& batch : batches)
        {
            batch.coflow = position[batch.coflow];
        }
        std::sort(batches.begin(), batches.end(), [](const FlowBatch& a, const FlowBatch& b) {
            return a.coflow < b.coflow;
        });
    }
}

} // namespace coflow
