/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CLIENT_H
#define COFLOW_CLIENT_H

#include "ns3/coflow-host-agent.h"
#include "ns3/ipv4-address.h"
#include "ns3/object.h"

#include <cstdint>
#include <functional>
#include <map>

namespace ns3::coflow
{

/// The interface by which applications of a host register and transfer coflows (Varys, Chowdhury et
/// al., SIGCOMM 2014, section 4.1). Every host on which CoflowHelper or PacketCluster has installed
/// a scheduler has a client:
///
///     auto client = node->GetObject<CoflowClient>();
///
/// A coflow has a *driver*, which is an application on one host. The driver calls Register(), and
/// passes the handle of the coflow to the tasks on other hosts, outside of the simulated network. A
/// sending task calls Put() for each flow that it sends. A receiving task calls Get() for each flow
/// that it receives, in any order. When all flows have arrived, the driver calls Unregister().
///
/// The scheduler decides when flows are sent. A scheduler without a coordinator sends a flow as
/// soon as it is put.
class CoflowClient : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Connects the client to its host. CoflowInstallation calls this function.
    /// @param agent the scheduler's agent on this host
    /// @param sink sink of the flows of this host
    /// @param address address at which other hosts reach this host
    void SetAgent(Ptr<HostAgent> agent, Ptr<CoflowSink> sink, Ipv4Address address);

    /// @return address of this host, to which tasks of other hosts put flows
    Ipv4Address GetAddress() const
    {
        return m_address;
    }

    /// Registers a coflow.
    /// @param numFlows number of flows of the coflow. The coflow is ready when this number of flows
    ///        was put and got
    /// @param options other properties of the coflow
    /// @param registered called when the flows of the coflow may be put and got, possibly within
    ///        this call
    /// @return id of the coflow
    ::coflow::CoflowId Register(uint32_t numFlows,
                                const CoflowOptions& options,
                                HostAgent::RegisteredCallback registered);

    /// A task of this host has a flow to send. A second call for the same flow has no effect.
    /// @param coflow the coflow
    /// @param flow the flow in its coflow
    /// @param dst address of the receiving host, possibly this host
    /// @param bytes size of the flow
    void Put(const CoflowHandle& coflow, ::coflow::FlowId flow, Ipv4Address dst, uint64_t bytes);

    /// A task of this host has restarted, and sends a flow again from its first byte.
    /// @param coflow its coflow
    /// @param flow the flow in its coflow
    /// @param dst address of the receiving host, possibly this host
    /// @param bytes size of the flow
    void PutAgain(const CoflowHandle& coflow,
                  ::coflow::FlowId flow,
                  Ipv4Address dst,
                  uint64_t bytes);

    /// A task of this host is to receive a flow. A second call for the same flow has no effect.
    /// @param coflow the coflow
    /// @param flow the flow in its coflow
    /// @param received called once when the last byte has arrived. Where the byte has arrived
    ///        already, the callback is called within this call. Empty: no callback
    void Get(const CoflowHandle& coflow,
             ::coflow::FlowId flow,
             std::function<void()> received = {});

    /// The driver unregisters a coflow that was registered on this host. A scheduler with a
    /// coordinator cancels flows that are not done.
    /// @param coflow the coflow
    void Unregister(const CoflowHandle& coflow);

  protected:
    void DoDispose() override;

  private:
    void OnReceived(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t bytes, Time);

    Ptr<HostAgent> m_agent; ///< the scheduler's agent
    Ipv4Address m_address;  ///< address of this host
    Ptr<CoflowSink> m_sink; ///< sink of the flows of this host
    std::map<FlowKey, std::function<void()>>
        m_waiting; ///< callbacks of flows that have not arrived
};

} // namespace ns3::coflow

#endif // COFLOW_CLIENT_H
