/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-completion-agent.h"

#include "ns3/abort.h"
#include "ns3/coflow-completion-message.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3::coflow
{

NS_LOG_COMPONENT_DEFINE("CoflowCompletionAgent");

NS_OBJECT_ENSURE_REGISTERED(CompletionAgent);

TypeId
CompletionAgent::GetTypeId()
{
    static TypeId tid = TypeId("ns3::coflow::CompletionAgent")
                            .SetParent<Object>()
                            .SetGroupName("Coflow")
                            .AddConstructor<CompletionAgent>();
    return tid;
}

void
CompletionAgent::Start(::coflow::HostId host, Ptr<ControlEndpoint> endpoint, DoneCallback done)
{
    m_host = host;
    m_endpoint = endpoint;
    m_done = std::move(done);
    m_endpoint->On<TasksDoneMessage>(
        [this](PeerId, const auto& message) { m_done(message.id, message.host); });
    m_endpoint->SetPeerUpCallback([this](PeerId peer) {
        const auto drivers = m_hostOfPeer.find(peer);
        if (drivers == m_hostOfPeer.end())
        {
            return; // the peer has connected to drivers of this host
        }
        const auto& known = m_drivers.at(drivers->second);
        for (const auto coflow : known.reported)
        {
            Report(known, coflow);
        }
    });
    // These ports are below the ephemeral ports. So data has the same ports, and the same paths,
    // with these messages and without them, and both simulations have the same hash collisions.
    m_endpoint->SetAttribute("FirstLocalPort", UintegerValue(10'000));
    m_endpoint->Start();
    m_endpoint->Listen(PORT);
}

void
CompletionAgent::Expect(::coflow::CoflowId coflow,
                        uint32_t flows,
                        ::coflow::HostId driverHost,
                        Ipv4Address address)
{
    NS_ABORT_MSG_IF(flows == 0, "Tasks expect nothing of coflow " << coflow);
    m_expected[coflow] = {flows, driverHost};
    if (driverHost == m_host)
    {
        return;
    }
    const auto [drivers, isNew] = m_drivers.try_emplace(driverHost);
    if (isNew)
    {
        drivers->second.peer = m_endpoint->Connect(address, PORT);
        m_hostOfPeer[drivers->second.peer] = driverHost;
    }
    ++drivers->second.coflows;
    drivers->second.address = address;
}

void
CompletionAgent::NotifyReceived(::coflow::CoflowId coflow)
{
    const auto expected = m_expected.find(coflow);
    NS_ABORT_MSG_IF(expected == m_expected.end(),
                    "Tasks received more flows of coflow " << coflow << " than they expected");
    if (--expected->second.flows > 0)
    {
        return;
    }
    const auto driverHost = expected->second.driverHost;
    m_expected.erase(expected);
    NS_LOG_INFO("host " << m_host << " has all that it gets of coflow " << coflow);
    if (driverHost == m_host)
    {
        // An event, because a driver may act at once, and this function may run in a callback of
        // TCP.
        const Ptr<CompletionAgent> self(this);
        Simulator::ScheduleNow([self, coflow] {
            if (self->m_done)
            {
                self->m_done(coflow, self->m_host);
            }
        });
        return;
    }
    auto& drivers = m_drivers.at(driverHost);
    drivers.reported.push_back(coflow);
    Report(drivers, coflow); // without a connection, the callback PeerUp reports the coflow
    --drivers.coflows;
    if (!drivers.close.IsPending())
    {
        drivers.waitsSince = Simulator::Now();
        drivers.close = Simulator::Schedule(MilliSeconds(LINGER_MS),
                                            &CompletionAgent::CloseIfReported,
                                            this,
                                            driverHost);
    }
}

void
CompletionAgent::CloseIfReported(::coflow::HostId driverHost)
{
    auto& drivers = m_drivers.at(driverHost);
    const bool delivered = m_endpoint->HasDeliveredAll(drivers.peer);
    if (delivered && drivers.coflows > 0)
    {
        return; // other coflows will be reported
    }
    if (delivered)
    {
        m_endpoint->Disconnect(drivers.peer);
        m_hostOfPeer.erase(drivers.peer);
        m_drivers.erase(driverHost);
        return;
    }
    if (Simulator::Now() - drivers.waitsSince >= drivers.patience)
    {
        // The driver's host may not know the connection: a listener of ns-3 does not answer packets
        // of a handshake that the listener has given up. All reports are sent again over another
        // connection.
        m_endpoint->Disconnect(drivers.peer);
        m_hostOfPeer.erase(drivers.peer);
        drivers.peer = m_endpoint->Connect(drivers.address, PORT);
        m_hostOfPeer[drivers.peer] = driverHost;
        drivers.waitsSince = Simulator::Now();
        drivers.patience = drivers.patience * 2; // a slow network needs more time
    }
    drivers.close = Simulator::Schedule(MilliSeconds(LINGER_MS),
                                        &CompletionAgent::CloseIfReported,
                                        this,
                                        driverHost);
}

void
CompletionAgent::Report(const Drivers& drivers, ::coflow::CoflowId coflow)
{
    TasksDoneMessage message;
    message.id = coflow;
    message.host = m_host;
    m_endpoint->Send(drivers.peer, message);
}

const ControlCounts&
CompletionAgent::GetSent() const
{
    return m_endpoint->GetSent();
}

void
CompletionAgent::DoDispose()
{
    for (auto& [host, drivers] : m_drivers)
    {
        drivers.close.Cancel();
    }
    m_done = nullptr;
    m_endpoint = nullptr;
    m_expected.clear();
    Object::DoDispose();
}

} // namespace ns3::coflow
