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

/// The daemons that a central coordinator knows. For each daemon: the time of its last heartbeat,
/// the coflows that its host has not registered again over the present connection, and the coflows
/// that are over.
///
/// A daemon is *absent* while it has no connection. At first all daemons are absent. A daemon that
/// is *idle* sends no heartbeats. Any other daemon is lost when it sends none for the timeout.
class KnownDaemons
{
  public:
    /// @param hosts number of hosts that have a daemon
    /// @param timeout time without a heartbeat after which a daemon is lost
    /// @param hasHeartbeat returns whether a heartbeat of a host's daemon has arrived and is not
    ///        handled yet
    /// @param lose called with a host whose daemon is lost and not known any more
    KnownDaemons(::coflow::HostId hosts,
                 Time timeout,
                 std::function<bool(::coflow::HostId)> hasHeartbeat,
                 std::function<void(::coflow::HostId)> lose);
    ~KnownDaemons();

    KnownDaemons(const KnownDaemons&) = delete;
    KnownDaemons& operator=(const KnownDaemons&) = delete;

    /// A daemon has a new connection.
    /// @param host its host
    /// @param registered coflows that its host registered over an earlier connection
    void Connect(::coflow::HostId host, const std::vector<::coflow::CoflowId>& registered);

    /// A daemon is absent.
    /// @param host its host
    void Disconnect(::coflow::HostId host);

    /// @return whether any daemon is absent
    bool AnyIsAbsent() const;

    /// A daemon has sent a heartbeat.
    /// @param host its host
    /// @param idle whether the daemon is idle from now on
    /// @return coflows that its host registered over an earlier connection, and not again since
    std::set<::coflow::CoflowId> Hear(::coflow::HostId host, bool idle);

    /// A host has registered a coflow.
    /// @param host the host
    /// @param coflow the coflow
    void Confirm(::coflow::HostId host, ::coflow::CoflowId coflow);

    /// A coflow is over. The next answer to the host's daemon names the coflow. A daemon that is
    /// not known will report the coflow again, and gets the answer then.
    /// @param host the host
    /// @param coflow the coflow
    void NoteOver(::coflow::HostId host, ::coflow::CoflowId coflow);

    /// The coordinator answers a heartbeat.
    /// @param host host of the daemon
    /// @return coflows that are over since the last answer to this daemon
    std::vector<::coflow::CoflowId> Answer(::coflow::HostId host);

    /// There is work: no daemon is idle any more.
    /// @return hosts whose daemons were idle
    std::vector<::coflow::HostId> Wake();

  private:
    /// The state of a daemon.
    struct State
    {
        Time lastHeard{}; ///< time of its last hello or heartbeat, or of the end of its idling
        bool idle{false}; ///< the daemon sends no heartbeats
        /// Coflows registered over an earlier connection only.
        std::set<::coflow::CoflowId> unconfirmed{};
        /// Coflows that are over and that no answer has named yet.
        std::vector<::coflow::CoflowId> over{};
    };

    /// Finds daemons that are lost.
    void Check();
    /// Schedules the next Check(), if none is scheduled.
    void Watch();

    Time m_timeout; ///< time without a heartbeat after which a daemon is lost
    /// Function that returns whether a heartbeat waits.
    std::function<bool(::coflow::HostId)> m_hasHeartbeat;
    std::function<void(::coflow::HostId)> m_lose; ///< function that is called for a lost daemon
    std::map<::coflow::HostId, State> m_daemons;  ///< daemons that are not lost
    std::set<::coflow::HostId> m_absent;          ///< hosts whose daemons have no connection
    EventId m_check;                              ///< event of the next Check()
};

} // namespace ns3::coflow

#endif // COFLOW_KNOWN_DAEMONS_H
