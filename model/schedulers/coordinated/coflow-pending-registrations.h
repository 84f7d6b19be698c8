/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PENDING_REGISTRATIONS_H
#define COFLOW_PENDING_REGISTRATIONS_H

#include "ns3/coflow-host-agent.h"
#include "ns3/coflow-types.h"

#include <map>
#include <vector>

namespace ns3::coflow
{

/// Drivers of a host that have registered a coflow and wait for the answer of the coordinator. Each
/// driver is answered once, or never if its coflow is over before. A driver may do anything in its
/// callback, such as register another coflow.
class PendingRegistrations
{
  public:
    /// Adds a driver that waits.
    /// @param coflow the coflow
    /// @param registered callback for the answer
    void Add(::coflow::CoflowId coflow, HostAgent::RegisteredCallback registered);

    /// Answers the driver of a coflow. No effect if the driver does not wait.
    /// @param coflow the handle of the coflow
    void Answer(const CoflowHandle& coflow);

    /// A coflow is over. No effect if its driver does not wait.
    /// @param coflow the coflow
    void Remove(::coflow::CoflowId coflow);

    /// Removes all drivers.
    void Clear();

    /// @return coflows whose drivers wait, by id
    std::vector<::coflow::CoflowId> GetAll() const;

    /// @return whether no driver waits
    bool IsEmpty() const;

  private:
    std::map<::coflow::CoflowId, HostAgent::RegisteredCallback> m_waiting; ///< callbacks by coflow
};

} // namespace ns3::coflow

#endif // COFLOW_PENDING_REGISTRATIONS_H
