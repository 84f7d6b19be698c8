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

/// Follows a run from outside: listens to sources and sinks and keeps the records of all coflows
/// and flows. Nothing in the simulated network depends on it.
class CoflowTracker : public Object
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// Says what will be played; called once, before the run.
    /// @param workload what will be played
    /// @param rates rates of the hosts' ports, for Gamma
    /// @param limits what counts as short and as narrow
    void Expect(const ::coflow::Workload& workload,
                const ::coflow::PortRates& rates,
                const ::coflow::BinLimits& limits = {});

    /// Listens to the transport of one host.
    /// @param source of the host
    /// @param sink of the host
    void Listen(Ptr<CoflowSource> source, Ptr<CoflowSink> sink);

    /// A coflow was released; connects to WorkloadDriver's trace source CoflowReleased.
    /// @param coflow the coflow
    void NotifyReleased(::coflow::CoflowId coflow);

    /// @param coflow the coflow, which is about to be released
    /// @return when it became ready: its arrival in the workload, or the finish of its last parent
    ///         where that is later. Its driver hears of that finish in messages, and releases it
    ///         then
    ::coflow::Nanoseconds GetReadyTime(::coflow::CoflowId coflow) const;

    /// A coflow was registered; connects to WorkloadDriver's trace source CoflowRegistered.
    /// @param coflow the coflow
    /// @param scheduled whether the scheduler decides about it: false where it is too small
    void NotifyRegistered(::coflow::CoflowId coflow, bool scheduled);

    /// A coflow was refused by an admission control; connects to WorkloadDriver's trace source
    /// CoflowRejected. One that is not sent need not finish.
    /// @param coflow the coflow
    /// @param served whether it is sent all the same, without a promise
    void NotifyRejected(::coflow::CoflowId coflow, bool served);

    /// @return coflows that have finished
    std::size_t GetNFinished() const
    {
        return m_finished.size();
    }

    /// @return coflows that have finished, in order of time: positions in the workload
    const std::vector<std::size_t>& GetFinished() const
    {
        return m_finished;
    }

    /// @return bytes of finished flows
    uint64_t GetFinishedBytes() const
    {
        return m_finishedBytes;
    }

    /// @return whether all coflows have finished that will
    bool IsComplete() const;

    /// @return coflows that were released and have yet to finish: positions in the workload
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
    /// @return records of its flows, a part of GetFlowRecords()
    std::span<const ::coflow::FlowRecord> GetFlowRecords(std::size_t index) const;

    /// @return steps that have brought coflows nearer to their ends: how many coflows were
    /// released,
    ///         registered or refused, and how many flows started or finished, each counted once
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

    /// @param coflow a coflow of the workload
    /// @return whether it was registered: its driver has had an answer
    bool IsRegistered(::coflow::CoflowId coflow) const;

    /// @param index position of a coflow in the workload
    /// @return whether it was refused and is not sent
    bool IsDropped(std::size_t index) const;

    /// @return segments that TCP sent again, for all flows
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
    std::map<std::size_t, std::vector<std::size_t>> m_parents; ///< of coflows that have some
    std::vector<::coflow::FlowRecord> m_flows;
    std::vector<std::size_t> m_firstFlow;  ///< of every coflow, its first record in m_flows
    std::vector<std::size_t> m_unfinished; ///< of every coflow, the flows still to finish
    std::set<std::size_t> m_present;       ///< see GetPresent()
    std::vector<std::size_t> m_finished;   ///< see GetFinished()
    std::vector<bool> m_registered;        ///< of every coflow, whether it was
    uint64_t m_nEvents{0};                 ///< see GetNEvents()
    std::set<std::size_t> m_dropped;       ///< coflows that are not sent
    uint64_t m_finishedBytes{0};

    TracedCallback<::coflow::CoflowId> m_coflowFinishedTrace;
};

} // namespace ns3::coflow

#endif // COFLOW_TRACKER_H
