/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pending-registrations.h"

#include <utility>

namespace ns3::coflow
{

using ::coflow::CoflowId;

void
PendingRegistrations::Add(CoflowId coflow, HostAgent::RegisteredCallback registered)
{
    m_waiting[coflow] = std::move(registered);
}

void
PendingRegistrations::Answer(const CoflowHandle& coflow)
{
    // The driver is removed first: its callback may register another coflow.
    const auto waiting = m_waiting.extract(coflow.id);
    if (!waiting.empty())
    {
        waiting.mapped()(coflow);
    }
}

void
PendingRegistrations::Remove(CoflowId coflow)
{
    m_waiting.erase(coflow);
}

void
PendingRegistrations::Clear()
{
    m_waiting.clear();
}

std::vector<CoflowId>
PendingRegistrations::GetAll() const
{
    std::vector<CoflowId> coflows;
    for (const auto& [coflow, registered] : m_waiting)
    {
        coflows.push_back(coflow);
    }
    return coflows;
}

bool
PendingRegistrations::IsEmpty() const
{
    return m_waiting.empty();
}

} // namespace ns3::coflow
