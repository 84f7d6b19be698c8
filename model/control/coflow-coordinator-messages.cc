/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a Coordinator makes of the messages of daemons.

#include "ns3/coflow-central-protocol.h"
#include "ns3/coflow-coordinator.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-sink.h"
#include "ns3/simulator.h"

#include <cmath>
#include <utility>

namespace ns3::coflow
{

using ::coflow::CoflowId;
using ::coflow::CoflowLedger;
using ::coflow::CoflowState;
using ::coflow::HostId;

void
Coordinator::OnPeerDown(PeerId peer)
{
    const auto host = m_memory->hosts.find(peer);
    if (host != m_memory->hosts.end())
    {
        m_memory->lost.insert(host->second);
        HurryWaiting();
    }
}

void
Coordinator::OnHeartbeat(PeerId peer, const HeartbeatMessage& message, Rest rest)
{
    const auto host = message.host;
    if (host >= m_rates.ingress.size())
    {
        return;
    }
    auto& memory = *m_memory;
    if (memory.hosts.emplace(peer, host).second)
    {
        // A new connection: the daemon is about to tell all that it has.
        const auto before = memory.daemons.find(host);
        const bool isBack = memory.lost.erase(host) > 0 || before != memory.daemons.end();
        if (before != memory.daemons.end())
        {
            memory.hosts.erase(before->second.peer);
            m_endpoint->Disconnect(before->second.peer);
        }
        if (isBack)
        {
            DropHost(host);
            HurryWaiting();
        }
        const auto driven = memory.ledger.DrivenBy(host);
        memory.daemons[host] = {peer, Simulator::Now(), false, {driven.begin(), driven.end()}};
    }
    else
    {
        auto& daemon = memory.daemons[host];
        daemon.lastHeard = Simulator::Now();
        daemon.resting = rest == Rest::ALLOWED && memory.open.empty();
        for (const auto coflow : std::exchange(daemon.unconfirmed, {}))
        {
            Close(coflow, Simulator::Now());
        }
        if (m_useMeasuredRem)
        {
            Measure(host, message);
        }
    }
    if (!memory.daemons[host].resting && !m_checkDaemons.IsPending())
    {
        m_checkDaemons = Simulator::Schedule(m_daemonTimeout / 4, &Coordinator::CheckDaemons, this);
    }
    if (memory.daemons[host].resting)
    {
        return;
    }
    // It calls a daemon back that has said too late that it rests.
    HeartbeatMessage answer;
    answer.host = host;
    m_endpoint->Send(peer,
                     answer,
                     static_cast<uint64_t>(memory.open.empty() ? Rest::ALLOWED : Rest::NONE));
}

void
Coordinator::Measure(HostId host, const HeartbeatMessage& message)
{
    auto& memory = *m_memory;
    memory.residual.Report(host,
                           static_cast<double>(message.txBitsPerSecond) / 8,
                           static_cast<double>(message.rxBitsPerSecond) / 8);
    if (memory.ledger.Table().Rows().empty())
    {
        return;
    }
    const auto& now = memory.residual.Get();
    const auto& used = memory.usedRem;
    if (std::abs(now.ingress[host] - used.ingress[host]) > m_remChange * m_rates.ingress[host] ||
        std::abs(now.egress[host] - used.egress[host]) > m_remChange * m_rates.egress[host])
    {
        RequestRun(Simulator::Now());
    }
}

void
Coordinator::OnRegister(PeerId peer, const RegisterCoflowMessage& message, uint64_t epoch)
{
    const auto host = m_memory->hosts.find(peer);
    if (host == m_memory->hosts.end() || !message.id)
    {
        return;
    }
    const auto stamp = EventStamp::Decode(epoch);
    const auto id = *message.id;
    m_memory->daemons[host->second].unconfirmed.erase(id);
    CoflowLedger::Registration registration;
    registration.driver = host->second;
    registration.flows = static_cast<uint32_t>(message.numFlows);
    if (message.deadline)
    {
        registration.deadline = (stamp.at + *message.deadline).GetNanoSeconds();
    }
    const bool isNew = m_memory->ledger.Register(id, registration);
    RegisteredCoflowMessage answer;
    answer.id = id;
    m_endpoint->Send(peer, answer, epoch);
    if (!isNew)
    {
        return;
    }
    Notify(id);
    WakeDaemons();
    const bool mayMiss = stamp.marked || !m_memory->lost.empty();
    const auto wait = mayMiss ? Min(m_rebuildTime, m_readyTimeout) : m_readyTimeout;
    if (wait != Time::Max())
    {
        After(wait, &Coordinator::StopWaiting, id);
    }
    CheckReady(id, stamp.at);
}

void
Coordinator::OnAddFlows(const AddFlowsMessage& message, uint64_t epoch)
{
    const auto stamp = EventStamp::Decode(epoch);
    std::set<CoflowId> touched;
    std::vector<FlowKey> complete;
    for (const auto& put : message.records)
    {
        std::optional<::coflow::Bytes> bytes;
        if (put.bytes)
        {
            bytes = static_cast<::coflow::Bytes>(*put.bytes);
        }
        if (put.src < m_rates.ingress.size() &&
            m_memory->ledger.Put(put.key.coflowId, put.key.flowId, put.src, bytes, stamp.marked))
        {
            complete.push_back(put.key);
        }
        touched.insert(put.key.coflowId);
    }
    TakeFlows(touched, complete, stamp.at);
}

void
Coordinator::OnGetFlows(const GetFlowsMessage& message, uint64_t epoch)
{
    std::set<CoflowId> touched;
    std::vector<FlowKey> complete;
    for (const auto& get : message.records)
    {
        if (get.dst < m_rates.egress.size() &&
            m_memory->ledger.Get(get.key.coflowId, get.key.flowId, get.dst))
        {
            complete.push_back(get.key);
        }
        touched.insert(get.key.coflowId);
    }
    TakeFlows(touched, complete, EventStamp::Decode(epoch).at);
}

void
Coordinator::TakeFlows(const std::set<CoflowId>& touched,
                       const std::vector<FlowKey>& complete,
                       Time event)
{
    auto& ledger = m_memory->ledger;
    std::map<HostId, GotFlowDescsMessage> answers;
    for (const auto& key : complete)
    {
        const auto flow = ledger.Describe(key.coflowId, key.flowId);
        FlowDescription description;
        description.key = key;
        description.src = flow->src;
        description.dst = flow->dst;
        if (flow->bytes >= 0)
        {
            description.bytes = static_cast<uint64_t>(flow->bytes);
        }
        description.address = Fabric::GetHostAddress(flow->src);
        description.port = CoflowSink::DEFAULT_PORT;
        answers[flow->dst].records.push_back(description);
        const auto state = ledger.StateOf(key.coflowId);
        if (state == CoflowState::READY || state == CoflowState::RUNNING)
        {
            RequestRun(event); // more flows than the coflow was registered with, or again
        }
    }
    for (const auto& [host, answer] : answers)
    {
        SendTo(host, answer, 0);
    }
    for (const auto coflow : touched)
    {
        CheckReady(coflow, event);
    }
}

void
Coordinator::OnFlowProgress(const FlowProgressMessage& message, uint64_t epoch)
{
    const auto event = EventStamp::Decode(epoch).at;
    auto& ledger = m_memory->ledger;
    std::set<CoflowId> touched;
    for (const auto& progress : message.records)
    {
        const auto& key = progress.key;
        ledger.Progress(key.coflowId,
                        key.flowId,
                        static_cast<::coflow::Bytes>(progress.bytesSince),
                        progress.done);
        if (progress.done)
        {
            touched.insert(key.coflowId);
            if (const auto flow = ledger.Describe(key.coflowId, key.flowId))
            {
                m_memory->dispatcher.FlowDone(flow->src, key);
            }
        }
    }
    if (touched.empty())
    {
        return;
    }
    const auto triggers = m_memory->policy->GetTriggers();
    if (m_rescheduleOnFlow == OnFlow::ALWAYS ||
        (m_rescheduleOnFlow == OnFlow::POLICY && triggers.flowCompletion))
    {
        RequestRun(event, NanoSeconds(triggers.coalesce));
        return;
    }
    for (const auto coflow : touched)
    {
        if (ledger.IsStalled(coflow))
        {
            RequestRun(event);
            return;
        }
    }
}

void
Coordinator::OnUnregister(const UnregisterCoflowMessage& message, uint64_t epoch)
{
    Close(message.id, EventStamp::Decode(epoch).at);
}

} // namespace ns3::coflow
