/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-daemon.h"

#include "ns3/coflow-coordinated-messages.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowDaemon");

NS_OBJECT_ENSURE_REGISTERED(Daemon);

TypeId
Daemon::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::Daemon").SetParent<HostAgent>().SetGroupName("Coflow");
    return tid;
}

void
Daemon::SetUp(Ptr<ControlEndpoint> endpoint, Ipv4Address coordinator)
{
    m_endpoint = endpoint;
    m_coordinator = coordinator;
    m_endpoint->SetPeerUpCallback([this](ControlEndpoint::PeerId) { HandlePeerUp(); });
    SetHandlers();
}

void
Daemon::StartApplication()
{
    Recover();
}

void
Daemon::StopApplication()
{
    Fail();
}

void
Daemon::Recover()
{
    if (IsAlive())
    {
        return;
    }
    NS_LOG_INFO("daemon of host " << GetHost() << " starts");
    m_state = State::FOLLOWING;
    m_endpoint->Start();
    m_peer = m_endpoint->Connect(m_coordinator, ControlEndpoint::DEFAULT_PORT);
    ExpectCoordinator();
    Begin();
}

void
Daemon::Fail()
{
    if (!IsAlive())
    {
        return;
    }
    NS_LOG_INFO("daemon of host " << GetHost() << " dies");
    m_state = State::DEAD;
    ++m_timesAlone;
    m_endpoint->Stop();
    End();
    FailOpen();
}

void
Daemon::DoDispose()
{
    if (IsAlive())
    {
        m_state = State::DEAD;
        End();
    }
    m_endpoint = nullptr;
    m_pending.Clear();
    HostAgent::DoDispose();
}

bool
Daemon::IsAlone() const
{
    return m_state == State::ALONE || m_state == State::DEAD;
}

uint64_t
Daemon::GetTimesAlone() const
{
    return m_timesAlone;
}

ControlEndpoint&
Daemon::GetEndpoint() const
{
    return *m_endpoint;
}

bool
Daemon::Send(const ControlMessage& message)
{
    return m_endpoint->Send(m_peer, message);
}

void
Daemon::SendUnregistration(::coflow::CoflowId id)
{
    UnregisterCoflowMessage message;
    message.id = id;
    message.happened = Simulator::Now();
    Send(message);
}

bool
Daemon::IsConnected() const
{
    return m_endpoint->IsUp(m_peer);
}

bool
Daemon::IsAlive() const
{
    return m_state == State::FOLLOWING || m_state == State::ALONE;
}

PendingRegistrations&
Daemon::GetPending()
{
    return m_pending;
}

const PendingRegistrations&
Daemon::GetPending() const
{
    return m_pending;
}

void
Daemon::NoteCoordinator()
{
    m_lastHeard = Simulator::Now();
    if (m_state == State::ALONE)
    {
        NS_LOG_INFO("daemon of host " << GetHost() << " follows the coordinator again");
        m_state = State::FOLLOWING;
    }
}

Time
Daemon::GetLastHeard() const
{
    return m_lastHeard;
}

void
Daemon::ExpectCoordinator()
{
    m_lastHeard = Simulator::Now();
}

void
Daemon::BeginAlone()
{
    NS_LOG_INFO("daemon of host " << GetHost() << " fails open: the coordinator is silent");
    m_state = State::ALONE;
    ++m_timesAlone;
    FailOpen();
}

void
Daemon::HandlePeerUp()
{
    NS_LOG_LOGIC("daemon of host " << GetHost() << " is connected");
    NoteCoordinator();
    HeartbeatMessage hello;
    hello.host = GetHost();
    Send(hello);
    ReportAll();
}

} // namespace ns3::coflow
