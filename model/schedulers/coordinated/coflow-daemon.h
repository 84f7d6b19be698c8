/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DAEMON_H
#define COFLOW_DAEMON_H

#include "ns3/coflow-control-endpoint.h"
#include "ns3/coflow-host-agent.h"
#include "ns3/coflow-pending-registrations.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::coflow
{

/// The daemon of a coordinated scheduler on a host. This class handles its life, and its connection
/// with the coordinator. Subclasses define the messages.
///
/// A daemon *follows* a coordinator. It is *alone* when the daemon is dead, or when the coordinator
/// has been silent for too long. Subclasses detect this silence. The host of a daemon that is alone
/// fails open: it sends without the coordinator. The daemon follows again with the coordinator's
/// first message, or when the daemon is started again. Over every new connection it says hello with
/// a Heartbeat, and sends all that the coordinator must know.
class Daemon : public HostAgent
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Connects the daemon with the control plane; to be called once, after SetHost() and before
    /// the start.
    /// @param endpoint the endpoint of the control plane
    /// @param coordinator address of the coordinator
    void SetUp(Ptr<ControlEndpoint> endpoint, Ipv4Address coordinator);

    /// The process dies: its connection breaks, and its host fails open. No effect if it is dead.
    void Fail();

    /// The process is started again. No effect if it is alive.
    void Recover();

    /// @return whether the host sends without the coordinator
    bool IsAlone() const;

    /// @return number of times that the host began to send without the coordinator
    uint64_t GetTimesAlone() const;

  protected:
    void DoDispose() override;

    /// Sets the handler of a type of messages. Each message is a sign that the coordinator is
    /// alive.
    /// @tparam Message the type
    /// @tparam Self the subclass
    /// @param handler is called with the message
    template <class Message, class Self>
    void On(void (Self::*handler)(const Message&))
    {
        m_endpoint->On<Message>([this, handler](ControlEndpoint::PeerId, const Message& message) {
            NoteCoordinator();
            (static_cast<Self*>(this)->*handler)(message);
        });
    }

    /// @return the control plane
    ControlEndpoint& GetEndpoint() const;

    /// Sends a message to the coordinator.
    /// @param message the message
    /// @return whether there is a connection; otherwise the message is lost
    bool Send(const ControlMessage& message);

    /// Unregisters a coflow with the coordinator.
    /// @param id the coflow
    void SendUnregistration(::coflow::CoflowId id);

    /// @return whether there is a connection
    bool IsConnected() const;

    /// @return whether the daemon is alive
    bool IsAlive() const;

    /// @return drivers that have registered coflows and wait for the coordinator's answer
    PendingRegistrations& GetPending();
    /// @return drivers that have registered coflows and wait for the coordinator's answer
    const PendingRegistrations& GetPending() const;

    /// The coordinator is alive.
    virtual void NoteCoordinator();

    /// @return time of the coordinator's last message, or of the last ExpectCoordinator()
    Time GetLastHeard() const;

    /// Starts to measure the silence of the coordinator now.
    void ExpectCoordinator();

    /// The coordinator has been silent for too long.
    void BeginAlone();

  private:
    /// The state of the daemon.
    enum class State
    {
        NOT_STARTED, ///< the daemon was not started yet
        FOLLOWING,   ///< the daemon is alive, and follows the coordinator
        ALONE,       ///< the daemon is alive, and the coordinator has been silent for too long
        DEAD         ///< the daemon has died
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Sets the handlers of messages by calls of On().
    virtual void SetHandlers() = 0;
    /// A life begins. The daemon has no connection yet.
    virtual void Begin() = 0;
    /// A life ends: the subclass stops its timers.
    virtual void End() = 0;
    /// The daemon has a new connection, and has said hello. Sends all that the coordinator must
    /// know.
    virtual void ReportAll() = 0;
    /// The host sends without the coordinator from now on. The subclass answers drivers that wait.
    virtual void FailOpen() = 0;

    void HandlePeerUp();

    Ptr<ControlEndpoint> m_endpoint;   ///< endpoint of the control plane
    Ipv4Address m_coordinator;         ///< address of the coordinator
    ControlEndpoint::PeerId m_peer{0}; ///< connection with the coordinator
    State m_state{State::NOT_STARTED}; ///< state of the daemon
    /// Number of times that the host began to send without the coordinator.
    uint64_t m_timesAlone{0};
    Time m_lastHeard;               ///< time of the last message, or of ExpectCoordinator()
    PendingRegistrations m_pending; ///< drivers that wait for an answer
};

} // namespace ns3::coflow

#endif // COFLOW_DAEMON_H
