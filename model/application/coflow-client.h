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

/// The interface for applications of a host that have coflows moved (Varys, Chowdhury et al.,
/// SIGCOMM 2014, section 4.1). Every host on which CoflowHelper or PacketCluster has installed a
/// scheduler has one:
///
///     auto client = node->GetObject<CoflowClient>();
///
/// A coflow has a *driver*. The driver registers the coflow and tells the tasks on other hosts
/// about it, outside of the simulated network. A sending task puts each of its flows. A receiving
/// task gets each of its own, in any order. When all has arrived, the driver unregisters the
/// coflow.
///
/// The scheduler decides when flows are sent. Without a coordinator a flow is sent when it is put.
class CoflowClient : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

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
    /// @param numFlows number of its flows; the coflow is ready when this number was put and got
    /// @param options other properties of the coflow
    /// @param registered called when its flows may be put and got, possibly within this call
    /// @return id of the coflow
    ::coflow::CoflowId Register(uint32_t numFlows,
                                const CoflowOptions& options,
                                HostAgent::RegisteredCallback registered);

    /// This host has data of a coflow. A second call for the flow has no effect.
    /// @param coflow the coflow
    /// @param flow the flow in its coflow
    /// @param dst address of the receiving host, possibly this host
    /// @param bytes size of the flow
    void Put(const CoflowHandle& coflow, ::coflow::FlowId flow, Ipv4Address dst, uint64_t bytes);

    /// A task of this host was started again and puts a flow again.
    /// @param coflow its coflow
    /// @param flow the flow in its coflow
    /// @param dst address of the receiving host, possibly this host
    /// @param bytes size of the flow
    void PutAgain(const CoflowHandle& coflow,
                  ::coflow::FlowId flow,
                  Ipv4Address dst,
                  uint64_t bytes);

    /// This host wants data of a coflow. A second call for the flow has no effect.
    /// @param coflow the coflow
    /// @param flow the flow in its coflow
    /// @param received called once when the last byte has arrived; within this call if it has
    ///        arrived already
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
