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

/// A coflow as its driver hands it to the tasks that put and get its flows.
struct CoflowHandle
{
    ::coflow::CoflowId id{0};       ///< the coflow
    bool scheduled{true};           ///< false: it bypasses the scheduler, its flows are plain TCP
    uint64_t arrivalNumber{0};      ///< as its driver said, for schedulers without a coordinator
    std::optional<Time> deadline{}; ///< absolute, for schedulers without a coordinator
    uint64_t order{0};              ///< place among all coflows, of schedulers that give one
};

/// What a driver may say of a coflow.
struct CoflowOptions
{
    std::optional<::coflow::CoflowId> id;  ///< the id it shall have; none: any
    std::optional<Time> deadline;          ///< after now, > 0
    ::coflow::CoflowAttributes attributes; ///< that its job gives it
    uint64_t arrivalNumber{0};             ///< its number where coflows arrive, from 1 on; 0: none
    std::vector<::coflow::CoflowId> parents{}; ///< coflows that it depends on
    /// Largest load that it puts on a port, in bytes, where the driver knows it. A coflow with a
    /// small one may bypass a scheduler that may know sizes.
    std::optional<OpaqueSize> bottleneckBytes;
};

/// The part of a scheduler that runs on one host. The applications of the host talk to it alone;
/// see CoflowClient. It commands the host's own CoflowSource. It learns of other hosts in messages
/// alone.
///
/// This class itself serves schedulers without coordination: coflows are registered without a
/// message, and gets are ignored.
class HostAgent : public Application
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Told the coflow that was registered.
    using RegisteredCallback = std::function<void(const CoflowHandle&)>;

    /// @param host number of this host
    /// @param source sends the flows of this host
    /// @param sink receives the flows of this host
    void SetHost(::coflow::HostId host, Ptr<CoflowSource> source, Ptr<CoflowSink> sink);

    /// A driver on this host begins a coflow.
    /// @param numFlows number of its flows; it is ready when so many have been put and got
    /// @param options what else the driver says
    /// @param registered is told when its flows may be put and got; perhaps within this call
    /// @return id of the coflow
    virtual ::coflow::CoflowId Register(uint32_t numFlows,
                                        const CoflowOptions& options,
                                        RegisteredCallback registered);

    /// A task of this host has data to send: a flow that becomes known now.
    /// @param coflow its coflow, whose id is that of the flow
    /// @param flow the flow; its rate limit is the agent's to decide. Known already: no effect
    virtual void Put(const CoflowHandle& coflow, CoflowSource::FlowRequest flow) = 0;

    /// A task of this host was started again and puts a flow again. The bytes that were sent of it
    /// are void.
    /// @param coflow its coflow
    /// @param flow the flow
    virtual void PutAgain(const CoflowHandle& coflow, CoflowSource::FlowRequest flow);

    /// A task of this host wants a flow. Known already: no effect.
    /// @param coflow its coflow
    /// @param flow the flow in its coflow
    virtual void Get(const CoflowHandle& coflow, ::coflow::FlowId flow);

    /// The driver unregisters a coflow that was registered on this host. A scheduler with a
    /// coordinator cancels flows that are not done.
    /// @param coflow the coflow
    virtual void Unregister(const CoflowHandle& coflow);

    /// An admission control refused a coflow that was registered on this host.
    /// @param coflow the coflow
    /// @param served whether its flows are sent all the same
    typedef void (*CoflowRejectedCallback)(::coflow::CoflowId coflow, bool served);

  protected:
    void DoDispose() override;

    /// @return number of this host
    ::coflow::HostId GetHost() const;

    /// @return sends the flows of this host
    CoflowSource& GetSource() const;

    /// @return receives the flows of this host
    CoflowSink& GetSink() const;

    /// @param address any address
    /// @return whether it is one of this host itself
    bool IsOwnAddress(Ipv4Address address) const;

    /// Notes a flow that is put on this host.
    /// @param key the flow
    /// @return whether it is the first time
    bool NotePut(const FlowKey& key);

    /// @param options what a driver said
    /// @return the id that was asked for, or one that no other host gives out
    ::coflow::CoflowId ChooseId(const CoflowOptions& options);

    /// Trace source CoflowRejected: the coflow, and whether it is served without a promise.
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
