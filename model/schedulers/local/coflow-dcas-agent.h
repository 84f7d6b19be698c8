/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_AGENT_H
#define COFLOW_DCAS_AGENT_H

#include "ns3/coflow-dcas-message.h"
#include "ns3/coflow-dcas-rules.h"
#include "ns3/coflow-dcas.h"
#include "ns3/coflow-priority-scheduler.h"
#include "ns3/coflow-size-knowledge.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/random-variable-stream.h"
#include "ns3/socket.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace ns3::coflow
{

/// Parameters of D-CAS, as the attributes of DcasScheduler say.
struct DcasParameters
{
    Time delta;            ///< period of rounds
    Time patience;         ///< T: longest time without service
    Time expiry;           ///< how long receivers remember an announcement
    Time minWait;          ///< shortest wait for feedback
    Time feedbackDelay;    ///< between an announcement and the answer
    uint64_t threshold;    ///< bytes below which a subcoflow is small
    bool finAnnouncements; ///< say when no flow is left
    bool urgentMessages;   ///< messages go before data
    double lossRate;       ///< of messages, where they arrive
    uint16_t port;         ///< UDP
    uint32_t bands;        ///< classes of service, or 0
    DataRate linkRate;     ///< of the host's port to the network
    DcasRules rules;       ///< what is computed
};

/// The part of D-CAS on a host, which is both a sender and a receiver.
///
/// As a sender it has subcoflows, each the flows of a coflow that start here and are not wholly
/// acknowledged. Every delta, each of them is given the priority of all its flows' packets:
/// - it is small if fewer bytes than the threshold are left: by arrival of its coflow;
/// - otherwise, if no byte of it was acknowledged for T, it is starved, which is better than:
/// - what was agreed. It announces the time that it wants, which is its bytes left over the rate of
///   the host's port, to every receiver that it has flows to, waits a while for their feedback, and
///   takes the largest. Without any feedback it takes what it wants itself, and so it does before
///   its first round.
///
/// As a receiver it remembers announcements, and answers each with the largest one of the coflow,
/// after a short time in which others of the same round arrive.
class DcasAgent : public PriorityAgent
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    /// @param parameters of D-CAS
    explicit DcasAgent(const DcasParameters& parameters);
    ~DcasAgent() override;

    /// @return messages sent so far, and bytes of their UDP payload
    const Scheduler::ControlTotals& GetSent() const
    {
        return m_sent;
    }

    /// @param coflow a coflow
    /// @return the priority of its subcoflow of this host; LEAST_URGENT where there is none
    uint64_t GetKey(::coflow::CoflowId coflow) const;

    /// @param coflow a coflow
    /// @return number of senders whose announcements are remembered and have not expired
    std::size_t GetNAnnounced(::coflow::CoflowId coflow) const;

    /// @param stream first random stream to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /// A flow that is not wholly acknowledged.
    struct Flow
    {
        Ipv4Address dst;
        uint64_t unacknowledged{0};
    };

    /// The flows of a coflow that start here.
    struct Subcoflow
    {
        uint64_t arrivalNumber{0}; ///< of the coflow
        std::map<::coflow::FlowId, Flow> flows;
        uint64_t remaining{0}; ///< bytes not acknowledged, of all flows
        Time served;           ///< when the last byte was acknowledged
        PacketPriority priority;
        uint32_t round{0};                   ///< number of the present one; 0: none yet
        Time desired;                        ///< as announced in this round
        std::map<Ipv4Address, Time> answers; ///< of this round, by receiver
        EventId decision;                    ///< end of the wait for answers
        std::set<Ipv4Address> announced;     ///< receivers that remember it
    };

    using Subcoflows = std::map<::coflow::CoflowId, std::shared_ptr<Subcoflow>>;

    /// What a receiver remembers.
    struct Announcement
    {
        Time desired;
        Time received;
    };

    void Prioritise(CoflowSource::FlowRequest& flow) override;
    void StartApplication() override;
    void StopApplication() override;

    /// It is time for all subcoflows.
    void HandleRound();
    /// Plans the next round, if there is anything to do then.
    void ScheduleRound();
    /// Priority of a subcoflow that has heard of nobody.
    uint64_t GetOwnKey(const Subcoflow& subcoflow) const;
    /// A round of one subcoflow.
    void BeginRound(::coflow::CoflowId coflow, Subcoflow& subcoflow);
    /// Answers that come from now on are late.
    void Decide(::coflow::CoflowId coflow);
    /// Changes the priority of all its packets.
    void SetKey(::coflow::CoflowId coflow, Subcoflow& subcoflow, uint64_t key);
    /// A flow of this host is wholly acknowledged.
    void HandleSent(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t, uint64_t);
    /// Sends a message to a host's agent.
    void Send(Ipv4Address to, const DcasMessage& message);
    void HandleRead(Ptr<Socket> socket);
    /// Whether an announcement still counts.
    bool IsRemembered(const Announcement& announcement) const;
    void HandleAnnouncement(Ipv4Address from, const DcasMessage& announcement);
    /// Answers an announcement.
    void SendFeedback(Ipv4Address to, const DcasMessage& announcement);
    void HandleFeedback(Ipv4Address from, const DcasMessage& feedback);

    DcasParameters m_parameters;
    const SizeKnowledge m_sizes{SizeKnowledge::Of<::coflow::Dcas>()};
    KeyBands m_bands;
    Ptr<Socket> m_socket;
    Ptr<UniformRandomVariable> m_loss;
    Subcoflows m_subcoflows; ///< by coflow
    /// By coflow and sender.
    std::map<::coflow::CoflowId, std::map<Ipv4Address, Announcement>> m_announcements;
    EventId m_roundEvent;
    Time m_roundTrip{0}; ///< smoothed, of messages
    Scheduler::ControlTotals m_sent;
};

} // namespace ns3::coflow

#endif // COFLOW_DCAS_AGENT_H
