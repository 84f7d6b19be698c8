/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-fluid-run.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace coflow
{

FluidRun::FluidRun(const Workload& workload, const PortRates& capacity, const FluidOptions& options)
    : m_workload(workload),
      m_capacity(capacity),
      m_options(options),
      m_sampler(options.sampleInterval, capacity),
      m_left(workload.coflows.size())
{
    CheckWorkload(workload, "workload");
    if (std::min(capacity.ingress.size(), capacity.egress.size()) < workload.hosts)
    {
        throw InputError("the fabric has fewer ports than the workload has hosts; allowed: at "
                         "least " +
                         std::to_string(workload.hosts) + " hosts");
    }
    m_releases = ReleaseOrder(workload);
    std::size_t flows = 0;
    for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
    {
        const Coflow& coflow = workload.coflows[c];
        CoflowOutcome outcome;
        outcome.id = coflow.id;
        outcome.arrival = options.quantum > 0 ? coflow.arrival / options.quantum * options.quantum
                                              : coflow.arrival;
        outcome.firstFlow = flows;
        m_result.coflows.push_back(outcome);
        m_left[c] = coflow.flows.size();
        flows += coflow.flows.size();
        for (const Flow& flow : coflow.flows)
        {
            m_toMove += UsesFabric(flow) ? static_cast<double>(flow.bytes) : 0;
        }
    }
    m_result.flowFinish.assign(flows, NEVER);
    for (std::uint32_t c = 0; c < workload.coflows.size(); ++c)
    {
        const Coflow& coflow = workload.coflows[c];
        if (coflow.parents.empty())
        {
            m_ready.push({m_result.coflows[c].arrival, c});
        }
    }
}

void
FluidRun::Release(std::uint32_t index, Nanoseconds time)
{
    for (std::uint32_t child : m_releases.Finish(index))
    {
        m_ready.push({std::max(time, m_result.coflows[child].arrival), child});
    }
}

std::pair<std::uint32_t, bool>
FluidRun::TakeReady()
{
    const auto [time, index] = m_ready.top();
    m_ready.pop();
    m_result.coflows[index].start = time;
    if (m_options.listener.started)
    {
        m_options.listener.started(time);
    }
    if (At(index).flows.empty())
    {
        Finish(index, time);
        return {index, false};
    }
    bool left = true;
    for (const Flow& flow : At(index).flows)
    {
        if (!UsesFabric(flow))
        {
            left = !FinishFlow(index, flow.id, time);
        }
    }
    return {index, left};
}

void
FluidRun::AppendFlows(std::uint32_t index, std::vector<FlowState>& flows) const
{
    for (const Flow& flow : At(index).flows)
    {
        if (UsesFabric(flow))
        {
            flows.push_back(
                {index, flow.id, flow.src, flow.dst, static_cast<double>(flow.bytes), 0.0});
        }
    }
}

void
FluidRun::Reject(std::uint32_t index, bool served)
{
    m_result.coflows[index].admitted = false;
    if (!served)
    {
        LeaveOut(index);
        for (std::uint32_t descendant : m_releases.Reject(index))
        {
            m_result.coflows[descendant].admitted = false;
            LeaveOut(descendant);
        }
    }
}

void
FluidRun::LeaveOut(std::uint32_t index)
{
    for (const Flow& flow : At(index).flows)
    {
        if (UsesFabric(flow) && m_result.flowFinish[FirstFlow(index) + flow.id] == NEVER)
        {
            m_toMove -= static_cast<double>(flow.bytes);
        }
    }
}

void
FluidRun::Bypass(std::uint32_t index)
{
    m_result.coflows[index].bypassed = true;
}

bool
FluidRun::FinishFlow(std::uint32_t index, FlowId flow, Nanoseconds time)
{
    CoflowOutcome& outcome = m_result.coflows[index];
    m_result.flowFinish[outcome.firstFlow + flow] = StepAfter(time);
    ++m_result.counters.flowsDone;
    if (UsesFabric(At(index).flows[flow]))
    {
        m_moved += static_cast<double>(At(index).flows[flow].bytes);
    }
    if (--m_left[index] > 0)
    {
        return false;
    }
    const auto finishes =
        m_result.flowFinish.begin() + static_cast<std::ptrdiff_t>(outcome.firstFlow);
    Finish(index,
           *std::max_element(finishes,
                             finishes + static_cast<std::ptrdiff_t>(At(index).flows.size())));
    return true;
}

void
FluidRun::Finish(std::uint32_t index, Nanoseconds time)
{
    m_result.coflows[index].finish = time;
    ++m_finishedCoflows;
    if (m_options.listener.finished)
    {
        m_options.listener.finished(time);
    }
    Release(index, time);
}

FluidResult
FluidRun::TakeResult()
{
    std::erase_if(m_result.stuck, [this](const FlowState& flow) {
        return m_result.FlowFinish(flow.coflow, flow.flow) != NEVER;
    });
    if (m_result.stuck.empty())
    {
        m_result.stuckAt = NEVER;
    }
    Nanoseconds first = NEVER;
    Nanoseconds last = 0;
    for (const CoflowOutcome& outcome : m_result.coflows)
    {
        first = std::min(first, outcome.arrival);
        last = outcome.finish == NEVER ? last : std::max(last, outcome.finish);
    }
    m_result.makespan = std::max<Nanoseconds>(0, last - first);
    const double rate = std::accumulate(m_capacity.ingress.begin(), m_capacity.ingress.end(), 0.0);
    if (m_result.makespan > 0 && rate > 0)
    {
        m_result.idleShare = m_moved > 0 ? m_idle / m_moved : 0;
        m_result.utilisation = m_moved / (rate * static_cast<double>(m_result.makespan) * 1e-9);
    }
    m_result.samples = m_sampler.Release();
    return std::move(m_result);
}

} // namespace coflow
