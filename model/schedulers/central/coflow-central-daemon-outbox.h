/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CENTRAL_DAEMON_OUTBOX_H
#define COFLOW_CENTRAL_DAEMON_OUTBOX_H

#include "ns3/coflow-central-messages.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <functional>

namespace ns3::coflow
{

/// Puts, gets and progress of flows that a daemon holds back for a while, to send them together
/// (Varys, Chowdhury et al., SIGCOMM 2014, section 6.2). The first record that is added to an empty
/// outbox starts the timer.
class CentralDaemonOutbox
{
  public:
    /// Sends a message to the coordinator. The message is lost where there is no connection. Over
    /// the next connection the daemon repeats everything.
    using Send = std::function<void(const ControlMessage&)>;

    /// @param send function that sends a message
    explicit CentralDaemonOutbox(Send send);
    ~CentralDaemonOutbox();

    CentralDaemonOutbox(const CentralDaemonOutbox&) = delete;
    CentralDaemonOutbox& operator=(const CentralDaemonOutbox&) = delete;

    /// Sets the time for which records are held back.
    /// @param interval the time
    void SetInterval(Time interval);

    /// Adds a put.
    /// @param put the record
    void AddPut(const PutRecord& put);
    /// Adds a get.
    /// @param get the record
    void AddGet(const GetRecord& get);
    /// Adds progress of a flow.
    /// @param progress the record
    void AddProgress(const ProgressRecord& progress);

    /// Removes all records.
    void Clear();

    /// Sends all records now.
    void Flush();

  private:
    /// Starts the timer if it does not run.
    void HoldBack();

    Send m_send;                    ///< function that sends a message
    Time m_interval;                ///< time for which records are held back
    Time m_since;                   ///< time of the oldest record
    EventId m_flush;                ///< event of the next Flush()
    AddFlowsMessage m_puts;         ///< puts that are held back
    GetFlowsMessage m_gets;         ///< gets that are held back
    FlowProgressMessage m_progress; ///< progress that is held back
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_DAEMON_OUTBOX_H
