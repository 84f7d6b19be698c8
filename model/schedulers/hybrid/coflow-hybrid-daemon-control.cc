/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The half of HybridDaemon that talks to the coordinator, or goes on without it.

#include "ns3/coflow-host-phase.h"
#include "ns3/coflow-hybrid-daemon.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace ns3::coflow
{

using ::coflow::CoflowId;
using ::coflow::CoflowOrder;

void
HybridDaemon::AskForPlace(CoflowId id, const Driven& driven)
{
    PlaceCoflowMessage message;
    message.id = id;
    message.known = driven.order;
    message.parents = driven.parents;
    Send(message);
}

void
HybridDaemon::Hand(CoflowId id)
{
    const auto driven = m_driven.find(id);
    if (driven == m_driven.end())
    {
        return;
    }
    auto& order = driven->second.order;
    if (order == CoflowOrder())
    {
        order = CoflowOrder::Provisional(Simulator::Now().GetNanoSeconds());
    }
    CoflowHandle handle;
    handle.id = id;
    handle.order = order.Value();
    GetPending().Answer(handle);
}

void
HybridDaemon::OnPlace(const CoflowPlaceMessage& message)
{
    const auto driven = m_driven.find(message.id);
    if (driven != m_driven.end())
    {
        driven->second.order = message.order;
        Hand(message.id);
    }
    const auto local = m_coflows.find(message.id);
    if (local != m_coflows.end())
    {
        local->second.order = message.order;
        Place(message.id, local->second);
    }
}

void
HybridDaemon::TellAll()
{
    for (const auto& [id, driven] : m_driven)
    {
        AskForPlace(id, driven);
    }
    for (auto& [id, local] : m_coflows)
    {
        local.told.reset();
        local.changed = true;
    }
    Report();
}

void
HybridDaemon::OnGlobal(const GlobalCoflowsMessage& message)
{
    if (message.schedule < m_schedule)
    {
        return;
    }
    m_schedule = message.schedule;
    std::set<CoflowId> named;
    for (const auto& coflow : message.coflows)
    {
        const auto found = m_coflows.find(coflow.id);
        if (found == m_coflows.end())
        {
            continue;
        }
        named.insert(coflow.id);
        auto& local = found->second;
        local.promoted = coflow.queue == GlobalCoflow::PROMOTED;
        const int queue = local.promoted ? 0 : std::min<int>(coflow.queue, m_policy->Queues() - 1);
        if (queue > local.queue)
        {
            local.queue = queue;
            m_demotedTrace(coflow.id, queue);
        }
        Place(coflow.id, local);
        if (coflow.mode == GlobalCoflow::Receivers::ALL)
        {
            OpenAll(coflow.id, local);
            continue;
        }
        // A decision changes few coflows, and names them all.
        if (local.applied && local.applied->mode == coflow.mode &&
            local.applied->receivers == coflow.receivers)
        {
            continue;
        }
        for (auto& [to, receiver] : local.receivers)
        {
            const bool open =
                coflow.mode == GlobalCoflow::Receivers::NAMED &&
                (!receiver.told ||
                 std::binary_search(coflow.receivers.begin(), coflow.receivers.end(), to));
            SetOpen(coflow.id, local, receiver, open);
        }
        local.applied = coflow;
    }
    // Of others the coordinator has not heard.
    for (const auto id : m_active)
    {
        if (named.count(id) == 0)
        {
            OpenAll(id, m_coflows.at(id));
        }
    }
    UpdateGates();
}

void
HybridDaemon::OnTotals(const CoflowTotalsMessage& message)
{
    for (const auto& total : message.records)
    {
        const auto found = m_coflows.find(total.id);
        if (found != m_coflows.end())
        {
            auto& local = found->second;
            local.order = total.order;
            local.elsewhere = std::max(local.elsewhere, total.elsewhere);
            local.width = total.width;
            Place(total.id, local);
        }
    }
}

void
HybridDaemon::OnThresholds(const QueueThresholdsMessage& message)
{
    if (message.schedule < m_moved ||
        message.thresholds.size() + 1 != static_cast<std::size_t>(m_policy->Queues()))
    {
        return;
    }
    m_moved = message.schedule;
    m_policy->SetThresholds(message.thresholds);
    for (const auto id : m_active)
    {
        Place(id, m_coflows.at(id));
    }
    UpdateGates();
}

void
HybridDaemon::GoOnAlone()
{
    for (const auto id : GetPending().GetAll())
    {
        Hand(id);
    }
    for (const auto id : m_active)
    {
        auto& local = m_coflows.at(id);
        local.promoted = false;
        OpenAll(id, local);
        Place(id, local);
    }
    UpdateGates();
}

bool
HybridDaemon::IsExpecting() const
{
    return !GetPending().IsEmpty() ||
           std::any_of(m_active.begin(), m_active.end(), [this](const auto id) {
               return m_coflows.at(id).told || !IsConnected();
           });
}

void
HybridDaemon::ScheduleTick()
{
    if (!IsAlive() || m_tick.IsPending() || (m_active.empty() && !IsExpecting()))
    {
        return;
    }
    // Reports of different hosts come at different times, in the second half of a period, so that
    // the coordinator, which decides at its end, adds up what is no older than half of one.
    const double phase = GetHostPhase(GetHost());
    const auto delta = m_settings->delta.GetTimeStep();
    const auto now = Simulator::Now().GetTimeStep();
    const auto at = now / delta * delta + static_cast<int64_t>(phase * static_cast<double>(delta));
    m_tick = Simulator::Schedule(TimeStep((at > now ? at : at + delta) - now),
                                 &HybridDaemon::Tick,
                                 this);
}

void
HybridDaemon::Tick()
{
    if (!IsExpecting())
    {
        ExpectCoordinator();
    }
    const auto patience = m_settings->delta * m_settings->silentPeriods;
    if (!IsAlone() && Simulator::Now() - GetLastHeard() >= patience)
    {
        BeginAlone();
    }
    if (!m_nic)
    {
        for (const auto id : m_active)
        {
            Place(id, m_coflows.at(id));
        }
        UpdateGates();
    }
    Report();
    ScheduleTick();
}

void
HybridDaemon::ReportSoon()
{
    if (IsAlive() && m_settings->matchGap < m_settings->delta && !m_soon.IsPending())
    {
        const Time at = std::max(m_reported + m_settings->matchGap, Simulator::Now());
        m_soon = Simulator::Schedule(at - Simulator::Now(), &HybridDaemon::Report, this);
    }
}

bool
HybridDaemon::IsNews(const Local& local, uint64_t sent) const
{
    if (!local.told)
    {
        return sent >= m_settings->minNotify && !local.receivers.empty();
    }
    return sent - local.told->sent >= std::max<uint64_t>(m_settings->minNotify, 1) ||
           (local.changed &&
            !std::ranges::equal(std::views::keys(local.receivers), local.told->receivers));
}

void
HybridDaemon::Report()
{
    LocalCoflowsMessage message;
    const bool up = IsConnected();
    for (auto i = m_active.begin(); i != m_active.end();)
    {
        const auto id = *i;
        auto& local = m_coflows.at(id);
        const uint64_t sent = std::min(GetSent(id, local), LocalCoflow::MOST_SENT);
        if (up && IsNews(local, sent))
        {
            // There is a report every few milliseconds, and receivers change seldom.
            if (std::exchange(local.changed, false))
            {
                local.told.emplace().id = id;
                local.applied.reset(); // the coordinator has not heard of some until now
                for (auto& [to, receiver] : local.receivers)
                {
                    receiver.told = true;
                    local.told->receivers.push_back(to);
                }
            }
            local.told->sent = sent;
            message.coflows.push_back(*local.told);
        }
        if (!local.receivers.empty())
        {
            ++i;
            continue;
        }
        if (m_nic)
        {
            local.before += m_nic->GetSent(id);
            m_nic->Forget(id);
        }
        i = m_active.erase(i);
    }
    if (!message.coflows.empty())
    {
        Send(message);
        m_reported = Simulator::Now();
    }
}

} // namespace ns3::coflow
