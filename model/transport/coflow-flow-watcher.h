/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_WATCHER_H
#define COFLOW_FLOW_WATCHER_H

#include "ns3/coflow-allowance.h"
#include "ns3/coflow-flow-key.h"

namespace ns3::coflow
{

class SinkConnection;
struct SourceFlow;

/// Is told which flows run, by their sources and sinks: for who jumps over time in which they send
/// evenly, and then credits both ends with what was not simulated (see TimeJumper). It belongs to
/// the simulation, not to a host; no scheduler has it.
class FlowWatcher
{
  public:
    /// Somebody is about to ask how far a flow is, or to change how it sends: its ends are to be
    /// credited with what was not simulated so far.
    virtual void BringUpToDate(const FlowKey& key) = 0;

    /// Likewise, of a flow that the watcher was told of.
    virtual void BringUpToDate(const SourceFlow& flow) = 0;

    /// A flow is about to get another label, or to be cancelled: its ends are to be credited, and
    /// its source writes by itself again.
    virtual void GiveBack(const SourceFlow& flow) = 0;

    /// Likewise, of all flows.
    virtual void BringAllUpToDate() = 0;

    /// A flow that the watcher was told of is about to get another allowance.
    /// @return whether the flow has it by that, as the watcher goes on to send the flow's segments;
    ///         otherwise the flow was given back
    virtual bool Follow(SourceFlow& flow, const Allowance& allowance) = 0;

    /// A flow that goes over the network has been given to a connection.
    virtual void NotifyStarted(SourceFlow& flow) = 0;

    /// A flow may be written faster or slower from now on.
    virtual void NotifyAllowance(SourceFlow& flow) = 0;

    /// A flow's packets are more urgent, or less, from now on.
    virtual void NotifyPriority(SourceFlow& flow) = 0;

    /// A flow is about to write a segment, and TCP has nothing else of it to send.
    /// @return whether the watcher sends that segment, and the next ones, until it calls
    ///         SourceConnection::Resume()
    virtual bool TakeOver(SourceFlow& flow) = 0;

    /// A flow's connection broke: what was not acknowledged will be written again.
    virtual void NotifyBroken(SourceFlow& flow) = 0;

    /// A flow's connection sends its first SYN, for the first time or once more after it broke.
    virtual void NotifyOpening(SourceFlow& flow) = 0;

    /// A flow was wholly acknowledged, or cancelled; it goes.
    virtual void NotifyEnded(SourceFlow& flow) = 0;

    /// A sink has begun to read a record of a flow.
    virtual void NotifyRecord(const FlowKey& key, SinkConnection& connection) = 0;

    /// A sink's connection reads the flow no longer.
    virtual void NotifyRecordEnd(const FlowKey& key, SinkConnection& connection) = 0;

  protected:
    ~FlowWatcher() = default;
};

} // namespace ns3::coflow

#endif // COFLOW_FLOW_WATCHER_H
