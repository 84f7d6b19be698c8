/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How a WorkloadDriver registers identified coflows in place of those of the workload.

#include "ns3/coflow-workload-driver.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowWorkloadDriverIdentified");

void
WorkloadDriver::PrepareClusters()
{
    if (!::coflow::IdentifiedCoflows::Exist(*m_workload))
    {
        return;
    }
    m_identified.emplace(*m_workload);
    m_clusters.resize(m_identified->Coflows().size());
    for (uint32_t i = 0; i < m_workload->coflows.size(); ++i)
    {
        for (const auto& batch : m_identified->BatchesOf(i))
        {
            ++m_clusters[batch.coflow].contributors;
        }
    }
}

void
WorkloadDriver::RejectIdentified(::coflow::CoflowId id, bool served)
{
    const auto& all = m_identified->Coflows();
    const auto found =
        std::find_if(all.begin(), all.end(), [id](const auto& coflow) { return coflow.id == id; });
    const auto place = static_cast<uint32_t>(found - all.begin());
    m_clusters[place].rejected |= !served;
    // Whoever has flows in it is refused with it.
    std::set<uint32_t> contributors;
    for (const auto& flow : found->flows)
    {
        contributors.insert(m_identified->OriginOf(place, flow.id).coflow);
    }
    for (const auto index : contributors)
    {
        const auto& coflow = m_workload->coflows[index];
        m_coflowRejectedTrace(coflow.id, served);
        if (served)
        {
            continue;
        }
        if (m_playing.erase(coflow.id) > 0)
        {
            LeaveBatches(index);
        }
        for (const auto descendant : m_order.Reject(index))
        {
            m_coflowRejectedTrace(m_workload->coflows[descendant].id, false);
        }
    }
}

void
WorkloadDriver::ReleaseBatch(const ::coflow::FlowBatch& batch)
{
    auto& cluster = m_clusters[batch.coflow];
    cluster.waiting.push_back(batch);
    const auto play = [self = Ptr<WorkloadDriver>(this), c = batch.coflow] {
        for (const auto& waiting : std::exchange(self->m_clusters[c].waiting, {}))
        {
            self->PlayBatch(waiting);
        }
    };
    if (cluster.handle)
    {
        play();
    }
    if (cluster.registers)
    {
        return;
    }
    cluster.registers = true;
    const auto& coflow = m_identified->Coflows()[batch.coflow];
    cluster.host = batch.begin < batch.end ? coflow.flows[batch.begin].src : GetDriverHost(coflow);
    Register(coflow,
             batch.begin,
             batch.end,
             [self = Ptr<WorkloadDriver>(this), c = batch.coflow, play](const auto& handle) {
                 self->m_clusters[c].handle = handle;
                 play();
             });
}

void
WorkloadDriver::PlayBatch(const ::coflow::FlowBatch& batch)
{
    const auto& identified = m_identified->Coflows()[batch.coflow];
    const auto& handle = *m_clusters[batch.coflow].handle;
    if (batch.begin == batch.end)
    {
        // A coflow without flows, which is therefore nobody else's: it is known by its id.
        const auto index = m_indices.at(identified.id);
        Begin(index);
        m_coflowRegisteredTrace(identified.id, handle.scheduled);
        if (m_completion == Completion::MESSAGE)
        {
            Finish(identified.id);
        }
        return;
    }
    const auto index = m_identified->OriginOf(batch.coflow, batch.begin).coflow;
    const auto& coflow = m_workload->coflows[index];
    auto& playing = Begin(index);
    playing.scheduled |= handle.scheduled;
    if (++playing.batches == m_identified->BatchesOf(index).size())
    {
        NS_LOG_INFO("all flows of coflow " << coflow.id << " begin");
        m_coflowRegisteredTrace(coflow.id, playing.scheduled);
    }
    for (auto flow = batch.begin; flow < batch.end; ++flow)
    {
        Move(identified.flows[flow], handle, coflow.id, identified.identified[flow]);
    }
}

void
WorkloadDriver::LeaveBatches(uint32_t index)
{
    if (!m_identified)
    {
        return;
    }
    for (const auto& batch : m_identified->BatchesOf(index))
    {
        auto& cluster = m_clusters[batch.coflow];
        if (--cluster.contributors == 0 && !cluster.rejected)
        {
            Simulator::ScheduleWithContext(m_nodes[cluster.host],
                                           Time(),
                                           &CoflowClient::Unregister,
                                           m_clients[cluster.host],
                                           *cluster.handle);
        }
    }
}

} // namespace ns3::coflow
