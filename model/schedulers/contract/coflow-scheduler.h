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

/// A coflow scheduler at packet level: what it installs on the hosts.
///
/// A scheduler object itself decides nothing during a run. It creates an agent on every host
/// and, if it has one, a coordinator on its host; these are applications that talk to each other
/// in messages over the simulated network.
class Scheduler : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// What a scheduler finds on a host.
    struct Host
    {
        Ptr<CoflowSource> source; ///< sends flows
        Ptr<CoflowSink> sink;     ///< receives flows
    };

    /// What a scheduler finds.
    struct Cluster
    {
        Ptr<HostNetwork> network;      ///< built
        Ptr<TransportProfile> profile; ///< TCP's parameters
        std::vector<Host> hosts;       ///< all hosts, by host id
    };

    /// What the control loop has put on the network so far.
    struct ControlTotals
    {
        uint64_t messages{0}; ///< of all types
        uint64_t bytes{0};    ///< of messages, without the headers of TCP and IP
        WireCount wire;       ///< IPv4 packets that carried them, with acknowledgements
    };

    /// @return classes of the objects that it makes and whose attributes users may set
    virtual std::vector<TypeId> GetPartTypes() const;

    /// Says how objects of one of these classes are made.
    /// @param factory makes them, with values for attributes
    void SetPart(const ObjectFactory& factory);

    /// Installs the scheduler's applications; called once, before the run.
    /// @param cluster where to
    /// @return the agents that were installed, by host id
    std::vector<Ptr<HostAgent>> Install(const Cluster& cluster);

    /// Says what network there will be; called once, before the functions below.
    /// @param network of which hosts, rates and paths are known; it may have to be built yet
    /// @param mtu bytes of the IPv4 packet of a full segment
    virtual void Configure(const HostNetwork& network, uint32_t mtu);

    /// @return attributes of the TransportProfile for which the scheduler has other defaults, and
    ///         their values
    virtual std::vector<std::pair<std::string, std::string>> GetTransportDefaults() const;

    /// @return the queue that every port of the network must have, as the attribute QueueDisc of
    ///         Fabric takes it; empty: the scheduler does not mind
    virtual std::string GetQueueDisc() const;

    /// To be called after Install().
    /// @param coflow what a driver says of a coflow
    /// @return whether every flow of the coflow has a rate, which its sender keeps to
    virtual bool GivesRates(const CoflowOptions& coflow) const;

    /// @return what the control loop has sent; nothing for a scheduler without messages
    virtual ControlTotals GetControlTotals() const;

    /// @return what its control endpoints have sent, by type of message
    virtual ControlCounts GetSentByType() const;

    /// @return how the control loop did, for files: an object, empty where there is nothing to tell
    virtual ::coflow::Json DescribeControl() const;

    /// @param coflow a coflow that has not finished
    /// @return what it waits for as far as the scheduler's processes know, for a person; empty
    ///         where the scheduler keeps nothing waiting
    virtual std::string DescribeWait(::coflow::CoflowId coflow) const;

    /// @return when the last death or return of a process is that is planned by now
    virtual Time GetLastPlanned() const;

    /// @return the longest time for which a message has waited so far in a process that needs time
    ///         for every message; 0 where no process does
    virtual Time GetLongestMessageDelay() const;

  protected:
    void DoDispose() override;

    /// @param agents agents with `const ControlTotals& GetSent() const`
    /// @return what they have sent in all
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
    /// @return makes objects of that class as SetPart() said
    ObjectFactory GetPart(TypeId type) const;

  private:
    /// Prepares what agents need; called before any is made.
    virtual void Prepare(const Cluster& cluster);

    /// @param host a host
    /// @return a new agent for it
    virtual Ptr<HostAgent> CreateAgent(HostId host) = 0;

    /// Completes an agent; called after it was told its host and before it starts.
    virtual void CompleteAgent(HostId host, Ptr<HostAgent> agent);

    std::map<TypeId, ObjectFactory> m_parts; ///< SetPart()
};

} // namespace ns3::coflow

#endif // COFLOW_SCHEDULER_H
