/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SEND_GROUPS_H
#define COFLOW_SEND_GROUPS_H

#include "ns3/coflow-even-flow.h"
#include "ns3/coflow-nic-scheduler.h"
#include "ns3/coflow-types.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// The flows of a coflow that a host's NicScheduler orders, and what they send together in time
/// that is jumped over.
struct SendGroup
{
    Ptr<NicScheduler> nic;        ///< orders the flows
    ::coflow::HostId host{0};     ///< who sends
    ::coflow::CoflowId coflow{0}; ///< whose flows they are
    std::vector<EvenFlow*> flows; ///< that may send, have no rate, and have not ended

    uint64_t bitsPerSecond{0}; ///< what all of them were measured to get
    int64_t creditedTo{0};     ///< of all steps that were skipped, how many it was credited with
    uint64_t rest{0};          ///< what is owed to it, in 8e9ths of a byte, below one byte

    // For SharedFlows, while rates are found: of flows that wait for their turn.
    double own{0};     ///< what was counted, bits per second
    double weighed{0}; ///< the same, after it was moved to the mean
    uint32_t nOwn{0};  ///< how many they are
};

/// All SendGroups of a network.
///
/// A NicScheduler knows how much it has sent of a coflow, and acts on it: a coflow that has sent so
/// much changes its place. Flows are credited with a jump one by one, and seldom. So what a host
/// has sent of a coflow is credited by itself, whenever somebody asks or the order may change.
class SendGroups
{
  public:
    /// A flow without a rate may send: it joins its group, if its host orders what it sends.
    void Join(EvenFlow& flow);

    /// A flow sends no longer, or has got a rate. Its own rate is taken from that of the group.
    void Leave(EvenFlow& flow);

    /// A flow gets another rate; to be called before its `bitsPerSecond` is changed.
    void NoteRate(const EvenFlow& flow, uint64_t bitsPerSecond);

    /// Credits a host with what it has sent of a coflow in time that was jumped over.
    void Credit(::coflow::HostId host, ::coflow::CoflowId coflow);

    /// Credits all hosts. Forgets groups without flows.
    void CreditAll();

    /// @return how long it takes at least, in steps, until a host has sent so much of a coflow that
    ///         the NicScheduler wants to know; INT64_MAX: for ever
    int64_t GetStepsToAlarm() const;

    /// @return the group that a host serves after another one of the same queue; null: none
    SendGroup* GetNext(const SendGroup& group);

    /// @return whether a host serves no other group of the same queue before this
    bool IsFirst(const SendGroup& group) const;

    /// Takes note that nothing was measured yet.
    void ClearMeasured();

  private:
    static void Credit(SendGroup& group);

    /// By host and coflow. It does not move a group.
    std::map<std::pair<::coflow::HostId, ::coflow::CoflowId>, SendGroup> m_groups;
};

} // namespace ns3::coflow

#endif // COFLOW_SEND_GROUPS_H
