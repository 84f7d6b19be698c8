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

/// The daemon of a coordinated scheduler on a host. This class knows its life, and its connection
/// with the coordinator; what they tell each other is for subclasses to say.
///
/// A daemon *follows* a coordinator. It is *alone* when the coordinator has been silent for too
/// long, which subclasses notice, or when the daemon is dead, and then its host goes on without the
/// coordinator. It follows again with the coordinator's first word, or with its own return. With
/// every new connection it says hello with a Heartbeat, and tells all that the coordinator must
/// know.
class Daemon : public HostAgent
{
  public:
    static TypeId GetTypeId();

    Daemon();
    ~Daemon() override;

    /// To be called once, before it starts and after SetHost().
    /// @param endpoint the control plane
    /// @param coordinator address of the coordinator
    void SetUp(Ptr<ControlEndpoint> endpoint, Ipv4Address coordinator);

    /// The process dies: its connection breaks, and its host goes on alone. No effect if it is
    /// dead.
    void Fail();

    /// The process is started again. No effect if it is alive.
    void Recover();

    /// @return whether its host goes on without the coordinator
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

    /// @return whether there is a connection
    bool IsConnected() const;

    /// @return whether the process runs
    bool IsAlive() const;

    /// @return drivers that wait for the coordinator's word on coflows that they have registered
    PendingRegistrations& GetPending();
    /// @return the same
    const PendingRegistrations& GetPending() const;

    /// The coordinator is alive.
    virtual void NoteCoordinator();

    /// @return when the coordinator was last heard of, or ExpectCoordinator() was called
    Time GetLastHeard() const;

    /// What the coordinator does not say from now on, it does not say in time.
    void ExpectCoordinator();

    /// The coordinator has been silent for too long.
    void BeginAlone();

  private:
    /// What it goes by.
    enum class State
    {
        NOT_STARTED, ///< nothing yet
        FOLLOWING,   ///< it runs, and goes by what the coordinator says
        ALONE,       ///< it runs, and the coordinator has been silent for too long
        DEAD         ///< it was alive, and died
    };

    void StartApplication() override;
    void StopApplication() override;

    /// Says what to do with messages: calls On().
    virtual void SetHandlers() = 0;
    /// A life begins; it has no connection yet.
    virtual void Begin() = 0;
    /// A life ends: its timers are to be stopped.
    virtual void End() = 0;
    /// There is a new connection, and hello was said: tells all that the coordinator must know.
    virtual void TellAll() = 0;
    /// From now on its host goes on without the coordinator. Drivers that wait are to be answered.
    virtual void FailOpen() = 0;

    void HandlePeerUp();

    Ptr<ControlEndpoint> m_endpoint;   ///< the control plane
    Ipv4Address m_coordinator;         ///< address of the coordinator
    ControlEndpoint::PeerId m_peer{0}; ///< the coordinator
    State m_state{State::NOT_STARTED}; ///< what it goes by
    uint64_t m_timesAlone{0};          ///< GetTimesAlone()
    Time m_lastHeard;                  ///< GetLastHeard()
    PendingRegistrations m_pending;    ///< GetPending()
};

} // namespace ns3::coflow

#endif // COFLOW_DAEMON_H
