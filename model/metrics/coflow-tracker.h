/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TRACKER_H
#define COFLOW_TRACKER_H

#include "ns3/coflow-record.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-source.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace ns3::coflow
{

/// Records a run. The tracker connects to traces of sources and sinks, and keeps the records of all
/// coflows and flows. Nothing in the simulated network depends on the tracker.
class CoflowTracker : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Sets the workload; called once, before the run.
    /// @param workload the workload
    /// @param rates rates of the hosts' ports, for Gamma
    /// @param limits limits of short and narrow coflows
    void Expect(const ::coflow::Workload& workload,
                const ::coflow::PortRates& rates,
                const ::coflow::BinLimits& limits = {});

    /// Connects to the transport of one host.
    /// @param source source of the host
    /// @param sink sink of the host
    void Listen(Ptr<CoflowSource> source, Ptr<CoflowSink> sink);

    /// Records that a coflow was released. WorkloadDriver's trace source CoflowReleased calls this
    /// function.
    /// @param coflow the coflow
    void NotifyReleased(::coflow::CoflowId coflow);

    /// @param coflow the coflow, which is about to be released
    /// @return time at which the coflow became ready: its arrival in the workload, or the finish of
    ///         its last parent where this is later. The driver learns of this finish by messages,
    ///         and so releases the coflow later
    ::coflow::Nanoseconds GetReadyTime(::coflow::CoflowId coflow) const;

    /// Records that a coflow was registered. WorkloadDriver's trace source CoflowRegistered calls
    /// this function.
    /// @param coflow the coflow
    /// @param scheduled whether the scheduler decides about the coflow; false if the coflow is too
    ///        small
    void NotifyRegistered(::coflow::CoflowId coflow, bool scheduled);

    /// Records that an admission control has refused a coflow. WorkloadDriver's trace source
    /// CoflowRejected calls this function. IsComplete() does not wait for a coflow that is not
    /// sent.
    /// @param coflow the coflow
    /// @param served whether the coflow is sent nevertheless, without a guarantee
    void NotifyRejected(::coflow::CoflowId coflow, bool served);

    /// @return number of coflows that have finished
    std::size_t GetNFinished() const
    {
        return m_finished.size();
    }

    /// @return positions of finished coflows in the workload, in the order of their finish
    const std::vector<std::size_t>& GetFinished() const
    {
        return m_finished;
    }

    /// @return whether all coflows have finished, except coflows that are not sent
    bool IsComplete() const;

    /// @return positions of released and unfinished coflows in the workload
    const std::set<std::size_t>& GetPresent() const
    {
        return m_present;
    }

    /// @return records of all coflows, in the order of the workload
    const std::vector<::coflow::CoflowRecord>& GetCoflowRecords() const
    {
        return m_coflows;
    }

    /// @return records of all flows, in the order of the workload
    const std::vector<::coflow::FlowRecord>& GetFlowRecords() const;

    /// @param index position of a coflow in the workload
    /// @return records of the coflow's flows, a part of GetFlowRecords()
    std::span<const ::coflow::FlowRecord> GetFlowRecords(std::size_t index) const;

    /// @return number of steps of progress so far. A step is a coflow that was released, registered
    ///         or refused, or a flow that has started or finished
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

    /// @param coflow a coflow of the workload
    /// @return whether the coflow is registered. The driver of a registered coflow has the answer
    ///         of the scheduler
    bool IsRegistered(::coflow::CoflowId coflow) const;

    /// @param index position of a coflow in the workload
    /// @return whether the coflow was refused and is not sent
    bool IsDropped(std::size_t index) const;

    /// @return retransmitted segments of all flows
    uint64_t GetRetransmissions() const;

    /// A coflow has finished.
    /// @param coflow the coflow
    typedef void (*CoflowFinishedCallback)(::coflow::CoflowId coflow);

  private:
    void NotifyStarted(::coflow::CoflowId coflow,
                       ::coflow::FlowId flow,
                       Ipv4Address dst,
                       uint64_t bytes);
    void NotifyFinished(::coflow::CoflowId coflow,
                        ::coflow::FlowId flow,
                        uint64_t bytes,
                        Time firstByte);
    void NotifyRetransmission(::coflow::CoflowId coflow, ::coflow::FlowId flow);
    void Finish(std::size_t index);

    /// @return index of a coflow in the workload
    std::size_t IndexOf(::coflow::CoflowId coflow) const;
    ::coflow::FlowRecord& RecordOf(::coflow::CoflowId coflow, ::coflow::FlowId flow);

    std::map<::coflow::CoflowId, std::size_t> m_index;
    std::vector<::coflow::CoflowRecord> m_coflows;
    /// Parents, by coflow; only of coflows with parents.
    std::map<std::size_t, std::vector<std::size_t>> m_parents;
    std::vector<::coflow::FlowRecord> m_flows;
    std::vector<std::size_t> m_firstFlow;  ///< index of the first record in m_flows, by coflow
    std::vector<std::size_t> m_unfinished; ///< number of unfinished flows, by coflow
    std::set<std::size_t> m_present;       ///< see GetPresent()
    std::vector<std::size_t> m_finished;   ///< see GetFinished()
    std::vector<bool> m_registered;        ///< whether a coflow is registered, by coflow
    uint64_t m_nEvents{0};                 ///< see GetNEvents()
    std::set<std::size_t> m_dropped;       ///< coflows that are not sent

    TracedCallback<::coflow::CoflowId> m_coflowFinishedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_TRACKER_H
