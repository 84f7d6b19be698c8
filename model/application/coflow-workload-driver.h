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

/// Simulates the applications of a cluster. The driver of a coflow is on the host that sends the
/// coflow's first flow, and registers the coflow at its arrival. Then the sending hosts put the
/// coflow's flows, and the receiving hosts get the flows. When the driver knows that all flows have
/// arrived, it unregisters the coflow. The attribute Completion selects how the driver gets this
/// information. By default, every receiving host sends a message over the simulated network
/// (CompletionAgent). For comparisons, the driver gets the information at once and without a
/// message.
///
/// The workload driver is not part of a scheduler, and so may know the workload and act on all
/// hosts. A coflow with parents is released when the driver of the last parent knows that the
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
    /// The way in which a driver learns that all flows of its coflow have arrived.
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

    /// Starts to release the coflows of a workload.
    /// @param workload the workload, which must outlive the simulation. All its hosts must have an
    ///        agent
    /// @param agents agents by host id, which a Scheduler has installed
    void Start(const ::coflow::Workload& workload, const std::vector<Ptr<HostAgent>>& agents);

    /// Reports that a coflow's last flow has finished. CoflowTracker, which sees all hosts, calls
    /// this function. The call has an effect only with Completion::INSTANT.
    /// @param coflow the coflow
    void NotifyFinished(::coflow::CoflowId coflow);

    /// Reports that a coflow was refused. HostAgent's trace source CoflowRejected calls this
    /// function.
    /// @param coflow the coflow
    /// @param served whether the coflow is sent nevertheless, without a guarantee
    void NotifyRejected(::coflow::CoflowId coflow, bool served);

    /// @return latest time for which an arrival, a put or a get was scheduled so far
    Time GetLastPlanned() const
    {
        return m_lastPlanned;
    }

    /// @return messages of completion sent so far, by type
    ControlCounts GetSent() const;

    /// @return packets that TCP has sent for messages of completion
    WireCount GetWire() const;

    /// Assigns random streams.
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
    /// A condition for the release of a coflow is met: its arrival, or the finish of its parents.
    /// @param index index of the coflow in the workload
    void LetGo(uint32_t index);
    /// Releases a coflow: its driver registers it.
    /// @param index index of the coflow in the workload
    void Release(uint32_t index);
    /// A coflow was registered. Schedules the puts and gets of its flows.
    /// @param index index of the coflow in the workload
    /// @param handle the handle of the coflow
    void Play(uint32_t index, const CoflowHandle& handle);
    /// Adds the tasks of a coflow to their hosts. A host reports when its tasks are done.
    /// @param coflow the coflow
    /// @param awaited hosts that have not reported yet
    void ExpectTasks(const ::coflow::Coflow& coflow, std::set<HostId>& awaited);
    /// Puts a flow on its sending host, and gets the flow on its receiving host.
    /// @param flow the flow
    /// @param handle the handle of its coflow
    void Move(const ::coflow::Flow& flow, const CoflowHandle& handle);
    /// A host has reported to a driver that its tasks have all their flows of a coflow.
    /// @param coflow the coflow
    /// @param host the host
    void HandleTasksDone(::coflow::CoflowId coflow, HostId host);
    /// A driver knows that its coflow has finished. Unregisters the coflow. A child without other
    /// unmet conditions is released.
    /// @param coflow the coflow
    void Finish(::coflow::CoflowId coflow);
    /// @param host a host
    /// @return the agent of the host, which the first call creates
    CompletionAgent& GetAgent(HostId host);
    /// @param flow a flow
    /// @return host of the task that sees the end of the flow: the receiver, or the sender where
    ///         there are no bytes to send
    static HostId GetLastHost(const ::coflow::Flow& flow);
    /// @param coflow a coflow
    /// @return host of its driver
    static ::coflow::HostId GetDriverHost(const ::coflow::Coflow& coflow);

    /// @return arrival number of a coflow that arrives now
    uint64_t NumberArrival();

    /// A registered coflow whose driver does not know yet that the coflow has finished.
    struct Playing
    {
        uint32_t index{0};        ///< index of the coflow in the workload
        CoflowHandle handle;      ///< handle of the coflow
        std::set<HostId> awaited; ///< hosts that have not reported yet
    };

    Completion m_completion;                         ///< attribute Completion
    Ptr<ControlPlane> m_control;                     ///< control plane of the applications
    std::map<HostId, Ptr<CompletionAgent>> m_agents; ///< agents by host
    Ptr<RandomVariableStream> m_startJitter;         ///< attribute StartJitter, in seconds
    Ptr<RandomVariableStream> m_getJitter;           ///< attribute GetJitter, in seconds
    uint32_t m_entryPoints;                          ///< attribute EntryPoints
    Ptr<UniformRandomVariable> m_entryPoint;         ///< draws the entry point of the next coflow
    int64_t m_entryPointStream{-1};                  ///< random stream of m_entryPoint; -1: any
    std::vector<uint64_t> m_arrivalsAtEntry;         ///< number of arrivals by entry point
    Time m_lastPlanned; ///< time of the last arrival, put or get that was scheduled
    const ::coflow::Workload* m_workload{nullptr};   ///< workload; null before Start()
    std::vector<Ptr<CoflowClient>> m_clients;        ///< clients by host
    std::vector<uint32_t> m_nodes;                   ///< node ids by host
    std::map<::coflow::CoflowId, Playing> m_playing; ///< registered coflows
    ::coflow::ReleaseOrder m_order;                  ///< order in which parents release coflows
    /// Number of unmet conditions of every coflow, see LetGo().
    std::vector<uint8_t> m_holds;
    std::map<::coflow::CoflowId, uint32_t> m_indices; ///< indices of coflows in the workload

    TracedCallback<::coflow::CoflowId> m_coflowReleasedTrace;
    TracedCallback<::coflow::CoflowId, bool> m_coflowRegisteredTrace;
    TracedCallback<::coflow::CoflowId, bool> m_coflowRejectedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_WORKLOAD_DRIVER_H
