/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How a CentralCoordinator decides, and tells hosts what it has decided.

#include "ns3/coflow-central-coordinator.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowCentralCoordinatorRuns");

void
CentralCoordinator::RequestRun(Time event, Time delay)
{
    m_event = Min(m_event, event);
    m_runs.RequestWithin(delay);
}

void
CentralCoordinator::BeginRun()
{
    CountRun();
    m_decided = Simulator::Now();
    m_computedEvent = std::exchange(m_event, Time::Max());
    auto& memory = *m_memory;
    memory.usedRem = memory.residual.Get();
    AdmitCandidates();
    const auto askAgain = memory.ledger.Schedule(*memory.policy,
                                                 Simulator::Now().GetNanoSeconds(),
                                                 memory.residual.Get());
    const auto& table = memory.ledger.Table();
    if (m_classes > 0)
    {
        m_computedPlaces = MakePlaceMaps(table, memory.ledger.Order(), m_classes);
    }
    else
    {
        if (memory.chooser)
        {
            memory.ledger.ChoosePaths(*memory.chooser);
        }
        m_computed = MakeRateMaps(table, m_paths.get());
    }
    NS_LOG_LOGIC("run " << GetRuns() << ": " << table.Rows().size() << " coflows, "
                        << m_computed.size() << " hosts");
    for (const auto& row : table.Rows())
    {
        Notify(row.id);
    }
    // The next decision waits until this one has left. Otherwise decisions would queue up.
    const Time leaves = Simulator::Now() + m_computeDelay + m_dispatchDelay;
    m_runs.SetTimer(askAgain == ::coflow::NEVER ? Time::Max() : Max(NanoSeconds(askAgain), leaves));
}

void
CentralCoordinator::EndRun()
{
    std::erase_if(m_dispatches, [](const EventId& event) { return event.IsExpired(); });
    auto dispatch = [this,
                     maps = std::exchange(m_computed, {}),
                     places = std::exchange(m_computedPlaces, {}),
                     event = m_computedEvent,
                     decided = m_decided]() mutable {
        m_scheduleTrace(GetLastSchedule(), event, decided);
        m_classes > 0 ? m_memory->orders.Dispatch(std::move(places))
                      : m_memory->dispatcher.Dispatch(std::move(maps));
        // The next decision waits until this one has been sent. If it did not, and the policy had a
        // clock that is faster than that, maps would pile up, each older when it is sent than the
        // one before.
        m_runs.Hold();
        WhenTold([this] { m_runs.Resume(); });
    };
    if (m_dispatchDelay.IsZero())
    {
        dispatch();
    }
    else
    {
        m_dispatches.push_back(Simulator::Schedule(m_dispatchDelay, std::move(dispatch)));
    }
}

} // namespace ns3::coflow
