/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CENTRAL_DAEMON_OUTBOX_H
#define COFLOW_CENTRAL_DAEMON_OUTBOX_H

#include "ns3/coflow-central-messages.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>

namespace ns3::coflow
{

/// Puts, gets and progress of flows that a daemon holds back for a while, to send them together
/// (Varys, Chowdhury et al., SIGCOMM 2014, section 6.2). The first record that is added to an empty
/// outbox starts the timer.
class CentralDaemonOutbox
{
  public:
    /// Sends a message to the coordinator. Where it cannot be reached the message is lost: with the
    /// next connection the daemon tells everything anew.
    using Send = std::function<void(const ControlMessage&)>;

    /// @param send sends a message
    explicit CentralDaemonOutbox(Send send);
    ~CentralDaemonOutbox();

    CentralDaemonOutbox(const CentralDaemonOutbox&) = delete;
    CentralDaemonOutbox& operator=(const CentralDaemonOutbox&) = delete;

    /// @param interval how long things are held back
    void SetInterval(Time interval);

    void AddPut(const PutRecord& put);
    void AddGet(const GetRecord& get);
    void AddProgress(const ProgressRecord& progress);

    /// Forgets everything.
    void Clear();

    /// Sends what is held back now.
    void Flush();

  private:
    /// Starts the timer if it does not run.
    void HoldBack();

    Send m_send;                    ///< sends a message
    Time m_interval;                ///< how long things are held back
    Time m_since;                   ///< oldest that is held back
    EventId m_flush;                ///< next Flush()
    AddFlowsMessage m_puts;         ///< held back
    GetFlowsMessage m_gets;         ///< held back
    FlowProgressMessage m_progress; ///< held back
};

} // namespace ns3::coflow

#endif // COFLOW_CENTRAL_DAEMON_OUTBOX_H
