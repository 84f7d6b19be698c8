/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-source-connection.h"

#include "ns3/coflow-flow-hash.h"
#include "ns3/coflow-flow-header.h"
#include "ns3/coflow-light-schedule.h"
#include "ns3/coflow-nic-scheduler.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/log.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowSourceConnection");

SourceConnection::SourceConnection(Owner& owner, SourceFlow& flow)
    : m_owner(owner),
      m_settings(owner.GetSettings()),
      m_flow(&flow),
      m_dst(flow.dst)
{
    flow.connection = this;
    UpdateAllowance();
}

SourceConnection::~SourceConnection()
{
    m_reopenEvent.Cancel();
    if (m_flow)
    {
        m_flow->timer.Cancel();
        m_flow->connection = nullptr;
    }
    DropSocket();
}

void
SourceConnection::Open()
{
    if (!m_socket)
    {
        if (m_place.Join(HostPorts::Of(m_settings.node), [this] { Open(); }))
        {
            return;
        }
        CreateSocket();
        // Also the SYN has the priority of the flow, or the one that the scheduler gives to SYNs.
        Classify();
        if (m_priority && m_flow->openingPriority)
        {
            *m_priority = *m_flow->openingPriority;
        }
    }
    if (!m_socket->Connect(m_dst, m_settings.port))
    {
        // The socket is kept for the next attempt. The failure is reported outside of StartFlow().
        m_reopenEvent = Simulator::ScheduleNow(&SourceConnection::HandleNoRoute, this);
        return;
    }
    m_owner.NotifyOpening(*m_flow);
}

void
SourceConnection::CreateSocket()
{
    m_socket = m_settings.profile->CreateConnection(m_settings.node, m_dst);
    m_unsentLimit = std::min(m_settings.unsentLimit, m_socket->GetRoom() / 2);
    m_written = 0;
    m_name = {m_dst.Get(), m_socket->Bind(0), m_settings.port};
    m_socket->SetUser(this);
    if (m_settings.nic)
    {
        m_gated = m_flow->key;
        m_settings.nic->Attach(*m_gated, m_socket);
    }
    UpdatePacing();
}

void
SourceConnection::Classify()
{
    if (m_settings.classifier)
    {
        m_priority = &m_settings.classifier->Set(m_name, {m_flow->key, m_flow->priority});
        m_settings.classifier->SetLabel(m_name, m_flow->label);
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
SourceConnection::UpdatePriority()
{
    if (m_socket)
    {
        Classify();
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
SourceConnection::FollowRule()
{
    if (m_flow->priorityRule)
    {
        m_flow->priority = m_flow->priorityRule(m_flow->bytes - m_flow->acknowledged);
        if (m_priority)
        {
            *m_priority = m_flow->priority;
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
SourceConnection::RemoveFlow()
{
    m_reopenEvent.Cancel();
    m_place.Leave();
    m_flow->timer.Cancel();
    m_flow->connection = nullptr;
    m_flow = nullptr;
    // Nobody waits for what is left, and another connection may come for the same flow.
    LeaveNic();
    // ns-3's TCP may never send the FIN of a socket that is closed while it retransmits, so the
    // connection stays until everything it was given is acknowledged.
    if (!m_connected || m_socket->GetUnacknowledged() == 0)
    {
        m_owner.Release(this);
    }
}

uint64_t
SourceConnection::GetPhase() const
{
    // A number that nothing else draws, and that does not depend on who else draws one.
    const uint64_t name = MixBits(m_flow->key.coflowId) + m_flow->key.flowId;
    const uint64_t drawn = MixBits(MixBits(name) + RngSeedManager::GetRun());
    return drawn % GetQuantum(*m_flow);
}

void
SourceConnection::UpdateAllowance()
{
    auto& flow = *m_flow;
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
            flow.bucket.Give(GetPhase());
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
    Enqueue();
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
SourceConnection::Enqueue()
{
    if (m_flow->written < m_flow->bytes && m_flow->allowance.GetKind() != Allowance::Kind::PAUSED)
    {
        m_flow->mayWrite = true;
    }
}

void
SourceConnection::HandleTokens()
{
    Enqueue();
    Write();
}

void
SourceConnection::HandleConnected()
{
    m_connected = true;
    if (m_flow)
    {
        FollowRule();
        m_owner.NotifyConnected(*m_flow);
        Write(); // the flow may be cancelled by now
    }
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
    if (m_flow && m_written > 0 &&
        GetAcknowledged() + ahead < CoflowFlowHeader::SIZE + m_flow->bytes - m_offset)
    {
        ++m_flow->retransmissions;
        m_owner.NotifyRetransmission(*m_flow);
    }
}

void
SourceConnection::HandleNoRoute()
{
    TryAgain("no route to the host");
}

void
SourceConnection::Fail(const std::string& reason)
{
    if (!m_flow)
    {
        m_owner.Release(this);
        return;
    }
    m_owner.NotifyBroken(*m_flow);
    Close();
    // What was not acknowledged is written again; the sink counts no byte twice.
    m_flow->written = m_flow->acknowledged;
    m_flow->mayWrite = false;
    m_flow->timer.Cancel();
    Enqueue();
    TryAgain(reason);
}

void
SourceConnection::TryAgain(const std::string& reason)
{
    NS_LOG_WARN("CoflowSource on node " << m_settings.node->GetId() << ": connection to " << m_dst
                                        << ": " << reason);
    m_reopenEvent = Simulator::Schedule(m_settings.reconnectDelay, &SourceConnection::Open, this);
    m_owner.NotifyFailed(m_dst, reason);
}

uint64_t
SourceConnection::GetAcknowledged() const
{
    return m_written - m_socket->GetUnacknowledged();
}

void
SourceConnection::Finish()
{
    auto& flow = *std::exchange(m_flow, nullptr);
    flow.connection = nullptr;
    m_owner.FinishFlow(flow);
}

void
SourceConnection::UpdateAcknowledged()
{
    const uint64_t acknowledged = GetAcknowledged();
    if (m_flow && acknowledged > CoflowFlowHeader::SIZE)
    {
        const uint64_t position = m_offset + acknowledged - CoflowFlowHeader::SIZE;
        m_flow->acknowledged = std::min(m_flow->bytes, position);
        FollowRule();
        if (m_flow->acknowledged == m_flow->bytes)
        {
            Finish();
        }
    }
    if (!m_flow && m_socket->GetUnacknowledged() == 0)
    {
        m_owner.Release(this);
    }
}

} // namespace ns3::coflow
