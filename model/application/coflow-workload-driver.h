/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_WORKLOAD_DRIVER_H
#define COFLOW_WORKLOAD_DRIVER_H

#include "ns3/coflow-client.h"
#include "ns3/coflow-completion-agent.h"
#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-host-agent.h"
#include "ns3/coflow-release-order.h"
#include "ns3/coflow-types.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace ns3::coflow
{

/// Plays the applications of a cluster. The driver of a coflow is on the host that sends the
/// coflow's first flow, and registers the coflow at its arrival. Then the sending hosts put the
/// coflow's flows, and the receiving hosts get them. When the driver has learnt that all flows have
/// arrived, it unregisters the coflow. The attribute Completion says how the driver learns this: by
/// a message of every receiving host over the simulated network (CompletionAgent), or, for
/// comparison, at once without a message.
///
/// The workload driver is not part of a scheduler, and so may know the workload and act on all
/// hosts. A coflow with parents is released when the driver of the last parent has learnt that the
/// parent has finished, or at its own arrival where this is later. All drivers share this
/// information, because a job has one driver program on all hosts. The children of a coflow that is
/// refused, and not sent, are also refused.
///
/// Real tasks do not start in the same nanosecond, and a TCP simulation with equal start times
/// measures effects of its symmetry. So every flow is put after its own random delay, the attribute
/// StartJitter. Receiving tasks may have another delay, the attribute GetJitter.
class WorkloadDriver : public Object
{
  public:
    /// How a driver learns that all flows of its coflow have arrived.
    enum class Completion
    {
        MESSAGE, ///< by messages of receiving hosts over the network
        INSTANT  ///< at the arrival of the last byte, without a message
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Sets the control plane for messages of completion. To be called before Start().
    /// @param control a control plane for the applications only
    void SetControl(Ptr<ControlPlane> control)
    {
        m_control = control;
    }

    /// @param workload the workload, which is kept by reference. All its hosts must have an agent
    /// @param agents agents by host id, which a Scheduler has installed
    void Start(const ::coflow::Workload& workload, const std::vector<Ptr<HostAgent>>& agents);

    /// A coflow's last flow has finished. The caller sees all hosts. A driver uses this call only
    /// with Completion::INSTANT.
    /// @param coflow the coflow
    void NotifyFinished(::coflow::CoflowId coflow);

    /// A coflow was refused. Connects to HostAgent's trace source CoflowRejected.
    /// @param coflow the coflow
    /// @param served whether the coflow is sent nevertheless, without a guarantee
    void NotifyRejected(::coflow::CoflowId coflow, bool served);

    /// @return time of the last arrival, put or get that is scheduled so far
    Time GetLastPlanned() const
    {
        return m_lastPlanned;
    }

    /// @return messages of completion sent so far, by type
    ControlCounts GetSent() const;

    /// @return packets that TCP has sent for these messages
    WireCount GetWire() const;

    /// @param stream first random stream to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// A coflow was released. Its CCT counts from now.
    /// @param coflow the coflow
    typedef void (*CoflowReleasedCallback)(::coflow::CoflowId coflow);

    /// A coflow was registered. Its flows are put and got next.
    /// @param coflow the coflow
    /// @param scheduled false: the coflow bypasses the scheduler
    typedef void (*CoflowRegisteredCallback)(::coflow::CoflowId coflow, bool scheduled);

    /// A coflow was refused by an admission control.
    /// @param coflow the coflow
    /// @param served whether the coflow is sent nevertheless
    typedef void (*CoflowRejectedCallback)(::coflow::CoflowId coflow, bool served);

  protected:
    void DoDispose() override;

  private:
    /// One of the conditions for a coflow's release is met: its arrival, or the finish of its
    /// parents.
    void LetGo(uint32_t index);
    void Release(uint32_t index);
    /// The driver of a coflow allows its flows to be put and got.
    void Play(uint32_t index, const CoflowHandle& handle);
    /// The tasks of a coflow begin on their hosts, which report when the tasks are done.
    void ExpectTasks(const ::coflow::Coflow& coflow, std::set<HostId>& awaited);
    /// Puts a flow on its sending host, and gets it on its receiving host.
    void Move(const ::coflow::Flow& flow, const CoflowHandle& handle);
    /// A driver has learnt that the tasks of a host have all their flows of a coflow.
    void HandleTasksDone(::coflow::CoflowId coflow, HostId host);
    /// A driver has learnt that its coflow has finished.
    void Finish(::coflow::CoflowId coflow);
    /// @return the agent of a host, which is created at the first call
    CompletionAgent& GetAgent(HostId host);
    /// @return host of the task that sees the end of a flow: the flow's receiver, or its sender
    ///         where there are no bytes to send
    static HostId GetLastHost(const ::coflow::Flow& flow);
    /// @return host of a coflow's driver
    static ::coflow::HostId GetDriverHost(const ::coflow::Coflow& coflow);

    /// @return the number of a coflow that arrives now
    uint64_t NumberArrival();

    /// A registered coflow whose driver has not learnt that the coflow has finished.
    struct Playing
    {
        uint32_t index{0};        ///< in the workload
        CoflowHandle handle;      ///< the driver's handle
        std::set<HostId> awaited; ///< hosts that have not reported yet
    };

    Completion m_completion;     ///< attribute Completion
    Ptr<ControlPlane> m_control; ///< of the applications
    std::map<HostId, Ptr<CompletionAgent>> m_agents;
    Ptr<RandomVariableStream> m_startJitter; ///< seconds
    Ptr<RandomVariableStream> m_getJitter;   ///< seconds
    uint32_t m_entryPoints;                  ///< attribute EntryPoints
    Ptr<UniformRandomVariable> m_entryPoint; ///< of the next coflow, where there are several
    int64_t m_entryPointStream{-1};          ///< its random stream; -1: any
    std::vector<uint64_t> m_arrivalsAtEntry; ///< by entry point
    Time m_lastPlanned;                      ///< GetLastPlanned()
    const ::coflow::Workload* m_workload{nullptr};
    std::vector<Ptr<CoflowClient>> m_clients; ///< by host
    std::vector<uint32_t> m_nodes;            ///< by host: id of its node
    std::map<::coflow::CoflowId, Playing> m_playing;
    ::coflow::ReleaseOrder m_order; ///< dependencies of coflows
    /// For every coflow, the number of conditions that are not met yet, see LetGo().
    std::vector<uint8_t> m_holds;
    std::map<::coflow::CoflowId, uint32_t> m_indices; ///< of coflows in the workload

    TracedCallback<::coflow::CoflowId> m_coflowReleasedTrace;
    TracedCallback<::coflow::CoflowId, bool> m_coflowRegisteredTrace;
    TracedCallback<::coflow::CoflowId, bool> m_coflowRejectedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_WORKLOAD_DRIVER_H
