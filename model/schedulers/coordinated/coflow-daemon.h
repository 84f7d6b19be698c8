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
/// A daemon *follows* a coordinator. It is *alone* when the coordinator has been silent for too
/// long, which subclasses notice, or when the daemon is dead. Its host then fails open: it sends
/// without the coordinator. The daemon follows again with the coordinator's first message, or when
/// the daemon is started again. With every new connection it says hello with a Heartbeat, and sends
/// all that the coordinator must know.
class Daemon : public HostAgent
{
  public:
    static TypeId GetTypeId();

    /// To be called once, before it starts and after SetHost().
    /// @param endpoint the control plane
    /// @param coordinator address of the coordinator
    void SetUp(Ptr<ControlEndpoint> endpoint, Ipv4Address coordinator);

    /// The process dies: its connection breaks, and its host fails open. No effect if it is dead.
    void Fail();

    /// The process is started again. No effect if it is alive.
    void Recover();

    /// @return whether its host sends without the coordinator
    bool IsAlone() const;

    /// @return how often that began
    uint64_t GetTimesAlone() const;

  protected:
    void DoDispose() override;

    /// Says what to do with a type of message. Each is a sign that the coordinator is alive.
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

    /// Sends to the coordinator.
    /// @return whether there is a connection; otherwise the message is lost
    bool Send(const ControlMessage& message);

    /// Unregisters a coflow with the coordinator.
    void SendUnregistration(::coflow::CoflowId id);

    /// @return whether there is a connection
    bool IsConnected() const;

    /// @return whether the process runs
    bool IsAlive() const;

    /// @return drivers that have registered coflows and wait for the coordinator's answer
    PendingRegistrations& GetPending();
    /// @return the same
    const PendingRegistrations& GetPending() const;

    /// The coordinator is alive.
    virtual void NoteCoordinator();

    /// @return when the coordinator was last heard of, or ExpectCoordinator() was called
    Time GetLastHeard() const;

    /// The coordinator's silence counts from now on.
    void ExpectCoordinator();

    /// The coordinator has been silent for too long.
    void BeginAlone();

  private:
    /// Its state.
    enum class State
    {
        NOT_STARTED, ///< it has not been started
        FOLLOWING,   ///< it runs, and obeys the coordinator
        ALONE,       ///< it runs, and the coordinator has been silent for too long
        DEAD         ///< it was alive, and died
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Says what to do with messages: calls On().
    virtual void SetHandlers() = 0;
    /// A life begins; it has no connection yet.
    virtual void Begin() = 0;
    /// A life ends: the subclass stops its timers.
    virtual void End() = 0;
    /// There is a new connection, and the daemon has said hello: sends all that the coordinator
    /// must know.
    virtual void ReportAll() = 0;
    /// From now on its host sends without the coordinator. The subclass answers drivers that wait.
    virtual void FailOpen() = 0;

    void HandlePeerUp();

    Ptr<ControlEndpoint> m_endpoint;   ///< the control plane
    Ipv4Address m_coordinator;         ///< address of the coordinator
    ControlEndpoint::PeerId m_peer{0}; ///< the coordinator
    State m_state{State::NOT_STARTED}; ///< its state
    uint64_t m_timesAlone{0};          ///< GetTimesAlone()
    Time m_lastHeard;                  ///< GetLastHeard()
    PendingRegistrations m_pending;    ///< GetPending()
};

} // namespace ns3::coflow

#endif // COFLOW_DAEMON_H
