/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOST_AGENT_H
#define COFLOW_HOST_AGENT_H

#include "ns3/application.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-source.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace ns3::coflow
{

/// The handle of a coflow, which the driver passes to the tasks that put and get its flows.
struct CoflowHandle
{
    ::coflow::CoflowId id{0};  ///< the coflow
    bool scheduled{true};      ///< false: bypasses the scheduler, with plain TCP
    uint64_t arrivalNumber{0}; ///< number from the driver, for schedulers without a coordinator
    std::optional<Time> deadline{}; ///< absolute, for schedulers without a coordinator
    uint64_t order{0};              ///< position among all coflows; only some schedulers set it
};

/// Properties of a coflow that a driver may give.
struct CoflowOptions
{
    std::optional<::coflow::CoflowId> id;      ///< id of the coflow; none: any free id
    std::optional<Time> deadline;              ///< relative to now, > 0
    ::coflow::CoflowAttributes attributes;     ///< attributes of the coflow
    uint64_t arrivalNumber{0};                 ///< number in the order of arrivals, from 1; 0: none
    std::vector<::coflow::CoflowId> parents{}; ///< coflows on which this coflow depends
    /// Bytes of the coflow at its most loaded port. None: the driver does not know the bytes. A
    /// coflow with a small number of bytes may bypass a scheduler that may know sizes.
    std::optional<OpaqueSize> bottleneckBytes;
};

/// The part of a scheduler that runs on one host. The applications of the host communicate only
/// with this agent, see CoflowClient. The agent controls the CoflowSource of its own host. Only
/// messages give the agent information on other hosts.
///
/// The default methods of this class are for schedulers without coordination: they register coflows
/// without a message, and ignore gets.
class HostAgent : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Receives the handle of a registered coflow.
    using RegisteredCallback = std::function<void(const CoflowHandle&)>;

    /// Connects the agent to its host. Scheduler::Install() calls this function.
    /// @param host number of this host
    /// @param source source of this host
    /// @param sink sink of this host
    void SetHost(::coflow::HostId host, Ptr<CoflowSource> source, Ptr<CoflowSink> sink);

    /// A driver on this host registers a coflow.
    /// @param numFlows number of flows of the coflow. The coflow is ready when this number of flows
    ///        was put and got
    /// @param options other properties of the coflow
    /// @param registered called when the flows of the coflow may be put and got, possibly within
    ///        this call
    /// @return id of the coflow
    virtual ::coflow::CoflowId Register(uint32_t numFlows,
                                        const CoflowOptions& options,
                                        RegisteredCallback registered);

    /// A task of this host puts a flow: it has data to send.
    /// @param coflow the flow's coflow, with the coflow id of the flow
    /// @param flow the flow. The agent decides its rate limit. A second call for the flow has no
    ///        effect
    virtual void Put(const CoflowHandle& coflow, CoflowSource::FlowRequest flow) = 0;

    /// A task of this host has restarted, and puts a flow again. The flow is sent from its first
    /// byte.
    /// @param coflow its coflow
    /// @param flow the flow
    virtual void PutAgain(const CoflowHandle& coflow, CoflowSource::FlowRequest flow);

    /// A task of this host gets a flow. A second call for the flow has no effect.
    /// @param coflow its coflow
    /// @param flow the flow in its coflow
    virtual void Get(const CoflowHandle& coflow, ::coflow::FlowId flow);

    /// The driver unregisters a coflow that was registered on this host. A scheduler with a
    /// coordinator cancels flows that are not done.
    /// @param coflow the coflow
    virtual void Unregister(const CoflowHandle& coflow);

    /// An admission control has refused a coflow that was registered on this host.
    /// @param coflow the coflow
    /// @param served whether its flows are sent nevertheless
    typedef void (*CoflowRejectedCallback)(::coflow::CoflowId coflow, bool served);

  protected:
    void DoDispose() override;

    /// @return number of this host
    ::coflow::HostId GetHost() const;

    /// @return source of this host
    CoflowSource& GetSource() const;

    /// @return sink of this host
    CoflowSink& GetSink() const;

    /// @param address any address
    /// @return whether the address belongs to this host
    bool IsOwnAddress(Ipv4Address address) const;

    /// Stores that a flow was put on this host.
    /// @param key the flow
    /// @return whether this is the first time
    bool NotePut(const FlowKey& key);

    /// @param options properties from a driver
    /// @return the given id, or an id that no other host uses
    ::coflow::CoflowId ChooseId(const CoflowOptions& options);

    /// Trace source CoflowRejected: the coflow, and whether it is served without a guarantee.
    TracedCallback<::coflow::CoflowId, bool> m_coflowRejectedTrace;

  private:
    ::coflow::HostId m_host{0}; ///< number of this host
    uint32_t m_nextId{0};       ///< for coflows without an id
    Ptr<CoflowSource> m_source; ///< sends the flows of this host
    Ptr<CoflowSink> m_sink;     ///< receives the flows of this host
    std::set<FlowKey> m_put;    ///< all flows that were ever put here
};

} // namespace ns3::coflow

#endif // COFLOW_HOST_AGENT_H
