/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BARAAT_RATE_AGENT_H
#define COFLOW_BARAAT_RATE_AGENT_H

#include "ns3/coflow-packet-class.h"
#include "ns3/coflow-priority-scheduler.h"
#include "ns3/coflow-scheduler.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>

namespace ns3::coflow
{

/// Parameters of BaraatRateAgent.
struct BaraatRateParameters
{
    DataRate linkRate;     ///< rate of the host's port to the network
    uint32_t segmentBytes; ///< segment size of TCP, in bytes
    Time minPeriod;        ///< least period of requests, see BaraatRateAgent
};

/// The agent of Baraat with explicit rates on a host.
///
/// A flow begins paused. When its connection opens, and then about once per period (a round trip,
/// at least MinPeriod), the flow requests a rate from the ports on its path, and is sent at the
/// rate in the answer. The demand of a request is the smallest of three rates: the rate of the
/// host's port; the rate at which the remaining bytes take one round trip; the rate to which the
/// last answer entitles the flow. A flow that is entitled to rate 0 demands a very small rate, so
/// that ports before the port that pauses the flow allocate almost no rate to it.
///
/// When an answer changes the demand by more than a quarter, a request with the new demand follows
/// at once. A flow with a rate below four segments per period sends one request per four segments,
/// and at least one per eight periods. The first paused flow of a host sends a request every
/// period. Each further paused flow has an interval that is two periods longer, up to 64 periods.
/// The last bytes of a flow, up to one segment, are sent without a rate, because a request and its
/// answer would cost about as much. The flow then sends a request with demand 0, and the first
/// paused flows of the host send requests at once.
///
/// When an answer is missing for two periods, or for the round trip and four times its variation if
/// this is longer, the flow repeats the request and halves its rate.
class BaraatRateAgent : public PriorityAgent
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param parameters the parameters
    explicit BaraatRateAgent(const BaraatRateParameters& parameters);

    /// @return number of requests sent and answers received so far, and bytes of their IPv4 packets
    const Scheduler::ControlTotals& GetSent() const
    {
        return m_sent;
    }

  protected:
    void DoDispose() override;

  private:
    struct Flow
    {
        FlowKey key;          ///< key of the flow at the source
        uint64_t demand{0};   ///< demand of the last request, in bit/s
        uint64_t rate{0};     ///< rate in force, in bit/s; 0: paused
        uint64_t nominal{0};  ///< rate to which the last answer entitles the flow, in bit/s
        Time asked;           ///< time of the first request without an answer, or of the last one
        uint32_t repeats{0};  ///< number of repetitions of the request without an answer
        bool answers{false};  ///< the flow has received an answer
        bool waiting{false};  ///< the last request has no answer yet
        bool hastened{false}; ///< the request after the last answer followed at once
        EventId event;        ///< event of the next request
    };

    void Prioritise(CoflowSource::FlowRequest& flow) override;
    void StartApplication() override;
    void StopApplication() override;

    /// A flow's connection is open.
    void HandleOpened(::coflow::CoflowId coflowId, ::coflow::FlowId flowId);
    /// Sends a request, or repeats a request without an answer.
    /// @param task task and number of the flow
    void Ask(FlowKey task);
    /// A flow needs no rate any more: the first paused flows of the host send requests.
    void AskForPaused();
    /// An answer has come.
    void HandleEcho(const PacketClass& echo);
    /// Sets the rate of a flow at the source.
    void Apply(const Flow& flow);
    /// @param flow a flow
    /// @param left number of bytes that are not written yet
    /// @return demand of the flow, in bit/s; 0 where no bytes are left
    uint64_t GetDemand(const Flow& flow, uint64_t left) const;
    /// @return time after which an answer counts as lost; doubles with each lost answer, up to 64
    ///         times the first value
    Time GetPatience(const Flow& flow) const;
    /// @return the period: a round trip of requests, at least MinPeriod
    Time GetPeriod() const;
    /// @return time from an answered request to the next request
    Time GetInterval(FlowKey task, const Flow& flow, uint64_t left) const;

    BaraatRateParameters m_parameters;
    std::map<FlowKey, Flow> m_flows;    ///< flows that need a rate, by task and number in the task
    std::map<FlowKey, FlowKey> m_tasks; ///< keys in m_flows, by key of the flow at the source
    Time m_roundTrip{0};                ///< smoothed round-trip time of requests; 0: none measured
    Time m_variation{0};                ///< smoothed variation of the round-trip time
    Scheduler::ControlTotals m_sent;
};

} // namespace ns3::coflow

#endif // COFLOW_BARAAT_RATE_AGENT_H
