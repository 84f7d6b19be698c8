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
    Time minPeriod;        ///< shortest time between two requests of a flow
    uint64_t minRate;      ///< bits per second; a flow that is given less is paused
};

/// The part of Baraat with explicit rates on a host.
///
/// A flow begins paused. As soon as its connection is open, and once per round trip, it asks the
/// ports on its way for a rate, and is sent at what the answer says. Its demand is what it could
/// use: at most the rate of the host, what is left to be written in one round trip, and what it is
/// entitled to, but at least a segment per round trip. A flow that is given nothing is paused and
/// asks ever less often, up to every eight round trips. Where answers do not come, the rate is kept
/// for two round trips and then halved in each. What has written its last byte says so: its demand
/// is 0.
class BaraatRateAgent : public PriorityAgent
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param parameters what the agent knows
    explicit BaraatRateAgent(const BaraatRateParameters& parameters);
    ~BaraatRateAgent() override;

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
        uint64_t rate{0};     ///< that it has; 0: paused
        uint64_t nominal{0};  ///< that it is entitled to; 0 before the first answer
        Time asked;           ///< when it asked last
        Time answered;        ///< when the last answer came, or it began
        bool answers{false};  ///< whether there has been an answer
        bool waiting{false};  ///< for one
        uint32_t patience{1}; ///< round trips between requests
        EventId event;        ///< the next request
    };

    void Prioritise(CoflowSource::FlowRequest& flow) override;
    void StartApplication() override;
    void StopApplication() override;

    /// It is time to ask, or an answer has not come.
    void Ask(FlowKey task);
    /// An answer has come.
    void HandleEcho(const PacketClass& echo);
    /// Has the flow sent at the rate that it has.
    void Apply(const Flow& flow);
    /// @return what a flow with so many bytes left to write could use
    uint64_t GetDemand(const Flow& flow, uint64_t left) const;
    /// @return round trip of requests, at least the shortest period
    Time GetPeriod() const;

    BaraatRateParameters m_parameters;
    std::map<FlowKey, Flow> m_flows; ///< by task and flow: those that ask
    Time m_roundTrip{0};             ///< smoothed, of requests
    Scheduler::ControlTotals m_sent;
};

} // namespace ns3::coflow

#endif // COFLOW_BARAAT_RATE_AGENT_H
