/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-source-connection.h"

#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-light-schedule.h"
#include "ns3/coflow-nic-scheduler.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowSourceConnection");

SourceConnection::SourceConnection(Owner& owner, Ipv4Address dst, bool shared)
    : m_owner(owner),
      m_settings(owner.GetSettings()),
      m_dst(dst),
      m_shared(shared)
{
}

SourceConnection::~SourceConnection()
{
    m_reopenEvent.Cancel();
    for (auto flow : m_flows)
    {
        flow->timer.Cancel();
        flow->connection = nullptr;
    }
    DropSocket();
}

void
SourceConnection::Open()
{
    if (!m_socket)
    {
        CreateSocket();
        if (!m_flows.empty())
        {
            // Also the SYN has the priority of the flow for which the connection is opened, or the
            // one that the scheduler gives to SYNs.
            const auto& flow = *m_flows.front();
            Classify(flow);
            if (m_priority && flow.openingPriority)
            {
                *m_priority = *flow.openingPriority;
            }
        }
    }
    if (!m_socket->Connect(m_dst, m_settings.port))
    {
        // The socket is kept for the next attempt, as its local port cannot be given back. The
        // failure is reported outside of StartFlow().
        m_reopenEvent = Simulator::ScheduleNow(&SourceConnection::HandleNoRoute, this);
        return;
    }
    for (auto flow : m_flows)
    {
        m_owner.NotifyOpening(*flow);
    }
}

void
SourceConnection::CreateSocket()
{
    m_socket = m_settings.profile->CreateStream(m_settings.node, m_dst);
    m_unsentLimit = std::min(m_settings.unsentLimit, m_socket->GetCapacity() / 2);
    m_written = 0;
    m_name = {m_dst.Get(), m_socket->Bind(), m_settings.port};
    m_socket->SetUser(this);
    if (m_settings.nic)
    {
        m_gated = m_flows.front()->key;
        m_settings.nic->Attach(*m_gated, m_socket);
    }
    UpdatePacing();
}

void
SourceConnection::Classify(const SourceFlow& flow)
{
    if (m_settings.classifier)
    {
        m_classified = flow.key;
        m_priority = &m_settings.classifier->Set(m_name, {flow.key, flow.priority});
        m_settings.classifier->SetLabel(m_name, flow.label);
    }
}

bool
SourceConnection::SendSignal(const PacketClass& packetClass)
{
    if (!m_connected || !m_settings.classifier)
    {
        return false;
    }
    const PacketClass* known = m_settings.classifier->Find(m_name);
    const PacketClass before = known ? *known : PacketClass();
    m_settings.classifier->Set(m_name, packetClass);
    const bool sent = m_socket->SendSignal();
    m_priority = &m_settings.classifier->Set(m_name, before);
    return sent;
}

void
SourceConnection::UpdatePriority(const SourceFlow& flow)
{
    if (m_socket && flow.key == m_classified)
    {
        Classify(flow);
    }
}

void
SourceConnection::LeaveNic()
{
    if (m_gated)
    {
        m_settings.nic->Detach(*m_gated);
        m_gated.reset();
    }
}

void
SourceConnection::FollowRule(SourceFlow& flow)
{
    if (flow.priorityRule)
    {
        flow.priority = flow.priorityRule(flow.bytes - flow.acknowledged);
        if (m_priority && flow.key == m_classified)
        {
            *m_priority = flow.priority;
        }
    }
}

void
SourceConnection::DropSocket()
{
    m_connected = false;
    if (!m_socket)
    {
        return;
    }
    if (m_settings.classifier)
    {
        m_settings.classifier->Remove(m_name);
        m_priority = nullptr;
    }
    LeaveNic();
    m_socket->SetUser(nullptr);
    m_socket = nullptr;
}

void
SourceConnection::Close()
{
    auto socket = m_socket;
    DropSocket();
    if (socket)
    {
        m_closesByRule ? socket->CloseByRule() : socket->Close();
    }
}

void
SourceConnection::AddFlow(SourceFlow& flow)
{
    flow.connection = this;
    m_flows.push_back(&flow);
    m_lastAdded = &flow;
    UpdateAllowance(flow);
}

void
SourceConnection::RemoveFlow(SourceFlow& flow)
{
    flow.timer.Cancel();
    flow.connection = nullptr;
    std::erase(m_flows, &flow);
    std::erase(m_queue, &flow);
    for (auto& record : m_records)
    {
        if (record.flow == &flow)
        {
            record.flow = nullptr;
        }
    }
    UpdatePacing();
    // Nobody waits for what is left, and another connection may come for the same flow.
    LeaveNic();
    // ns-3's TCP may never send the FIN of a socket that is closed while it retransmits, so the
    // connection stays until everything it was given is acknowledged.
    if (!m_shared && (!m_connected || m_socket->GetUnacknowledged() == 0))
    {
        m_owner.Release(this);
    }
}

uint64_t
SourceConnection::GetPhase(const SourceFlow& flow) const
{
    // A number that nothing else draws, and that does not depend on who else draws one.
    const uint64_t name = MixBits(flow.key.coflowId) + flow.key.flowId;
    const uint64_t drawn = MixBits(MixBits(name) + RngSeedManager::GetRun());
    return drawn % GetQuantum(flow);
}

void
SourceConnection::UpdateAllowance(SourceFlow& flow)
{
    flow.timer.Cancel();
    const auto now = GetNetworkTime();
    switch (flow.allowance.GetKind())
    {
    case Allowance::Kind::RATE:
        flow.bucket.Configure(now,
                              flow.allowance.GetRate().GetBitRate(),
                              flow.allowance.GetBurstBytes(m_settings.profile->GetSegmentSize()));
        if (m_settings.spreadRates && flow.bucket.GetTokens(now) == 0)
        {
            flow.bucket.Give(GetPhase(flow));
        }
        break;
    case Allowance::Kind::PAUSED:
        flow.bucket.Configure(now, 0, UINT32_MAX);
        break;
    case Allowance::Kind::UNLIMITED:
        flow.bucket.Configure(now, 0, 0);
        break;
    }
    UpdatePacing();
    Enqueue(flow);
    Write();
}

void
SourceConnection::Kick()
{
    if (m_connected)
    {
        m_socket->Kick();
    }
}

void
SourceConnection::Enqueue(SourceFlow& flow)
{
    if (!flow.queued && flow.written < flow.bytes &&
        flow.allowance.GetKind() != Allowance::Kind::PAUSED)
    {
        flow.queued = true;
        m_queue.push_back(&flow);
    }
}

void
SourceConnection::HandleTokens(SourceFlow* flow)
{
    Enqueue(*flow);
    Write();
}

void
SourceConnection::HandleConnected()
{
    m_connected = true;
    for (const auto flow : m_flows)
    {
        FollowRule(*flow);
    }
    m_owner.NotifyConnected(m_flows);
    Write();
}

void
SourceConnection::HandleConnectFailed()
{
    Fail("the host does not answer");
}

void
SourceConnection::HandleClosed()
{
    Fail("the host refused or closed the connection");
}

void
SourceConnection::HandleBroken()
{
    Fail("the connection broke");
}

void
SourceConnection::HandleRoom()
{
    UpdateAcknowledged();
    Write();
}

void
SourceConnection::HandleSignal(const PacketClass& packetClass)
{
    m_owner.NotifyRateEcho(packetClass);
}

void
SourceConnection::HandleSentAgain(uint32_t ahead)
{
    const uint64_t position = GetAcknowledged() + ahead;
    auto record = std::find_if(m_records.begin(), m_records.end(), [=](const Record& other) {
        return position < other.streamPayload + other.length;
    });
    if (record != m_records.end() && record->flow)
    {
        ++record->flow->retransmissions;
        m_owner.NotifyRetransmission(*record->flow);
    }
}

void
SourceConnection::HandleNoRoute()
{
    TryAgain("no route to the host, or no local port is free");
}

void
SourceConnection::Fail(const std::string& reason)
{
    if (m_flows.empty())
    {
        m_owner.Release(this);
        return;
    }
    for (auto flow : m_flows)
    {
        m_owner.NotifyBroken(*flow);
    }
    Close();
    // What was not acknowledged is written again; the sink counts no byte twice.
    m_records.clear();
    m_queue.clear();
    for (auto flow : m_flows)
    {
        flow->written = flow->acknowledged;
        flow->queued = false;
        flow->timer.Cancel();
        Enqueue(*flow);
    }
    TryAgain(reason);
}

void
SourceConnection::TryAgain(const std::string& reason)
{
    NS_LOG_WARN("CoflowSource on node " << m_settings.node->GetId() << ": connection to " << m_dst
                                        << ": " << reason << "; " << m_flows.size()
                                        << " flows wait");
    m_reopenEvent = Simulator::Schedule(m_settings.reconnectDelay, &SourceConnection::Open, this);
    m_owner.NotifyFailed(m_dst, reason, m_flows.size());
}

uint64_t
SourceConnection::GetAcknowledged() const
{
    return m_written - m_socket->GetUnacknowledged();
}

void
SourceConnection::Finish(SourceFlow& flow)
{
    std::erase(m_flows, &flow);
    flow.connection = nullptr;
    m_owner.FinishFlow(flow);
    UpdatePacing();
}

void
SourceConnection::UpdateAcknowledged()
{
    const uint64_t acknowledged = GetAcknowledged();
    while (!m_records.empty() && acknowledged > m_records.front().streamPayload)
    {
        const auto& record = m_records.front();
        const uint64_t part = std::min(record.length, acknowledged - record.streamPayload);
        auto flow = record.flow;
        if (flow)
        {
            flow->acknowledged = record.flowOffset + part;
            FollowRule(*flow);
        }
        if (part < record.length)
        {
            break;
        }
        m_records.pop_front();
        if (flow && flow->acknowledged == flow->bytes)
        {
            Finish(*flow);
        }
    }
    if (!m_shared && m_flows.empty() && m_socket->GetUnacknowledged() == 0)
    {
        m_owner.Release(this);
    }
}

} // namespace ns3::coflow
