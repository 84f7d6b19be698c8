/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_KNOWN_DAEMONS_H
#define COFLOW_KNOWN_DAEMONS_H

#include "ns3/coflow-types.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace ns3::coflow
{

/// The daemons that a central coordinator knows of: which of them have a connection, when each was
/// last heard of, and which coflows each is yet to confirm or to forget.
///
/// A daemon is *absent* while it has no connection, as all are at first. A daemon that is *idle*
/// sends no heartbeats. Any other is lost when it sends none for a while.
class KnownDaemons
{
  public:
    /// @param hosts number of hosts that have a daemon
    /// @param timeout a daemon without a heartbeat for so long is lost
    /// @param isLate whether a heartbeat of a host's daemon has arrived and waits to be handled
    /// @param lose called with a host whose daemon is lost, and not known any more
    KnownDaemons(::coflow::HostId hosts,
                 Time timeout,
                 std::function<bool(::coflow::HostId)> isLate,
                 std::function<void(::coflow::HostId)> lose);
    ~KnownDaemons();

    KnownDaemons(const KnownDaemons&) = delete;
    KnownDaemons& operator=(const KnownDaemons&) = delete;

    /// A daemon has a new connection.
    /// @param registered coflows that its host registered over an earlier one
    void Connect(::coflow::HostId host, const std::vector<::coflow::CoflowId>& registered);

    /// A daemon is absent.
    void Disconnect(::coflow::HostId host);

    /// @return whether the daemon of any host is absent
    bool AnyIsAbsent() const;

    /// A daemon has sent a heartbeat.
    /// @param idle whether it is idle from now on
    /// @return coflows that its host registered over an earlier connection, and not again since
    std::set<::coflow::CoflowId> Hear(::coflow::HostId host, bool idle);

    /// A host has registered a coflow.
    void Confirm(::coflow::HostId host, ::coflow::CoflowId coflow);

    /// A coflow is over: the next answer tells the host's daemon. A daemon that is not known will
    /// tell of the coflow again, and is told then.
    void NoteOver(::coflow::HostId host, ::coflow::CoflowId coflow);

    /// A daemon's heartbeat is being answered.
    /// @return coflows that are over since its last answer
    std::vector<::coflow::CoflowId> Answer(::coflow::HostId host);

    /// There is something to do: no daemon is idle any more.
    /// @return hosts whose daemons were
    std::vector<::coflow::HostId> Wake();

  private:
    /// What is known of a daemon.
    struct State
    {
        Time lastHeard{};                           ///< when it was last heard of
        bool idle{false};                           ///< it has said that it sends no heartbeats
        std::set<::coflow::CoflowId> unconfirmed{}; ///< registered over an earlier connection
        std::vector<::coflow::CoflowId> over{};     ///< that it is yet to be told are over
    };

    /// Looks for daemons that are lost.
    void Check();
    /// Sees to it that Check() is called.
    void Watch();

    Time m_timeout;                               ///< of a daemon without a heartbeat
    std::function<bool(::coflow::HostId)> m_late; ///< whether a heartbeat waits to be handled
    std::function<void(::coflow::HostId)> m_lose; ///< called with the host of one that is lost
    std::map<::coflow::HostId, State> m_daemons;  ///< those that are not lost
    std::set<::coflow::HostId> m_absent;          ///< without a connection
    EventId m_check;                              ///< next Check()
};

} // namespace ns3::coflow

#endif // COFLOW_KNOWN_DAEMONS_H
