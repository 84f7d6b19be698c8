/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-coordinator.h"

#include "ns3/log.h"

#include <utility>

namespace ns3::coflow
{

using ::coflow::HostId;

NS_LOG_COMPONENT_DEFINE("CoflowCoordinator");

NS_OBJECT_ENSURE_REGISTERED(Coordinator);

TypeId
Coordinator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::Coordinator").SetParent<Application>().SetGroupName("Coflow");
    return tid;
}

void
Coordinator::SetUp(Ptr<ControlEndpoint> endpoint, HostId hosts)
{
    m_endpoint = endpoint;
    m_nHosts = hosts;
    m_endpoint->SetPeerDownCallback([this](PeerId peer) { HandlePeerDown(peer); });
    m_endpoint->On<HeartbeatMessage>([this](PeerId peer, const HeartbeatMessage& message) {
        m_work.IsInstant()
            ? HandleHeartbeat(peer, message)
            : m_work.Renew([this, peer, message] { HandleHeartbeat(peer, message); }, peer);
    });
    SetHandlers();
}

void
Coordinator::StartApplication()
{
    Recover();
}

void
Coordinator::StopApplication()
{
    Fail();
}

void
Coordinator::Recover()
{
    if (m_alive)
    {
        return;
    }
    m_alive = true;
    ++m_life;
    m_schedule = 0;
    NS_LOG_INFO("coordinator on node " << GetNode()->GetId() << ": life " << m_life << " begins");
    Begin();
    m_endpoint->Start();
    m_endpoint->Listen(ControlEndpoint::DEFAULT_PORT);
}

void
Coordinator::Fail()
{
    if (!m_alive)
    {
        return;
    }
    NS_LOG_INFO("coordinator on node " << GetNode()->GetId() << ": life " << m_life << " ends");
    m_alive = false;
    End();
    m_work.Clear();
    m_peers.Clear();
    m_endpoint->Stop();
}

void
Coordinator::DoDispose()
{
    Fail();
    m_endpoint = nullptr;
    Application::DoDispose();
}

uint64_t
Coordinator::GetRuns() const
{
    return m_nRuns;
}

void
Coordinator::SetMessageTime(Time time)
{
    m_work.SetServiceTime(time);
}

const ServiceQueue&
Coordinator::GetWork() const
{
    return m_work;
}

void
Coordinator::Disconnect(HostId host)
{
    if (const auto peer = m_peers.Drop(host))
    {
        NS_LOG_INFO("connection with the daemon of host " << host << " is closed");
        CloseConnection(*peer);
    }
}

void
Coordinator::CloseConnection(PeerId peer)
{
    m_endpoint->Disconnect(peer);
    m_work.Forget(peer);
}

void
Coordinator::WhenSent(std::function<void()> then)
{
    m_work.WhenDone(std::move(then));
}

bool
Coordinator::HasHeartbeatOf(HostId host) const
{
    const auto peer = m_peers.PeerOf(host);
    return peer && m_work.IsRenewed(*peer);
}

HostId
Coordinator::GetNHosts() const
{
    return m_nHosts;
}

uint64_t
Coordinator::GetLife() const
{
    return m_life;
}

void
Coordinator::CountRun()
{
    ++m_nRuns;
}

uint64_t
Coordinator::NextSchedule()
{
    ++m_schedule;
    NS_LOG_INFO("schedule " << m_schedule << " of life " << m_life << " is sent");
    return GetLastSchedule();
}

uint64_t
Coordinator::GetLastSchedule() const
{
    constexpr int BITS_WITHIN_LIFE = 40;
    return m_life << BITS_WITHIN_LIFE | m_schedule;
}

void
Coordinator::OnHeartbeat(HostId, const HeartbeatMessage&)
{
}

void
Coordinator::HandleHeartbeat(PeerId peer, const HeartbeatMessage& message)
{
    if (const auto host = m_peers.HostOf(peer))
    {
        OnHeartbeat(*host, message);
    }
    else if (message.host < m_nHosts)
    {
        NS_LOG_INFO("daemon of host " << message.host << " is up");
        if (const auto former = m_peers.Join(peer, message.host))
        {
            CloseConnection(*former);
        }
        OnDaemonUp(message.host);
    }
}

void
Coordinator::HandlePeerDown(PeerId peer)
{
    // The daemon repeats all information over the next connection. Messages to the daemon are lost.
    m_work.Forget(peer);
    if (const auto host = m_peers.Leave(peer))
    {
        NS_LOG_INFO("daemon of host " << *host << " is down");
        OnDaemonDown(*host);
    }
}

} // namespace ns3::coflow
