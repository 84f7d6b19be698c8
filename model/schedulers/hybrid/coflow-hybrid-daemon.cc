/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-hybrid-daemon.h"

#include "ns3/coflow-coordinated-messages.h"
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
                            .SetParent<HostAgent>()
                            .SetGroupName("Coflow")
                            .AddConstructor<HybridDaemon>()
                            .AddTraceSource("Demoted",
                                            "A coflow has moved down on this host",
                                            MakeTraceSourceAccessor(&HybridDaemon::m_demotedTrace),
                                            "ns3::coflow::HybridDaemon::DemotedCallback");
    return tid;
}

HybridDaemon::HybridDaemon()
{
}

HybridDaemon::~HybridDaemon()
{
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
        // One that returns is told of them again.
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
    m_driven.clear();
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
    std::sort(places.begin(), places.end());
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
    auto& driven = m_driven[id];
    driven = {.parents = options.parents};
    AskForPlace(id, driven);
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
    if (m_driven.erase(coflow.id) > 0)
    {
        UnregisterCoflowMessage message;
        message.id = coflow.id;
        message.happened = Simulator::Now();
        Send(message);
    }
}

void
HybridDaemon::Put(const CoflowHandle& coflow, CoflowSource::FlowRequest flow)
{
    if (!NotePut({flow.coflowId, flow.flowId}))
    {
        return;
    }
    flow.allowance = Allowance::Unlimited();
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
    // A coflow that is off as a whole is off here too.
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
    const auto receiver =
        std::find_if(local.receivers.begin(), local.receivers.end(), [&](const auto& entry) {
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
        PassOn(to);
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
    // Queue 0 of the NicScheduler is for what goes before all queues.
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
    // The first class is for acknowledgements, and for what goes before all queues.
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
                GetSource().KickFlow({id, flow});
            }
        }
    }
}

void
HybridDaemon::OpenAll(CoflowId id, Local& local)
{
    // A decision comes every few milliseconds, and mostly all receivers are open.
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
    return std::any_of(m_active.begin(), m_active.end(), [&](const auto id) {
        const auto& receivers = m_coflows.at(id).receivers;
        const auto receiver = receivers.find(to);
        return receiver != receivers.end() && receiver->second.open;
    });
}

void
HybridDaemon::PassOn(HostId to)
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
    // Small coflows that are not reported yet run free.
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
    const auto first = std::min_element(waiting.begin(), waiting.end());
    for (const auto id : m_active)
    {
        const auto& local = m_coflows.at(id);
        const auto receiver = local.receivers.find(to);
        if (receiver == local.receivers.end())
        {
            continue;
        }
        const bool free = m_settings->minNotify > 0 && !local.told;
        const bool on = free || (first != waiting.end() && first->second == id);
        for (const auto flow : receiver->second.flows)
        {
            GetSource().SetAllowance({id, flow}, on ? Allowance::Unlimited() : Allowance::Paused());
        }
    }
}

} // namespace ns3::coflow
