/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_COORDINATOR_H
#define COFLOW_COORDINATOR_H

#include "ns3/application.h"
#include "ns3/coflow-control-endpoint.h"
#include "ns3/coflow-coordinated-messages.h"
#include "ns3/coflow-host-peers.h"
#include "ns3/coflow-service-queue.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <functional>

namespace ns3::coflow
{

/// The coordinator of a coordinated scheduler: an application on one host. The daemons of all hosts
/// connect to it. This class handles its life and its connections. Subclasses define the messages.
///
/// A coordinator can die and come back. It then knows nothing. The first message of a connection
/// must be a Heartbeat, the *hello*, which names the host of the daemon. The coordinator ignores
/// messages before the hello. A daemon that says hello has a new connection, and sends all that it
/// knows.
///
/// With a message time the coordinator handles one message after the other, and may get more
/// messages than it can handle. Three rules keep its delay below one round of all its daemons: a
/// heartbeat replaces one that still waits; messages that wait are dropped with their connection;
/// subclasses decide again only after their last decision was sent (WhenSent()).
class Coordinator : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Connects the coordinator with the control plane; to be called once, before the start.
    /// @param endpoint the endpoint of the control plane
    /// @param hosts number of hosts that have a daemon
    void SetUp(Ptr<ControlEndpoint> endpoint, ::coflow::HostId hosts);

    /// Sets the time that the coordinator needs for each message it receives or sends. Other
    /// messages wait. To be called before the start.
    /// @param time the time; 0: none
    void SetMessageTime(Time time);

    /// @return queue of the messages that the coordinator receives and sends
    const ServiceQueue& GetWork() const;

    /// The process dies: its connections break, and its state is lost. No effect if it is dead.
    void Fail();

    /// The process is started again. No effect if it is alive.
    void Recover();

    /// @return number of decisions of its policy, in all its lives
    uint64_t GetRuns() const;

  protected:
    void DoDispose() override;

    /// Sets the handler of a type of messages.
    /// @tparam Message the type
    /// @tparam Self the subclass
    /// @param handler is called with the host whose daemon has sent the message, and with the
    ///        message
    template <class Message, class Self>
    void On(void (Self::*handler)(::coflow::HostId, const Message&))
    {
        m_endpoint->On<Message>(
            [this, handler](ControlEndpoint::PeerId peer, const Message& message) {
                const auto handle = [this, handler, peer](const Message& heard) {
                    if (const auto host = m_peers.HostOf(peer))
                    {
                        (static_cast<Self*>(this)->*handler)(*host, heard);
                    }
                };
                m_work.IsInstant() ? handle(message)
                                   : m_work.Add([handle, message] { handle(message); }, peer);
            });
    }

    /// Sends a message to the daemon of a host, after the messages that wait.
    /// @param host the host
    /// @param message the message
    /// @return whether there is a connection; otherwise the message is lost
    template <class Message>
    bool SendTo(::coflow::HostId host, const Message& message)
    {
        const auto peer = m_peers.PeerOf(host);
        if (!peer || m_work.IsInstant())
        {
            return peer && m_endpoint->Send(*peer, message);
        }
        m_work.Add([this, to = *peer, message] { m_endpoint->Send(to, message); }, *peer);
        return m_endpoint->IsUp(*peer);
    }

    /// @tparam Message a type of messages
    /// @param host a host
    /// @return whether a message of this type to the host waits, or would have to wait
    template <class Message>
    bool HasBacklog(::coflow::HostId host) const
    {
        const auto peer = m_peers.PeerOf(host);
        return peer && m_endpoint->HasBacklog<Message>(*peer);
    }

    /// Closes the connection of a host's daemon. OnDaemonDown() is not called.
    /// @param host the host
    void Disconnect(::coflow::HostId host);

    /// Calls a function when all messages that wait now have been handled or sent; at once where
    /// none waits. The function is not called if the coordinator dies before.
    /// @param then the function
    void WhenSent(std::function<void()> then);

    /// @param host a host
    /// @return whether a heartbeat of its daemon has arrived and waits to be handled
    bool HasHeartbeatOf(::coflow::HostId host) const;

    /// @return number of hosts that have a daemon
    ::coflow::HostId GetNHosts() const;

    /// @return number of the present life of the coordinator, from 1 on
    uint64_t GetLife() const;

    /// Counts a decision of the policy.
    void CountRun();

    /// @return number of a new schedule, larger than all earlier numbers, also those of earlier
    ///         lives
    uint64_t NextSchedule();

    /// @return number of the last schedule; all later numbers are larger
    uint64_t GetLastSchedule() const;

  private:
    using PeerId = ControlEndpoint::PeerId;

    void StartApplication() override;
    void StopApplication() override;

    /// Sets the handlers of messages by calls of On().
    virtual void SetHandlers() = 0;
    /// A life begins: the subclass creates its state, which is empty.
    virtual void Begin() = 0;
    /// A life ends: the subclass deletes its state.
    virtual void End() = 0;

    /// The daemon of a host has said hello. An earlier connection of the host was closed.
    virtual void OnDaemonUp(::coflow::HostId host) = 0;
    /// The connection of a host's daemon is over.
    virtual void OnDaemonDown(::coflow::HostId host) = 0;
    /// A heartbeat has come that is not a hello.
    virtual void OnHeartbeat(::coflow::HostId host, const HeartbeatMessage& message);

    void HandleHeartbeat(PeerId peer, const HeartbeatMessage& message);
    void HandlePeerDown(PeerId peer);
    /// Closes a connection.
    void CloseConnection(PeerId peer);

    Ptr<ControlEndpoint> m_endpoint; ///< endpoint of the control plane
    ::coflow::HostId m_nHosts{0};    ///< number of hosts that have a daemon
    bool m_alive{false};             ///< the coordinator is alive
    HostPeers m_peers;               ///< connections of daemons that have said hello
    ServiceQueue m_work;             ///< queue of messages
    uint64_t m_life{0};              ///< number of the present life, from 1 on
    uint64_t m_schedule{0};          ///< number of the last schedule of this life
    uint64_t m_nRuns{0};             ///< number of decisions of the policy
};

} // namespace ns3::coflow

#endif // COFLOW_COORDINATOR_H
