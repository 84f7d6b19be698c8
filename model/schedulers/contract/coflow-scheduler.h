/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SCHEDULER_H
#define COFLOW_SCHEDULER_H

#include "ns3/coflow-control-endpoint.h"
#include "ns3/coflow-host-agent.h"
#include "ns3/coflow-host-network.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/object-factory.h"
#include "ns3/object.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// A coflow scheduler at packet level, which installs applications on hosts.
///
/// The scheduler object decides nothing during a run. It creates an agent on every host, and a
/// coordinator where the scheduler has one. These applications exchange messages over the simulated
/// network.
class Scheduler : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// The applications of a host that a scheduler uses.
    struct Host
    {
        Ptr<CoflowSource> source; ///< sends flows
        Ptr<CoflowSink> sink;     ///< receives flows
    };

    /// The network and the hosts that a scheduler uses.
    struct Cluster
    {
        Ptr<HostNetwork> network;      ///< the network, after Build()
        Ptr<TransportProfile> profile; ///< TCP's parameters
        std::vector<Host> hosts;       ///< all hosts, by host id
    };

    /// Messages and packets of the control loop so far.
    struct ControlTotals
    {
        uint64_t messages{0}; ///< messages of all types
        uint64_t bytes{0};    ///< bytes of messages, without headers of TCP and IP
        WireCount wire;       ///< IPv4 packets with these messages, and acknowledgements
    };

    /// @return classes of the scheduler's objects whose attributes users may set
    virtual std::vector<TypeId> GetPartTypes() const;

    /// Sets the factory of objects of one of the classes of GetPartTypes().
    /// @param factory the factory, with values of attributes
    void SetPart(const ObjectFactory& factory);

    /// Installs the scheduler's applications; called once, before the run.
    /// @param cluster the network and its hosts
    /// @return the agents that were installed, by host id
    std::vector<Ptr<HostAgent>> Install(const Cluster& cluster);

    /// Configures the scheduler for a network; called once, before the functions below.
    /// @param network the network. Its hosts, rates and paths must be known, but it need not be
    ///        built yet
    /// @param mtu bytes of the IPv4 packet of a full segment
    virtual void Configure(const HostNetwork& network, uint32_t mtu);

    /// @return attributes of the TransportProfile for which the scheduler has other defaults, with
    ///         their values
    virtual std::vector<std::pair<std::string, std::string>> GetTransportDefaults() const;

    /// @return parameters of the scheduler's policy, as NAME=VALUE, that a preset gives where users
    ///         do not. Values that scale are those of a workload of full size
    virtual std::vector<std::string> GetPresetParameters() const;

    /// @return the queue disc that every port of the network must have, in the form of Fabric's
    ///         attribute QueueDisc; empty: any
    virtual std::string GetQueueDisc() const;

    /// To be called after Install().
    /// @param coflow properties of a coflow from its driver
    /// @return whether every flow of the coflow has a rate that its sender enforces
    virtual bool GivesRates(const CoflowOptions& coflow) const;

    /// @return messages of the control loop; all 0 for a scheduler without messages
    virtual ControlTotals GetControlTotals() const;

    /// @return messages that the control endpoints of the scheduler have sent, by type
    virtual ControlCounts GetSentByType() const;

    /// @return a JSON object on the control loop for files; may be empty
    virtual ::coflow::Json DescribeControl() const;

    /// @param coflow a coflow that has not finished
    /// @return text that says what the coflow waits for, as far as the scheduler's processes know;
    ///         empty where the coflow does not wait for the scheduler
    virtual std::string DescribeWait(::coflow::CoflowId coflow) const;

    /// @return latest time for which a failure or recovery of a process was scheduled so far
    virtual Time GetLastPlanned() const;

    /// @return the longest time so far that a message has waited in a process that needs time for
    ///         every message. 0: no process needs time
    virtual Time GetLongestMessageDelay() const;

  protected:
    void DoDispose() override;

    /// @param agents agents with `const ControlTotals& GetSent() const`
    /// @return sum over all agents
    template <typename Agents>
    static ControlTotals SumSent(const Agents& agents)
    {
        ControlTotals totals;
        for (const auto& agent : agents)
        {
            totals.messages += agent->GetSent().messages;
            totals.bytes += agent->GetSent().bytes;
            totals.wire += agent->GetSent().wire;
        }
        return totals;
    }

    /// @param type one of GetPartTypes()
    /// @return the factory of the class, from SetPart()
    ObjectFactory GetPart(TypeId type) const;

  private:
    /// Prepares shared objects of agents; called before any agent is created.
    virtual void Prepare(const Cluster& cluster);

    /// @param host a host
    /// @return a new agent for the host
    virtual Ptr<HostAgent> CreateAgent(HostId host) = 0;

    /// Completes an agent; called after SetHost() and before the agent starts.
    virtual void CompleteAgent(HostId host, Ptr<HostAgent> agent);

    std::map<TypeId, ObjectFactory> m_parts; ///< SetPart()
};

} // namespace ns3::coflow

#endif // COFLOW_SCHEDULER_H
