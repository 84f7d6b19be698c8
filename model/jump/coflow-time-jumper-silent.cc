/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flows that wait until TCP sends their first packet again: by world time, whereas TCP's timer is
// of network time.

#include "ns3/coflow-source-connection.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-wheel-simulator.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ns3::coflow
{

bool
TimeJumper::MayBeSilent(const EvenFlow& flow) const
{
    // Flows that are measured fill ports, and a flow with a rate loses its SYN there as others do.
    // Nothing of it has come yet, so that jumps owe it nothing. Where nothing is measured, ports
    // carry what they are given, and such a loss is rare.
    return flow.shares || (m_nShared > 0 && !flow.sink);
}

bool
TimeJumper::IsSilent(EvenFlow& flow, int64_t& steps)
{
    const auto retry =
        flow.source->connection ? flow.source->connection->GetTimeToRetry() : std::optional<Time>();
    if (!retry)
    {
        return false;
    }
    if (*retry == Time::Max())
    {
        flow.retryAt = -1;
        return true; // an event of the world opens it again
    }
    const int64_t now = GetNetworkTimeStep();
    const int64_t skipped = WheelSimulatorImpl::Get()->GetSkipped();
    const int64_t at = now + retry->GetTimeStep();
    if (std::exchange(flow.retryAt, at) != at)
    {
        flow.retrySeenAt = now;
        flow.hastenedTo = skipped; // TCP has set its timer since the last jump
    }
    // What was sent may be in a queue, or its answer.
    const int64_t waited = now - flow.retrySeenAt;
    if (waited < m_steadyTime.GetTimeStep() && waited < GetTimeToAnswer(flow).GetTimeStep())
    {
        return false;
    }
    const int64_t told = flow.isSilent ? flow.hastenedTo : skipped;
    steps = std::min(steps, std::max<int64_t>(1, at + told - skipped - now));
    return true;
}

Time
TimeJumper::GetTimeToAnswer(EvenFlow& flow)
{
    FindPaths(flow);
    if (flow.data.n == 0 || flow.answers.n == 0)
    {
        return Time::Max();
    }
    // Queues that are longer than now may have been in its way.
    const uint32_t packet = m_segment + TransportProfile::HEADER_BYTES;
    return 2 * (GetDelay(flow.data, packet) + GetDelay(flow.answers, packet)) + m_interval;
}

void
TimeJumper::SetSilent(EvenFlow& flow, bool isSilent)
{
    if (isSilent && !flow.isSilent)
    {
        m_silent.push_back(&flow);
        flow.hastenedTo = WheelSimulatorImpl::Get()->GetSkipped();
    }
    else if (!isSilent && flow.isSilent)
    {
        Hasten(flow);
        std::erase(m_silent, &flow);
    }
    flow.isSilent = isSilent;
    if (isSilent && flow.retryAt >= 0)
    {
        m_firstRetry = std::min(m_firstRetry, flow.retryAt + flow.hastenedTo);
    }
}

void
TimeJumper::Hasten(EvenFlow& flow)
{
    const int64_t skipped = WheelSimulatorImpl::Get()->GetSkipped();
    const int64_t steps = skipped - std::exchange(flow.hastenedTo, skipped);
    if (steps > 0 && flow.retryAt >= 0 && flow.source->connection)
    {
        flow.source->connection->HastenRetry(TimeStep(static_cast<uint64_t>(steps)));
        flow.retryAt -= steps;
    }
}

void
TimeJumper::HastenSoon()
{
    // Network time and what was skipped grow together as world time does. So `retryAt` and
    // `hastenedTo` together are a time that jumps do not change.
    const int64_t now = GetNetworkTimeStep() + WheelSimulatorImpl::Get()->GetSkipped();
    const int64_t soon = now + 2 * m_interval.GetTimeStep();
    if (m_firstRetry > soon)
    {
        return;
    }
    m_firstRetry = INT64_MAX;
    for (EvenFlow* flow : m_silent)
    {
        const int64_t due = flow->retryAt + flow->hastenedTo;
        if (flow->retryAt >= 0 && due <= soon)
        {
            Hasten(*flow);
        }
        if (flow->retryAt >= 0 && due >= now)
        {
            m_firstRetry = std::min(m_firstRetry, due);
        }
    }
}

} // namespace ns3::coflow
