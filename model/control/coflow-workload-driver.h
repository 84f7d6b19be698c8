/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_WORKLOAD_DRIVER_H
#define COFLOW_WORKLOAD_DRIVER_H

#include "ns3/coflow-host-agent.h"
#include "ns3/coflow-types.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::coflow
{

/// Plays the applications of a cluster: at every coflow's arrival it has the coflow's flows put
/// on their sending hosts.
///
/// It stands for the outside world, not for a scheduler, and may therefore know the workload and
/// act on all hosts. A coflow with parents is released when the last of them has finished, or at
/// its own arrival if that is later: dependences are an ideal driver's, they cost no messages.
///
/// Real tasks do not start in the same nanosecond, and TCP simulations in which they do measure
/// their own symmetry: every flow is put after a delay of its own, the attribute StartJitter.
///
/// Coflows are numbered as they arrive, by a counter at their common entry point, such as a load
/// balancer or job scheduler. With several entry points, each numbers what comes through it, so
/// that coflows are in order of arrival only roughly (Baraat, Dogar et al., SIGCOMM 2014, section
/// 4.1): with N of them, the i-th begins with i and adds N for every coflow.
class WorkloadDriver : public Object
{
  public:
    static TypeId GetTypeId();

    WorkloadDriver();
    ~WorkloadDriver() override;

    /// @param workload what to play, kept by reference; its hosts must all have an agent
    /// @param agents by host id
    void Start(const ::coflow::Workload& workload, std::vector<Ptr<HostAgent>> agents);

    /// A coflow's last flow has finished: its children may be released.
    void NotifyFinished(::coflow::CoflowId coflow);

    /// @param stream first random stream to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream);

    /// A coflow was released: its CCT counts from now.
    /// @param coflow the coflow
    typedef void (*CoflowReleasedCallback)(::coflow::CoflowId coflow);

  protected:
    void DoDispose() override;

  private:
    void Arrive(std::size_t index);
    void Release(std::size_t index);

    /// @return the number of a coflow that arrives now
    uint64_t NumberArrival();

    Ptr<RandomVariableStream> m_startJitter; ///< seconds
    uint32_t m_entryPoints;                  ///< attribute EntryPoints
    Ptr<UniformRandomVariable> m_entryPoint; ///< of the next coflow
    std::vector<uint64_t> m_arrivalsAtEntry; ///< by entry point
    const ::coflow::Workload* m_workload{nullptr};
    std::vector<Ptr<HostAgent>> m_agents;
    /// For every coflow what still holds it back: its arrival, and parents.
    std::vector<std::size_t> m_holds;
    /// Coflows that wait for another one, by its id.
    std::multimap<::coflow::CoflowId, std::size_t> m_children;

    TracedCallback<::coflow::CoflowId> m_coflowReleasedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_WORKLOAD_DRIVER_H
