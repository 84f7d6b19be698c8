/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-hybrid-daemon.h"

#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-host-phase.h"
#include "ns3/coflow-next-in-turn.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

namespace ns3::coflow
{

using ::coflow::CoflowId;
using ::coflow::CoflowOrder;
using ::coflow::FlowId;

NS_LOG_COMPONENT_DEFINE("CoflowHybridDaemon");

NS_OBJECT_ENSURE_REGISTERED(HybridDaemon);

TypeId
HybridDaemon::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::HybridDaemon")
                            .SetParent<Daemon>()
                            .SetGroupName("Coflow")
                            .AddConstructor<HybridDaemon>()
                            .AddTraceSource("Demoted",
                                            "A coflow has moved to a lower queue on this host",
                                            MakeTraceSourceAccessor(&HybridDaemon::m_demotedTrace),
                                            "ns3::coflow::HybridDaemon::DemotedCallback");
    return tid;
}

void
HybridDaemon::SetSettings(std::shared_ptr<const HybridSettings> settings, Ptr<NicScheduler> nic)
{
    m_settings = std::move(settings);
    m_nic = nic;
    m_policy = m_settings->makePolicy();
    if (m_nic)
    {
        m_nic->SetAlarm([this](CoflowId id) { Place(id, m_coflows.at(id)); });
    }
}

void
HybridDaemon::SetHandlers()
{
    On(&HybridDaemon::OnPlace);
    On(&HybridDaemon::OnGlobal);
    On(&HybridDaemon::OnTotals);
    On(&HybridDaemon::OnThresholds);
    GetSource().TraceConnectWithoutContext("FlowSent",
                                           MakeCallback(&HybridDaemon::OnFlowSent, this));
}

void
HybridDaemon::Begin()
{
    const auto classifier = GetNode()->GetObject<PacketClassifier>();
    if (classifier && m_settings->enforcement == HybridSettings::Enforcement::DSCP)
    {
        classifier->SetAcknowledgementPriority({0, 0});
    }
    if (!m_policy->MovedThresholds().empty())
    {
        // The coordinator sends the moved thresholds again over the new connection.
        m_policy = m_settings->makePolicy();
        m_moved = 0;
    }
    ScheduleTick();
}

void
HybridDaemon::End()
{
    m_tick.Cancel();
    m_soon.Cancel();
}

void
HybridDaemon::DoDispose()
{
    Daemon::DoDispose();
    m_registered.clear();
    if (m_nic)
    {
        m_nic->Dispose();
    }
    m_nic = nullptr;
}

std::optional<int>
HybridDaemon::GetQueue(CoflowId coflow) const
{
    const auto found = m_coflows.find(coflow);
    return found == m_coflows.end() ? std::nullopt : std::optional(found->second.queue);
}

std::vector<CoflowId>
HybridDaemon::GetOrder() const
{
    std::vector<std::pair<SendPlace, CoflowId>> places;
    for (const auto id : m_active)
    {
        const auto& local = m_coflows.at(id);
        if (!local.receivers.empty())
        {
            places.emplace_back(GetPlace(local), id);
        }
    }
    std::ranges::sort(places);
    std::vector<CoflowId> order;
    for (const auto& [place, id] : places)
    {
        order.push_back(id);
    }
    return order;
}

CoflowId
HybridDaemon::Register(uint32_t, const CoflowOptions& options, RegisteredCallback registered)
{
    const auto id = ChooseId(options);
    if (!IsExpecting())
    {
        ExpectCoordinator();
    }
    NS_LOG_INFO("host " << GetHost() << ": coflow " << id << " is registered");
    GetPending().Add(id, std::move(registered));
    auto& registration = m_registered[id];
    registration = {.parents = options.parents};
    AskForPlace(id, registration);
    if (IsAlone())
    {
        Hand(id);
    }
    else
    {
        ScheduleTick();
    }
    return id;
}

void
HybridDaemon::Unregister(const CoflowHandle& coflow)
{
    GetPending().Remove(coflow.id);
    if (m_registered.erase(coflow.id) > 0)
    {
        SendUnregistration(coflow.id);
    }
}

void
HybridDaemon::Put(const CoflowHandle& coflow, CoflowSource::FlowRequest flow)
{
    if (!NotePut({flow.coflowId, flow.flowId}))
    {
        return;
    }
    flow.rateLimit = RateLimit::Unlimited();
    const auto to = m_settings->network->GetHostWithAddress(flow.dst);
    if (to == GetHost() || flow.bytes.IsZero())
    {
        GetSource().StartFlow(flow);
        return;
    }
    const auto [position, isNew] = m_coflows.try_emplace(coflow.id);
    auto& local = position->second;
    if (isNew)
    {
        local.order = CoflowOrder::FromValue(coflow.order);
    }
    if (!IsExpecting())
    {
        ExpectCoordinator();
    }
    m_active.insert(coflow.id);
    // With all-or-none, a coflow that may not send to its receivers may not send to a new one.
    const bool off =
        m_policy->AllOrNone() && !local.receivers.empty() && !local.receivers.begin()->second.open;
    const auto [entry, isFirst] = local.receivers.try_emplace(to, Receiver{.open = !off});
    local.closed += isFirst && off ? 1 : 0;
    local.applied.reset();
    auto& receiver = entry->second;
    receiver.flows.insert(flow.flowId);
    local.changed = true;
    if (m_nic)
    {
        m_nic->SetOpen({flow.coflowId, flow.flowId}, receiver.open);
    }
    Place(coflow.id, local);
    flow.priority.band = local.band;
    GetSource().StartFlow(flow);
    UpdateGate(to);
    ScheduleTick();
    if (receiver.flows.size() == 1)
    {
        ReportSoon();
    }
}

void
HybridDaemon::OnFlowSent(CoflowId coflow, FlowId flow, uint64_t bytes, uint64_t)
{
    const auto found = m_coflows.find(coflow);
    if (found == m_coflows.end())
    {
        return;
    }
    auto& local = found->second;
    const auto receiver = std::ranges::find_if(local.receivers, [&](const auto& entry) {
        return entry.second.flows.count(flow) > 0;
    });
    if (receiver == local.receivers.end())
    {
        return;
    }
    local.before += m_nic ? 0 : bytes;
    receiver->second.flows.erase(flow);
    if (receiver->second.flows.empty())
    {
        const auto to = receiver->first;
        local.closed -= receiver->second.open ? 0 : 1;
        local.receivers.erase(receiver);
        local.changed = true;
        ReassignReceiver(to);
        UpdateGate(to);
        ReportSoon();
    }
}

uint64_t
HybridDaemon::GetSent(CoflowId id, const Local& local) const
{
    if (m_nic)
    {
        return local.before + m_nic->GetSent(id);
    }
    uint64_t sent = local.before;
    for (const auto& [to, receiver] : local.receivers)
    {
        for (const auto flow : receiver.flows)
        {
            const auto progress = GetSource().GetProgress({id, flow});
            sent += progress ? progress->acknowledged : 0;
        }
    }
    return sent;
}

SendPlace
HybridDaemon::GetPlace(const Local& local) const
{
    const auto here = static_cast<uint32_t>(local.receivers.size());
    const auto rank =
        m_policy->RankOf(local.promoted, local.queue, local.width > 0 ? local.width : here);
    // Queue 0 of the NicScheduler is for promoted coflows.
    const int queue = rank.queue - ::coflow::QueueSharing::FIRST;
    return {static_cast<uint32_t>(queue), rank.key, local.order.Value()};
}

void
HybridDaemon::Place(CoflowId id, Local& local)
{
    uint64_t alarm = UINT64_MAX;
    if (m_settings->localEstimate || IsAlone())
    {
        const auto sent = static_cast<double>(local.elsewhere + GetSent(id, local));
        for (const int queue = m_policy->QueueAfter(local.queue, sent); local.queue < queue;)
        {
            ++local.queue;
            NS_LOG_INFO("host " << GetHost() << ": coflow " << id << " falls to queue "
                                << local.queue);
            m_demotedTrace(id, local.queue);
        }
        if (!m_policy->IsLast(local.queue))
        {
            alarm = static_cast<uint64_t>(std::ceil(m_policy->Threshold(local.queue))) -
                    local.elsewhere - local.before;
        }
    }
    if (m_nic && !local.receivers.empty())
    {
        m_nic->Place(id, GetPlace(local));
        m_nic->SetAlarmAt(id, alarm);
    }
    Classify(id, local);
}

uint8_t
HybridDaemon::GetBand(const Local& local) const
{
    // The first band is for acknowledgements, control messages and promoted coflows.
    constexpr int LAST = PacketPriority::BANDS - 1;
    return local.promoted ? 0 : static_cast<uint8_t>(std::min(local.queue + 1, LAST));
}

void
HybridDaemon::Classify(CoflowId id, Local& local)
{
    if (m_settings->enforcement != HybridSettings::Enforcement::DSCP ||
        local.band == GetBand(local))
    {
        return;
    }
    local.band = GetBand(local);
    for (const auto& [to, receiver] : local.receivers)
    {
        for (const auto flow : receiver.flows)
        {
            GetSource().SetPriority({id, flow}, {PacketPriority::LEAST_URGENT, local.band});
        }
    }
}

void
HybridDaemon::SetOpen(CoflowId id, Local& local, Receiver& receiver, bool open)
{
    if (receiver.open == open)
    {
        return;
    }
    receiver.open = open;
    local.applied.reset();
    local.closed -= open ? 1 : 0;
    local.closed += open ? 0 : 1;
    for (const auto flow : receiver.flows)
    {
        if (m_nic)
        {
            m_nic->SetOpen({id, flow}, open);
            if (open)
            {
                GetSource().EndBackoffOf({id, flow});
            }
        }
    }
}

void
HybridDaemon::OpenAll(CoflowId id, Local& local)
{
    // There is a decision every few milliseconds, and mostly all receivers are open already.
    if (local.closed == 0)
    {
        return;
    }
    for (auto& [to, receiver] : local.receivers)
    {
        SetOpen(id, local, receiver, true);
    }
}

bool
HybridDaemon::IsUsed(HostId to) const
{
    return std::ranges::any_of(m_active, [&](const auto id) {
        const auto& receivers = m_coflows.at(id).receivers;
        const auto receiver = receivers.find(to);
        return receiver != receivers.end() && receiver->second.open;
    });
}

void
HybridDaemon::ReassignReceiver(HostId to)
{
    if (IsUsed(to))
    {
        return;
    }
    ::coflow::NextInTurn<std::pair<SendPlace, CoflowId>> next(to, m_policy->AllOrNone());
    for (const auto id : m_active)
    {
        const auto& local = m_coflows.at(id);
        if (local.receivers.count(to) > 0)
        {
            next.Offer({GetPlace(local), id},
                       std::views::keys(local.receivers),
                       [this](HostId host) { return IsUsed(host); });
        }
    }
    if (!next.First())
    {
        return;
    }
    const auto id = next.First()->second;
    for (const auto host : next.Opened())
    {
        auto& local = m_coflows.at(id);
        SetOpen(id, local, local.receivers.at(host), true);
    }
}

void
HybridDaemon::UpdateGates()
{
    if (m_settings->enforcement != HybridSettings::Enforcement::GATING)
    {
        return;
    }
    std::set<HostId> receivers;
    for (const auto id : m_active)
    {
        for (const auto& [to, receiver] : m_coflows.at(id).receivers)
        {
            receivers.insert(to);
        }
    }
    for (const auto to : receivers)
    {
        UpdateGate(to);
    }
}

void
HybridDaemon::UpdateGate(HostId to)
{
    if (m_settings->enforcement != HybridSettings::Enforcement::GATING)
    {
        return;
    }
    std::vector<std::pair<SendPlace, CoflowId>> waiting;
    for (const auto id : m_active)
    {
        const auto& local = m_coflows.at(id);
        const auto receiver = local.receivers.find(to);
        if (receiver != local.receivers.end() && receiver->second.open)
        {
            waiting.emplace_back(GetPlace(local), id);
        }
    }
    const auto first = std::ranges::min_element(waiting);
    for (const auto id : m_active)
    {
        const auto& local = m_coflows.at(id);
        const auto receiver = local.receivers.find(to);
        if (receiver == local.receivers.end())
        {
            continue;
        }
        // Small coflows that are not reported yet are not gated.
        const bool free = m_settings->minNotify > 0 && !local.reported;
        const bool on = free || (first != waiting.end() && first->second == id);
        for (const auto flow : receiver->second.flows)
        {
            GetSource().SetRateLimit({id, flow}, on ? RateLimit::Unlimited() : RateLimit::Paused());
        }
    }
}

void
HybridDaemon::AskForPlace(CoflowId id, const Registration& registration)
{
    PlaceCoflowMessage message;
    message.id = id;
    message.known = registration.order;
    message.parents = registration.parents;
    Send(message);
}

void
HybridDaemon::Hand(CoflowId id)
{
    const auto registration = m_registered.find(id);
    if (registration == m_registered.end())
    {
        return;
    }
    auto& order = registration->second.order;
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
    const auto registration = m_registered.find(message.id);
    if (registration != m_registered.end())
    {
        registration->second.order = message.order;
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
HybridDaemon::ReportAll()
{
    for (const auto& [id, registration] : m_registered)
    {
        AskForPlace(id, registration);
    }
    for (auto& [id, local] : m_coflows)
    {
        local.reported.reset();
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
        // A message names all coflows, and few of them have changed.
        if (local.applied && local.applied->mode == coflow.mode &&
            local.applied->receivers == coflow.receivers)
        {
            continue;
        }
        for (auto& [to, receiver] : local.receivers)
        {
            const bool open =
                coflow.mode == GlobalCoflow::Receivers::NAMED &&
                (!receiver.reported || std::ranges::binary_search(coflow.receivers, to));
            SetOpen(coflow.id, local, receiver, open);
        }
        local.applied = coflow;
    }
    // The coordinator does not know the coflows that the message does not name.
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
HybridDaemon::FailOpen()
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
    return !GetPending().IsEmpty() || std::ranges::any_of(m_active, [this](const auto id) {
        return m_coflows.at(id).reported || !IsConnected();
    });
}

void
HybridDaemon::ScheduleTick()
{
    if (!IsAlive() || m_tick.IsPending() || (m_active.empty() && !IsExpecting()))
    {
        return;
    }
    // Every host reports at its own time in the second half of a period. The coordinator decides at
    // the end of the period, so no report is older than half a period.
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
HybridDaemon::IsWorthReporting(const Local& local, uint64_t sent) const
{
    if (!local.reported)
    {
        return sent >= m_settings->minNotify && !local.receivers.empty();
    }
    return sent - local.reported->sent >= std::max<uint64_t>(m_settings->minNotify, 1) ||
           (local.changed &&
            !std::ranges::equal(std::views::keys(local.receivers), local.reported->receivers));
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
        if (up && IsWorthReporting(local, sent))
        {
            // There is a report every few milliseconds, and receivers change seldom.
            if (std::exchange(local.changed, false))
            {
                local.reported.emplace().id = id;
                local.applied.reset(); // receivers become reported ones, see OnGlobal()
                for (auto& [to, receiver] : local.receivers)
                {
                    receiver.reported = true;
                    local.reported->receivers.push_back(to);
                }
            }
            local.reported->sent = sent;
            message.coflows.push_back(*local.reported);
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
