/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SCHEDULER_H
#define COFLOW_SCHEDULER_H

#include "ns3/coflow-host-agent.h"
#include "ns3/node.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::coflow
{

/// A coflow scheduler at packet level: what it installs on the hosts.
///
/// A scheduler object itself decides nothing during a run. It creates an agent on every host
/// and, if it has one, a coordinator on its host; these are applications that talk to each other
/// in messages over the simulated network.
class Scheduler : public Object
{
  public:
    static TypeId GetTypeId();

    /// What a scheduler finds on a host.
    struct Host
    {
        Ptr<Node> node;
        Ptr<CoflowSource> source;
        DataRate linkRate; ///< of its port to the network
    };

    /// What the control loop has put on the network so far.
    struct ControlTotals
    {
        uint64_t messages{0};
        uint64_t bytes{0}; ///< of messages, without the headers of TCP, UDP and IP
    };

    /// Installs the scheduler's applications; called once, before the run.
    /// @param hosts all hosts, by host id
    /// @return the agents that were installed, by host id
    std::vector<Ptr<HostAgent>> Install(const std::vector<Host>& hosts);

    /// @return the queue that every port of the fabric must have, as the attribute QueueDisc of
    ///         Fabric takes it; empty: the scheduler does not mind
    virtual std::string GetQueueDisc() const;

    /// @return what the control loop has sent; nothing for a scheduler without messages
    virtual ControlTotals GetControlTotals() const;

  private:
    /// @return a new agent for one host
    virtual Ptr<HostAgent> CreateAgent() = 0;
};

} // namespace ns3::coflow

#endif // COFLOW_SCHEDULER_H
