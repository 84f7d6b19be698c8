/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_AGENT_H
#define COFLOW_DCAS_AGENT_H

#include "ns3/coflow-datagram-port.h"
#include "ns3/coflow-dcas-announcements.h"
#include "ns3/coflow-dcas-message.h"
#include "ns3/coflow-dcas-protocol.h"
#include "ns3/coflow-dcas.h"
#include "ns3/coflow-key-bands.h"
#include "ns3/coflow-priority-scheduler.h"
#include "ns3/coflow-size-access.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/ipv4-address.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace ns3::coflow
{

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
///
/// Messages go before data, so they must not fill the network. A subcoflow does not announce again
/// while it waits for answers to what it has announced, and the messages of a host take a share of
/// its port at most: above that no new announcements are made, and answers wait. Answers that wait
/// hold back those who wait for them.
class DcasAgent : public PriorityAgent
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    DcasAgent();

    /// To be called once, before it starts.
    /// @param linkRate of the host's port to the network
    /// @param bands classes of service of the network; 0: unlimited priorities
    void SetUp(DataRate linkRate, uint32_t bands);

    /// Classes of service for keys: the small, the starved, and then by the logarithm of the time.
    /// @param bands number of bands, 1 to PacketPriority::BANDS; 0 is like 1
    /// @param unit time that the transmission of the small threshold takes: agreed times below ten
    ///        times that are in the third band
    static KeyBands MakeBands(uint32_t bands, Time unit);

    /// The time that a subcoflow wants, in whole nanoseconds.
    /// @param remaining bytes left of a subcoflow
    /// @param rate of its host's port
    /// @return > 0, for an announcement of 0 has another meaning
    static Time GetWantedTime(uint64_t remaining, DataRate rate);

    /// @return messages sent so far, and bytes of their UDP payload
    const Scheduler::ControlTotals& GetSent() const
    {
        return m_sent;
    }

    /// @param coflow a coflow
    /// @return the priority of its subcoflow of this host; LEAST_URGENT where there is none
    uint64_t GetKey(::coflow::CoflowId coflow) const;

    /// @param coflow a coflow
    /// @return bytes of its subcoflow of this host that are not acknowledged; 0 where there is none
    uint64_t GetRemaining(::coflow::CoflowId coflow) const;

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

    /// Where flows of a subcoflow go.
    struct Receiver
    {
        uint32_t flows{0};          ///< not wholly acknowledged
        bool isAnnounced{false};    ///< it remembers the subcoflow
        bool isAwaited{false};      ///< it has not answered in this round
        std::optional<Time> answer; ///< of this round
    };

    /// The flows of a coflow that start here.
    struct Subcoflow
    {
        uint64_t arrivalNumber{0}; ///< of the coflow
        std::map<::coflow::FlowId, Flow> flows;
        uint64_t remaining{0}; ///< bytes not acknowledged, of all flows
        Time served;           ///< when the last byte was acknowledged
        PacketPriority priority;
        uint32_t round{0}; ///< number of the present one; 0: none yet
        Time desired;      ///< as announced in this round
        /// Those with flows, and others until the next round.
        std::map<Ipv4Address, Receiver> receivers;
        uint32_t nAwaited{0}; ///< receivers that are awaited
        uint32_t nAnswers{0}; ///< of this round
        Time answersBy;       ///< who has not answered by then does not count
        EventId decision;     ///< end of the wait for answers
    };

    static constexpr uint16_t PORT = 6001; ///< UDP port of the agents
    /// Share of its port that the messages of a host take at most: above it no new announcements
    /// are made, and answers wait.
    static constexpr double MESSAGE_SHARE = 0.5;

    using Subcoflows = std::map<::coflow::CoflowId, std::shared_ptr<Subcoflow>>;

    void Prioritise(CoflowSource::FlowRequest& flow) override;
    void StartApplication() override;
    void StopApplication() override;

    /// It is time for all subcoflows.
    void HandleRound();
    /// Plans the next round, if there is anything to do then.
    void ScheduleRound();
    /// A round of one subcoflow.
    /// @param mayAnnounce whether the host may send announcements in this round
    void TakeTurn(::coflow::CoflowId coflow, Subcoflow& subcoflow, bool mayAnnounce);
    /// Forgets who has answered, and who has not.
    static void ForgetAnswers(Subcoflow& subcoflow);
    /// Announces what a subcoflow wants.
    void Announce(::coflow::CoflowId coflow, Subcoflow& subcoflow);
    /// Answers that come from now on are late.
    void Decide(::coflow::CoflowId coflow);
    /// Changes the priority of all its packets.
    void SetKey(::coflow::CoflowId coflow, Subcoflow& subcoflow, const ::coflow::DcasKey& key);
    /// A flow of this host is wholly acknowledged.
    void HandleSent(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t, uint64_t);
    /// A subcoflow has one flow fewer to a receiver, which hears of it if that was the last one.
    void LeaveReceiver(::coflow::CoflowId coflow, Subcoflow& subcoflow, Ipv4Address address);
    /// Whether messages have not used up their share of the port for a round to come.
    bool HasBudget() const;
    /// Sends a message to a host's agent.
    void Send(Ipv4Address to, const DcasMessage& message);
    void HandleMessage(Ipv4Address sender, const Ptr<Packet>& packet);
    void HandleAnnouncement(Ipv4Address from, const DcasMessage& announcement);
    /// It is time to answer an announcement.
    void SendFeedback(Ipv4Address to, const DcasMessage& announcement);
    /// Sends the answers that are due, as far as the budget goes.
    void SendDue();
    /// Answers an announcement.
    void Answer(Ipv4Address to, const DcasMessage& announcement);
    void HandleFeedback(Ipv4Address from, const DcasMessage& feedback);

    Time m_delta;            ///< attribute Delta
    Time m_patience;         ///< attribute T
    Time m_expiry;           ///< attribute Expiry
    Time m_minWait;          ///< attribute MinWait
    Time m_feedbackDelay;    ///< attribute FeedbackDelay
    uint64_t m_threshold;    ///< attribute Threshold
    bool m_finAnnouncements; ///< attribute FinAnnouncements
    bool m_urgentMessages;   ///< attribute UrgentMessages
    double m_lossRate;       ///< attribute LossRate
    DataRate m_linkRate;     ///< of the host's port to the network
    const SizeAccess m_sizes{SizeAccess::Of<::coflow::Dcas>()};
    KeyBands m_bands;                         ///< of keys
    std::unique_ptr<DatagramPort> m_messages; ///< while it runs
    Ptr<UniformRandomVariable> m_loss;
    Subcoflows m_subcoflows;                                         ///< by coflow
    std::map<::coflow::CoflowId, DcasAnnouncements> m_announcements; ///< as a receiver
    EventId m_roundEvent;
    Time m_roundTrip{0}; ///< smoothed, of messages
    Time m_paid{0};      ///< when the share of the port has paid for all messages sent so far
    std::deque<std::pair<Ipv4Address, DcasMessage>> m_due; ///< announcements to be answered
    EventId m_dueEvent;                                    ///< next SendDue()
    Scheduler::ControlTotals m_sent;
};

} // namespace ns3::coflow

#endif // COFLOW_DCAS_AGENT_H
