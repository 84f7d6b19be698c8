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

/// Plays the applications of a cluster: at every coflow's arrival its driver, on the host that
/// sends its first flow, registers it; then its flows are put on their sending hosts and got on
/// their receiving hosts, and when the driver has heard that all have arrived it is unregistered.
/// What a driver hears is the attribute Completion: a message of every receiving host, over the
/// simulated network (CompletionAgent), or, for comparison, the truth at the instant.
///
/// It stands for the outside world, not for a scheduler, and may therefore know the workload and
/// act on all hosts. A coflow with parents is released when the driver of the last of them has
/// heard that it has finished, or at its own arrival if that is later. What one driver hears all
/// know: a job has one driver program, whichever hosts its coflows are registered on.
/// Children of a coflow that is refused, and not sent, are refused with it.
///
/// Real tasks do not start in the same nanosecond, and TCP simulations in which they do measure
/// their own symmetry: every flow is put after a delay of its own, the attribute StartJitter.
/// Receiving tasks may come later still, the attribute GetJitter.
class WorkloadDriver : public Object
{
  public:
    /// How a driver learns that all flows of its coflow have arrived.
    enum class Completion
    {
        MESSAGE, ///< receiving hosts tell it, over the network
        INSTANT  ///< at the moment at which the last byte arrives anywhere, without a message
    };

    /// @return the TypeId
    static TypeId GetTypeId();

    /// Says how messages of completion travel. To be called before Start().
    /// @param control a control plane of the applications' own
    void SetControl(Ptr<ControlPlane> control)
    {
        m_control = control;
    }

    /// @param workload what to play, kept by reference; its hosts must all have an agent
    /// @param agents by host id, installed by a Scheduler
    void Start(const ::coflow::Workload& workload, const std::vector<Ptr<HostAgent>>& agents);

    /// A coflow's last flow has finished, says somebody who sees everything. Only with
    /// Completion::INSTANT does a driver listen.
    /// @param coflow the coflow
    void NotifyFinished(::coflow::CoflowId coflow);

    /// A coflow was refused. Connects to HostAgent's trace source CoflowRejected.
    /// @param coflow the coflow
    /// @param served whether it is sent all the same, without a promise
    void NotifyRejected(::coflow::CoflowId coflow, bool served);

    /// @return when the last arrival, put or get is that is planned by now
    Time GetLastPlanned() const
    {
        return m_lastPlanned;
    }

    /// @return messages of completion that were sent so far, by type
    ControlCounts GetSent() const;

    /// @return what TCP has sent for that
    WireCount GetWire() const;

    /// @param stream first random stream to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// A coflow was released: its CCT counts from now.
    /// @param coflow the coflow
    typedef void (*CoflowReleasedCallback)(::coflow::CoflowId coflow);

    /// A coflow was registered: its flows are being put and got.
    /// @param coflow the coflow
    /// @param scheduled false: it bypasses the scheduler
    typedef void (*CoflowRegisteredCallback)(::coflow::CoflowId coflow, bool scheduled);

    /// A coflow was refused by an admission control.
    /// @param coflow the coflow
    /// @param served whether it is sent all the same
    typedef void (*CoflowRejectedCallback)(::coflow::CoflowId coflow, bool served);

  protected:
    void DoDispose() override;

  private:
    /// One of the things that held a coflow back is over: its time of arrival, or its parents.
    void LetGo(uint32_t index);
    void Release(uint32_t index);
    /// Its driver says that its flows may be put and got.
    void Play(uint32_t index, const CoflowHandle& handle);
    /// Its tasks begin on their hosts, which will tell when they are done.
    void ExpectTasks(const ::coflow::Coflow& coflow, std::set<HostId>& awaited);
    /// A flow is put on its sending host and got on its receiving host.
    void Move(const ::coflow::Flow& flow, const CoflowHandle& handle);
    /// A driver has heard that tasks of a host have all that they get of a coflow.
    void HandleTasksDone(::coflow::CoflowId coflow, HostId host);
    /// A driver knows that its coflow has finished.
    void Finish(::coflow::CoflowId coflow);
    /// @return that of a host; it is made where there is none yet
    CompletionAgent& GetAgent(HostId host);
    /// @return host on which a task knows that a flow has ended: that of its receiver, or, if there
    ///         is nothing to be sent, that of its sender
    static HostId GetLastHost(const ::coflow::Flow& flow);
    /// @return host of a coflow's driver
    static ::coflow::HostId GetDriverHost(const ::coflow::Coflow& coflow);

    /// @return the number of a coflow that arrives now
    uint64_t NumberArrival();

    /// A coflow that was registered and whose driver has not heard that it has finished.
    struct Playing
    {
        uint32_t index{0};        ///< in the workload
        CoflowHandle handle;      ///< what its driver was handed
        std::set<HostId> awaited; ///< hosts that have not told the driver yet
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
    ::coflow::ReleaseOrder m_order; ///< who waits for whom
    /// For every coflow how many things still hold it back, see LetGo().
    std::vector<uint8_t> m_holds;
    std::map<::coflow::CoflowId, uint32_t> m_indices; ///< of coflows in the workload

    TracedCallback<::coflow::CoflowId> m_coflowReleasedTrace;
    TracedCallback<::coflow::CoflowId, bool> m_coflowRegisteredTrace;
    TracedCallback<::coflow::CoflowId, bool> m_coflowRejectedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_WORKLOAD_DRIVER_H
