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

namespace ns3::coflow
{

/// The agent of D-CAS on a host, which is both a sender and a receiver.
///
/// A sender has subcoflows. A subcoflow is the flows of a coflow that this host sends and that are
/// not fully acknowledged. Every delta, each subcoflow gets a priority for all its packets:
/// - A subcoflow with fewer bytes left than the threshold is small. Small subcoflows are served
///   first, by arrival of their coflows.
/// - Otherwise, a subcoflow without an acknowledged byte for T is starved. Starved subcoflows are
///   served second.
/// - Otherwise, the subcoflow announces its wanted time to all its receivers: its bytes left,
///   divided by the rate of the host's port. The subcoflow waits a while for the receivers'
///   feedback, and its priority is the largest time in the feedback. Without any feedback, and
///   before the first round, its priority is the wanted time.
///
/// A receiver stores announcements. It answers each announcement with the largest time of all
/// announcements of the coflow, after a short delay in which other announcements of the same round
/// arrive.
///
/// Messages go before data, so they must not fill the network. A subcoflow does not announce again
/// while it waits for answers. The messages of a host take at most a share of its port. Above this
/// share, the host sends no new announcements, and its answers wait. Answers that wait also delay
/// the next announcements of their receivers.
class DcasAgent : public PriorityAgent
{
  public:
    /// @return the TypeId
    static TypeId GetTypeId();

    DcasAgent();

    /// Sets the parameters of the network; to be called once, before the start.
    /// @param linkRate rate of the host's port to the network
    /// @param bands number of classes of service in the network; 0: unlimited priorities
    void SetUp(DataRate linkRate, uint32_t bands);

    /// Makes the bands of keys: small subcoflows, starved subcoflows, and then bands by the
    /// logarithm of the agreed time.
    /// @param bands number of bands, 1 to PacketPriority::BANDS; 0 is like 1
    /// @param unit time to send as many bytes as the threshold; agreed times below ten units are in
    ///        the third band
    /// @return the bands
    static KeyBands MakeBands(uint32_t bands, Time unit);

    /// @param remaining bytes left of a subcoflow
    /// @param rate rate of its host's port
    /// @return the wanted time of the subcoflow, in whole nanoseconds, > 0; an announcement of 0
    ///         means that no flow is left
    static Time GetWantedTime(uint64_t remaining, DataRate rate);

    /// @return number of messages sent so far, and bytes of their UDP payload
    const Scheduler::ControlTotals& GetSent() const
    {
        return m_sent;
    }

    /// @param coflow a coflow
    /// @return key of the coflow's subcoflow on this host; LEAST_URGENT where there is none
    uint64_t GetKey(::coflow::CoflowId coflow) const;

    /// @param coflow a coflow
    /// @return unacknowledged bytes of the coflow's subcoflow on this host; 0 where there is none
    uint64_t GetRemaining(::coflow::CoflowId coflow) const;

    /// @param coflow a coflow
    /// @return number of senders with a stored announcement that has not expired
    std::size_t GetNAnnounced(::coflow::CoflowId coflow) const;

    /// @param stream first random stream to use
    /// @return number of streams used
    int64_t AssignStreams(int64_t stream) override;

  protected:
    void DoDispose() override;

  private:
    /// A flow that is not fully acknowledged.
    struct Flow
    {
        Ipv4Address dst;
        uint64_t unacknowledged{0};
    };

    /// A receiver of flows of a subcoflow.
    struct Receiver
    {
        uint32_t flows{0};          ///< number of flows that are not fully acknowledged
        bool isAnnounced{false};    ///< the subcoflow was announced to the receiver
        bool isAwaited{false};      ///< the receiver has not answered in this round
        std::optional<Time> answer; ///< feedback of the receiver in this round
    };

    /// The flows of a coflow that this host sends.
    struct Subcoflow
    {
        uint64_t arrivalNumber{0}; ///< number of the coflow in the order of arrival
        std::map<::coflow::FlowId, Flow> flows;
        uint64_t remaining{0}; ///< unacknowledged bytes of all flows
        Time served;           ///< time of the last acknowledged byte
        PacketPriority priority;
        uint32_t round{0}; ///< number of the present round; 0: before the first round
        Time desired;      ///< wanted time, as announced in this round
        /// Receivers by address: receivers of flows, and other receivers until the next round.
        std::map<Ipv4Address, Receiver> receivers;
        uint32_t nAwaited{0}; ///< number of receivers that have not answered in this round
        uint32_t nAnswers{0}; ///< number of answers in this round
        Time answersBy;       ///< time from which the subcoflow may announce without all answers
        EventId decision;     ///< event of the next Decide()
    };

    static constexpr uint16_t PORT = 6001; ///< UDP port of the agents
    /// Largest share of a host's port for messages. Above this share, the host sends no new
    /// announcements, and its answers wait.
    static constexpr double MESSAGE_SHARE = 0.5;

    using Subcoflows = std::map<::coflow::CoflowId, std::shared_ptr<Subcoflow>>;

    void Prioritise(CoflowSource::FlowRequest& flow) override;
    void StartApplication() override;
    void StopApplication() override;

    /// Begins a round of all subcoflows.
    void HandleRound();
    /// Schedules the next round, if there are subcoflows and no round is scheduled.
    void ScheduleRound();
    /// Begins a round of one subcoflow.
    /// @param coflow the coflow
    /// @param subcoflow its subcoflow
    /// @param mayAnnounce whether the host may send announcements in this round
    void TakeTurn(::coflow::CoflowId coflow, Subcoflow& subcoflow, bool mayAnnounce);
    /// Forgets all answers, and the receivers without flows.
    static void ForgetAnswers(Subcoflow& subcoflow);
    /// Announces the wanted time of a subcoflow to its receivers.
    void Announce(::coflow::CoflowId coflow, Subcoflow& subcoflow);
    /// Sets the priority of a subcoflow from the answers so far.
    void Decide(::coflow::CoflowId coflow);
    /// Sets the priority of all packets of a subcoflow.
    void SetKey(::coflow::CoflowId coflow, Subcoflow& subcoflow, const ::coflow::DcasKey& key);
    /// A flow of this host is fully acknowledged.
    void HandleSent(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t, uint64_t);
    /// A subcoflow has one flow less to a receiver. The receiver gets a message if this was the
    /// last flow.
    void LeaveReceiver(::coflow::CoflowId coflow, Subcoflow& subcoflow, Ipv4Address address);
    /// @return whether messages have not used up their share of the port for the next delta
    bool HasBudget() const;
    /// Sends a message to the agent of a host.
    void Send(Ipv4Address to, const DcasMessage& message);
    void HandleMessage(Ipv4Address sender, const Ptr<Packet>& packet);
    void HandleAnnouncement(Ipv4Address from, const DcasMessage& announcement);
    /// An answer to an announcement is due.
    void SendFeedback(Ipv4Address to, const DcasMessage& announcement);
    /// Sends answers that are due, while HasBudget().
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
    DataRate m_linkRate;     ///< rate of the host's port to the network
    const SizeAccess m_sizes{SizeAccess::Of<::coflow::Dcas>()};
    KeyBands m_bands;                         ///< bands of keys
    std::unique_ptr<DatagramPort> m_messages; ///< port of messages; null: the agent does not run
    Ptr<UniformRandomVariable> m_loss;
    Subcoflows m_subcoflows; ///< subcoflows by coflow
    /// Announcements that this host has received, by coflow.
    std::map<::coflow::CoflowId, DcasAnnouncements> m_announcements;
    EventId m_roundEvent;
    Time m_roundTrip{0}; ///< smoothed round-trip time of messages; 0: none measured
    Time m_paid{0};      ///< time until which sent messages use up their share of the port
    /// Senders and their announcements that must be answered.
    std::deque<std::pair<Ipv4Address, DcasMessage>> m_due;
    EventId m_dueEvent; ///< next SendDue()
    Scheduler::ControlTotals m_sent;
};

} // namespace ns3::coflow

#endif // COFLOW_DCAS_AGENT_H
