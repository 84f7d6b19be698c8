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
/// heartbeat takes the place of one that still waits; messages that wait are dropped with their
/// connection; subclasses decide anew only when their last decision has been sent (WhenSent()).
class Coordinator : public Application
{
  public:
    static TypeId GetTypeId();

    /// To be called once, before it starts.
    /// @param endpoint the control plane
    /// @param hosts number of hosts that have a daemon
    void SetUp(Ptr<ControlEndpoint> endpoint, ::coflow::HostId hosts);

    /// Every message that it receives or sends keeps it busy for so long. Messages that come
    /// meanwhile wait their turn. To be called before it starts.
    /// @param time 0: no time at all
    void SetMessageTime(Time time);

    /// @return work that waits for messages that it receives and sends
    const ServiceQueue& GetWork() const;

    /// The process dies: its connections break, and it forgets everything. No effect if it is dead.
    void Fail();

    /// The process is started again. No effect if it is alive.
    void Recover();

    /// @return how often its policy has decided, in all its lives
    uint64_t GetRuns() const;

  protected:
    void DoDispose() override;

    /// Says what to do with a type of message.
    /// @param handler is given the host whose daemon has sent it
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

    /// Sends to the daemon of a host, when the message's turn has come.
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
    /// @return whether one of them waits to leave for the daemon of a host, or would wait
    template <class Message>
    bool HasBacklog(::coflow::HostId host) const
    {
        const auto peer = m_peers.PeerOf(host);
        return peer && m_endpoint->HasBacklog<Message>(*peer);
    }

    /// Closes the connection of a host's daemon. OnDaemonDown() is not called.
    void Disconnect(::coflow::HostId host);

    /// Calls a function when all messages that wait now have been handled or sent; at once where
    /// none waits. The function is not called if the coordinator dies before.
    /// @param then the function
    void WhenSent(std::function<void()> then);

    /// @return whether a heartbeat of the host's daemon has arrived and waits to be handled
    bool HasHeartbeatOf(::coflow::HostId host) const;

    /// @return number of hosts that have a daemon
    ::coflow::HostId GetNHosts() const;

    /// @return number of its life, from 1 on
    uint64_t GetLife() const;

    /// The policy has decided once more.
    void CountRun();

    /// @return the number of a new schedule, larger than all before, also those of former lives
    uint64_t NextSchedule();

    /// @return the number of the last schedule; smaller than any to come
    uint64_t GetLastSchedule() const;

  private:
    using PeerId = ControlEndpoint::PeerId;

    void StartApplication() override;
    void StopApplication() override;

    /// Says what to do with messages: calls On().
    virtual void SetHandlers() = 0;
    /// A life begins: the subclass makes its state, empty.
    virtual void Begin() = 0;
    /// A life ends: the subclass deletes its state.
    virtual void End() = 0;

    /// The daemon of a host has said hello. Where it had a connection before, that is closed.
    virtual void OnDaemonUp(::coflow::HostId host) = 0;
    /// The connection of a host's daemon is over.
    virtual void OnDaemonDown(::coflow::HostId host) = 0;
    /// A heartbeat that is no hello.
    virtual void OnHeartbeat(::coflow::HostId host, const HeartbeatMessage& message);

    void HandleHeartbeat(PeerId peer, const HeartbeatMessage& message);
    void HandlePeerDown(PeerId peer);
    /// Closes a connection.
    void CloseConnection(PeerId peer);

    Ptr<ControlEndpoint> m_endpoint; ///< the control plane
    ::coflow::HostId m_nHosts{0};    ///< that have a daemon
    bool m_alive{false};             ///< the process runs
    HostPeers m_peers;               ///< daemons that have said hello
    ServiceQueue m_work;             ///< messages that wait their turn
    uint64_t m_life{0};              ///< number of its life, from 1 on
    uint64_t m_schedule{0};          ///< number of the last schedule of this life
    uint64_t m_nRuns{0};             ///< decisions of the policy
};

} // namespace ns3::coflow

#endif // COFLOW_COORDINATOR_H
