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

/// What agents of Baraat with explicit rates know.
struct BaraatRateParameters
{
    DataRate linkRate;     ///< of the host's port to the network
    uint32_t segmentBytes; ///< of TCP
    Time minPeriod;        ///< shortest time between two requests of a flow that has its rate
};

/// The part of Baraat with explicit rates on a host.
///
/// A flow begins paused. When its connection opens, and from then on about once a period (a round
/// trip, at least MinPeriod), it asks the ports on its way for a rate, and is sent at what the
/// answer says. Its demand is what it could use: at most the rate of the host, what is left to be
/// written in one round trip, and what it is entitled to. A flow that is entitled to nothing
/// demands next to nothing, so that ports before the one that denies it keep no rate for it.
///
/// An answer that changes what the flow is entitled to is followed by a request with the new demand
/// at once. A flow with a rate below four segments per period asks once per four segments, at least
/// every eight periods. Of the paused flows of a host the first asks every period, and each further
/// one two periods less often, up to every 64. What is no more than a segment is sent without a
/// rate: a request and its answer would cost about as much. Then, the flow says that it needs no
/// rate any more, and the first paused flows of the host ask at once.
///
/// Where an answer does not come for two periods, or for what round trips vary by, the flow asks
/// again, with half of its rate.
class BaraatRateAgent : public PriorityAgent
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param parameters what the agent knows
    explicit BaraatRateAgent(const BaraatRateParameters& parameters);

    /// @return requests and their answers so far, and bytes of their IPv4 packets
    const Scheduler::ControlTotals& GetSent() const
    {
        return m_sent;
    }

  protected:
    void DoDispose() override;

  private:
    struct Flow
    {
        FlowKey key;          ///< by which the source knows it
        uint64_t demand{0};   ///< of its last request
        uint64_t rate{0};     ///< that it has; 0: paused
        uint64_t nominal{0};  ///< that it is entitled to; 0 before the first answer
        Time asked;           ///< when it asked last, or first since the last answer
        uint32_t repeats{0};  ///< requests since then, after the first
        bool answers{false};  ///< whether there has been an answer
        bool waiting{false};  ///< for one
        bool hastened{false}; ///< whether the last request came at once after an answer
        EventId event;        ///< the next request
    };

    void Prioritise(CoflowSource::FlowRequest& flow) override;
    void StartApplication() override;
    void StopApplication() override;

    /// A flow's connection is open.
    void HandleOpened(::coflow::CoflowId coflowId, ::coflow::FlowId flowId);
    /// It is time to ask, or an answer has not come.
    void Ask(FlowKey task);
    /// A flow needs its rate no more: the first of those that are paused ask.
    void AskForPaused();
    /// An answer has come.
    void HandleEcho(const PacketClass& echo);
    /// Has the flow sent at the rate that it has.
    void Apply(const Flow& flow);
    /// @return what a flow with so many bytes left to write could use
    uint64_t GetDemand(const Flow& flow, uint64_t left) const;
    /// @return how long an answer may take before it counts as lost; doubles with each that does
    Time GetPatience(const Flow& flow) const;
    /// @return the usual time between two requests: a round trip of requests, at least the shortest
    Time GetPeriod() const;
    /// @return time from a request that has been answered to the next
    Time GetInterval(FlowKey task, const Flow& flow, uint64_t left) const;

    BaraatRateParameters m_parameters;
    std::map<FlowKey, Flow> m_flows;    ///< by task and flow: those that ask
    std::map<FlowKey, FlowKey> m_tasks; ///< the same, by what the source knows them by
    Time m_roundTrip{0};                ///< smoothed, of requests
    Time m_variation{0};                ///< of that, smoothed likewise
    Scheduler::ControlTotals m_sent;
};

} // namespace ns3::coflow

#endif // COFLOW_BARAAT_RATE_AGENT_H
