/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas-agent.h"

#include "ns3/boolean.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-dcas-protocol.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/coflow-spec-attribute.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

using ::coflow::DcasKey;
namespace DcasProtocol = ::coflow::DcasProtocol;

NS_LOG_COMPONENT_DEFINE("CoflowDcasAgent");

NS_OBJECT_ENSURE_REGISTERED(DcasAgent);

DcasAgent::DcasAgent()
    : m_loss(CreateObject<UniformRandomVariable>())
{
}

void
DcasAgent::SetUp(DataRate linkRate, uint32_t bands)
{
    m_linkRate = linkRate;
    m_bands = MakeBands(bands, GetWantedTime(m_threshold, m_linkRate));
}

KeyBands
DcasAgent::MakeBands(uint32_t bands, Time unit)
{
    // The second band has only the key <1, 0>. The next larger key is <1, 1>.
    const auto agreed = [](Time time) {
        return DcasKey::Agreed(static_cast<double>(time.GetNanoSeconds())).Pack();
    };
    std::vector<uint64_t> thresholds{DcasKey::Starved().Pack(), agreed(NanoSeconds(1))};
    const Time longest = Seconds(1e9);
    while (thresholds.size() + 1 < PacketPriority::BANDS)
    {
        unit = std::min(10 * unit, longest);
        thresholds.push_back(agreed(unit));
    }
    thresholds.resize(std::max(bands, 1U) - 1);
    return KeyBands(std::move(thresholds));
}

Time
DcasAgent::GetWantedTime(uint64_t remaining, DataRate rate)
{
    const double bytesPerSecond = static_cast<double>(rate.GetBitRate()) / 8;
    return NanoSeconds(1 +
                       static_cast<int64_t>(DcasProtocol::WantedTime(static_cast<double>(remaining),
                                                                     bytesPerSecond)));
}

void
DcasAgent::DoDispose()
{
    StopApplication();
    m_subcoflows.clear();
    m_loss = nullptr;
    PriorityAgent::DoDispose();
}

int64_t
DcasAgent::AssignStreams(int64_t stream)
{
    m_loss->SetStream(stream);
    return 1;
}

void
DcasAgent::StartApplication()
{
    PriorityAgent::StartApplication();
    m_messages = std::make_unique<DatagramPort>(
        GetNode(),
        PORT,
        [this](Ipv4Address sender, const Ptr<Packet>& packet) { HandleMessage(sender, packet); });
    const auto classifier = GetNode()->GetObject<PacketClassifier>();
    if (classifier && m_urgentMessages)
    {
        classifier->Set(ConnectionName::FromPort(ConnectionName::UDP, PORT),
                        {{PacketClass::NO_COFLOW, 0}, {0, 0}});
    }
    GetSource().TraceConnectWithoutContext("FlowSent", MakeCallback(&DcasAgent::HandleSent, this));
}

void
DcasAgent::StopApplication()
{
    m_roundEvent.Cancel();
    m_dueEvent.Cancel();
    m_due.clear();
    for (const auto& [coflow, subcoflow] : m_subcoflows)
    {
        subcoflow->decision.Cancel();
    }
    m_messages.reset();
}

void
DcasAgent::Prioritise(CoflowSource::FlowRequest& flow)
{
    if (IsOwnAddress(flow.dst) || flow.bytes.IsZero())
    {
        return;
    }
    auto& entry = m_subcoflows[flow.coflowId];
    if (!entry)
    {
        entry = std::make_shared<Subcoflow>();
        entry->arrivalNumber = flow.arrivalNumber;
        entry->served = Simulator::Now();
    }
    const auto subcoflow = entry;
    // A flow that is put again starts again, possibly to another receiver.
    const auto [place, isNew] = subcoflow->flows.try_emplace(flow.flowId);
    Flow& added = place->second;
    ++subcoflow->receivers[flow.dst].flows;
    if (!isNew)
    {
        LeaveReceiver(flow.coflowId, *subcoflow, added.dst);
    }
    const uint64_t bytes = m_sizes.Read(flow.bytes);
    subcoflow->remaining += bytes - added.unacknowledged;
    added = {flow.dst, bytes};
    // The rule is called for each segment, so it has no look-up. The reference is valid while the
    // flow sends: the flow is erased when it is fully acknowledged.
    flow.priorityRule = m_sizes.MakeRule([subcoflow, &known = added](uint64_t unacknowledged) {
        if (unacknowledged < known.unacknowledged)
        {
            subcoflow->remaining -= known.unacknowledged - unacknowledged;
            known.unacknowledged = unacknowledged;
            subcoflow->served = Simulator::Now();
        }
        return subcoflow->priority;
    });
    if (subcoflow->round == 0)
    {
        const Time wanted = GetWantedTime(subcoflow->remaining, m_linkRate);
        SetKey(flow.coflowId,
               *subcoflow,
               DcasProtocol::FirstKey(static_cast<double>(subcoflow->remaining),
                                      static_cast<double>(m_threshold),
                                      subcoflow->arrivalNumber,
                                      static_cast<double>(wanted.GetNanoSeconds())));
    }
    ScheduleRound();
}

void
DcasAgent::ScheduleRound()
{
    if (!m_roundEvent.IsPending() && !m_subcoflows.empty())
    {
        const int64_t delta = m_delta.GetNanoSeconds();
        const int64_t now = Simulator::Now().GetNanoSeconds();
        m_roundEvent =
            Simulator::Schedule(NanoSeconds(delta - now % delta), &DcasAgent::HandleRound, this);
    }
}

void
DcasAgent::HandleRound()
{
    const bool mayAnnounce = HasBudget();
    for (const auto& [coflow, subcoflow] : m_subcoflows)
    {
        TakeTurn(coflow, *subcoflow, mayAnnounce);
    }
    ScheduleRound();
}

void
DcasAgent::TakeTurn(::coflow::CoflowId coflow, Subcoflow& subcoflow, bool mayAnnounce)
{
    const auto turn = DcasProtocol::TurnOf(static_cast<double>(subcoflow.remaining),
                                           static_cast<double>(m_threshold),
                                           (Simulator::Now() - subcoflow.served).GetNanoSeconds(),
                                           m_patience.GetNanoSeconds());
    const bool waits = subcoflow.nAwaited > 0 && Simulator::Now() < subcoflow.answersBy;
    if (turn == DcasProtocol::Turn::ANNOUNCES && (waits || !mayAnnounce))
    {
        // Answers, or the share of the port, are slower than rounds. More announcements would delay
        // answers further. The last announcement stays in force, and its answers since the last
        // decision count now.
        if (subcoflow.nAnswers == 0)
        {
            subcoflow.desired = GetWantedTime(subcoflow.remaining, m_linkRate);
        }
        Decide(coflow);
        return;
    }
    subcoflow.decision.Cancel();
    ForgetAnswers(subcoflow);
    ++subcoflow.round;
    if (turn != DcasProtocol::Turn::ANNOUNCES)
    {
        SetKey(coflow, subcoflow, DcasProtocol::KeyOf(turn, subcoflow.arrivalNumber, 0));
        return;
    }
    Announce(coflow, subcoflow);
}

void
DcasAgent::ForgetAnswers(Subcoflow& subcoflow)
{
    std::erase_if(subcoflow.receivers, [](const auto& entry) { return entry.second.flows == 0; });
    for (auto& [address, receiver] : subcoflow.receivers)
    {
        receiver.isAwaited = false;
        receiver.answer.reset();
    }
    subcoflow.nAwaited = 0;
    subcoflow.nAnswers = 0;
}

void
DcasAgent::Announce(::coflow::CoflowId coflow, Subcoflow& subcoflow)
{
    subcoflow.desired = GetWantedTime(subcoflow.remaining, m_linkRate);
    for (auto& [address, receiver] : subcoflow.receivers)
    {
        DcasMessage announcement;
        announcement.count = static_cast<uint16_t>(std::min<uint32_t>(receiver.flows, UINT16_MAX));
        announcement.round = subcoflow.round;
        announcement.coflow = coflow;
        announcement.value = subcoflow.desired;
        announcement.remaining = subcoflow.remaining;
        receiver.isAnnounced = true;
        receiver.isAwaited = true;
        Send(address, announcement);
    }
    subcoflow.nAwaited = static_cast<uint32_t>(subcoflow.receivers.size());
    const Time wait = std::max(3 * m_roundTrip, m_minWait);
    subcoflow.answersBy = Simulator::Now() + wait;
    // The decision of this round must come before the next round.
    subcoflow.decision = Simulator::Schedule(std::min(wait, m_delta - NanoSeconds(1)),
                                             &DcasAgent::Decide,
                                             this,
                                             coflow);
}

void
DcasAgent::Decide(::coflow::CoflowId coflow)
{
    Subcoflow& subcoflow = *m_subcoflows.at(coflow);
    std::vector<Time> answers;
    for (const auto& [address, receiver] : subcoflow.receivers)
    {
        if (receiver.answer)
        {
            answers.push_back(*receiver.answer);
        }
    }
    const Time agreed = answers.empty() ? subcoflow.desired : DcasProtocol::Phi(answers);
    SetKey(coflow, subcoflow, DcasKey::Agreed(static_cast<double>(agreed.GetNanoSeconds())));
}

void
DcasAgent::SetKey(::coflow::CoflowId coflow, Subcoflow& subcoflow, const DcasKey& key)
{
    const uint64_t packed = key.Pack();
    NS_LOG_LOGIC("host " << GetHost() << ": coflow " << coflow << " has key " << packed);
    subcoflow.priority = {packed, m_bands.GetBand(packed)};
    for (const auto& [id, flow] : subcoflow.flows)
    {
        GetSource().SetPriority({coflow, id}, subcoflow.priority);
    }
}

void
DcasAgent::HandleSent(::coflow::CoflowId coflow, ::coflow::FlowId flow, uint64_t, uint64_t)
{
    const auto entry = m_subcoflows.find(coflow);
    if (entry == m_subcoflows.end() || entry->second->flows.count(flow) == 0)
    {
        return;
    }
    Subcoflow& subcoflow = *entry->second;
    const Flow done = subcoflow.flows.at(flow);
    subcoflow.remaining -= done.unacknowledged;
    subcoflow.flows.erase(flow);
    LeaveReceiver(coflow, subcoflow, done.dst);
    if (subcoflow.flows.empty())
    {
        subcoflow.decision.Cancel();
        m_subcoflows.erase(entry);
    }
}

void
DcasAgent::LeaveReceiver(::coflow::CoflowId coflow, Subcoflow& subcoflow, Ipv4Address address)
{
    Receiver& receiver = subcoflow.receivers.at(address);
    const bool isLast = --receiver.flows == 0;
    if (isLast)
    {
        // The receiver may not answer any more.
        subcoflow.nAwaited -= std::exchange(receiver.isAwaited, false);
    }
    if (isLast && std::exchange(receiver.isAnnounced, false) && m_finAnnouncements)
    {
        DcasMessage fin;
        fin.round = subcoflow.round;
        fin.coflow = coflow;
        Send(address, fin);
    }
}

bool
DcasAgent::HasBudget() const
{
    // The messages of a round are sent at once. They may use the share of the whole next delta.
    return m_paid < Simulator::Now() + m_delta;
}

void
DcasAgent::Send(Ipv4Address to, const DcasMessage& message)
{
    DcasMessage copy = message;
    if (copy.kind == DcasMessage::Kind::ANNOUNCEMENT)
    {
        copy.sent = Simulator::Now();
    }
    auto packet = Create<Packet>();
    packet->AddHeader(copy);
    ++m_sent.messages;
    m_sent.bytes += packet->GetSize();
    constexpr uint32_t UDP_AND_IP = 28;
    m_sent.wire.Add(UDP_AND_IP - WireCount::IPV4_HEADER_BYTES + packet->GetSize());
    const double bits = 8.0 * (packet->GetSize() + UDP_AND_IP);
    const double rate = MESSAGE_SHARE * static_cast<double>(m_linkRate.GetBitRate());
    m_paid = std::max(m_paid, Simulator::Now()) + Seconds(bits / rate);
    m_messages->Send(to, packet);
}

void
DcasAgent::HandleMessage(Ipv4Address sender, const Ptr<Packet>& packet)
{
    DcasMessage message;
    packet->RemoveHeader(message);
    const bool lost = m_lossRate > 0 && m_loss->GetValue() < m_lossRate;
    if (lost || !message.IsValid())
    {
        return;
    }
    message.kind == DcasMessage::Kind::ANNOUNCEMENT ? HandleAnnouncement(sender, message)
                                                    : HandleFeedback(sender, message);
}

void
DcasAgent::HandleAnnouncement(Ipv4Address from, const DcasMessage& announcement)
{
    auto& known = m_announcements[announcement.coflow];
    if (announcement.value.IsZero())
    {
        known.Forget(from, m_expiry);
        if (known.IsEmpty())
        {
            m_announcements.erase(announcement.coflow);
        }
        return;
    }
    known.Note(from, announcement.value, m_expiry);
    Simulator::Schedule(m_feedbackDelay,
                        &DcasAgent::SendFeedback,
                        Ptr<DcasAgent>(this),
                        from,
                        announcement);
}

void
DcasAgent::SendFeedback(Ipv4Address to, const DcasMessage& announcement)
{
    if (m_messages)
    {
        m_due.emplace_back(to, announcement);
        SendDue();
    }
}

void
DcasAgent::SendDue()
{
    while (!m_due.empty() && HasBudget())
    {
        const auto [to, announcement] = m_due.front();
        m_due.pop_front();
        Answer(to, announcement);
    }
    if (!m_due.empty() && !m_dueEvent.IsPending())
    {
        m_dueEvent = Simulator::Schedule(m_paid - m_delta + NanoSeconds(1) - Simulator::Now(),
                                         &DcasAgent::SendDue,
                                         this);
    }
}

void
DcasAgent::Answer(Ipv4Address to, const DcasMessage& announcement)
{
    const auto known = m_announcements.find(announcement.coflow);
    if (known == m_announcements.end())
    {
        // The last sender has finished meanwhile.
        return;
    }
    DcasMessage feedback;
    feedback.kind = DcasMessage::Kind::FEEDBACK;
    feedback.count = static_cast<uint16_t>(std::min<std::size_t>(known->second.GetN(), UINT16_MAX));
    feedback.round = announcement.round;
    feedback.coflow = announcement.coflow;
    feedback.value = known->second.GetAnswer();
    feedback.sent = announcement.sent;
    Send(to, feedback);
}

void
DcasAgent::HandleFeedback(Ipv4Address from, const DcasMessage& feedback)
{
    const auto entry = m_subcoflows.find(feedback.coflow);
    if (entry == m_subcoflows.end() || feedback.round == 0 || feedback.round > entry->second->round)
    {
        return;
    }
    // An answer to an earlier round is also a sample of the round trip. Without these samples, a
    // sender whose rounds are shorter than the round trip would never measure it.
    const Time sample = Simulator::Now() - feedback.sent;
    m_roundTrip = m_roundTrip.IsZero() ? sample : (7 * m_roundTrip + sample) / 8;
    Subcoflow& subcoflow = *entry->second;
    if (subcoflow.round == feedback.round)
    {
        // An answer after the decision counts at the next tick if this round continues. Otherwise
        // the answer is forgotten.
        Receiver& receiver = subcoflow.receivers[from];
        subcoflow.nAnswers += !receiver.answer;
        receiver.answer = feedback.value;
        subcoflow.nAwaited -= std::exchange(receiver.isAwaited, false);
    }
}

uint64_t
DcasAgent::GetKey(::coflow::CoflowId coflow) const
{
    const auto entry = m_subcoflows.find(coflow);
    return entry == m_subcoflows.end() ? PacketPriority::LEAST_URGENT : entry->second->priority.key;
}

uint64_t
DcasAgent::GetRemaining(::coflow::CoflowId coflow) const
{
    const auto entry = m_subcoflows.find(coflow);
    return entry == m_subcoflows.end() ? 0 : entry->second->remaining;
}

std::size_t
DcasAgent::GetNAnnounced(::coflow::CoflowId coflow) const
{
    const auto known = m_announcements.find(coflow);
    return known == m_announcements.end() ? 0 : known->second.CountRemembered(m_expiry);
}

TypeId
DcasAgent::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::DcasAgent")
            .SetParent<HostAgent>()
            .SetGroupName("Coflow")
            .AddConstructor<DcasAgent>()
            .AddAttribute("Delta",
                          SpecAttribute::GetHelp(DcasProtocol::Delta()),
                          SpecAttribute::GetTime(DcasProtocol::Delta()),
                          MakeTimeAccessor(&DcasAgent::m_delta),
                          SpecAttribute::MakeTimeChecker(DcasProtocol::Delta()))
            .AddAttribute("T",
                          SpecAttribute::GetHelp(DcasProtocol::Patience()),
                          SpecAttribute::GetTime(DcasProtocol::Patience()),
                          MakeTimeAccessor(&DcasAgent::m_patience),
                          SpecAttribute::MakeTimeChecker(DcasProtocol::Patience()))
            .AddAttribute("Expiry",
                          SpecAttribute::GetHelp(DcasProtocol::Expiry()),
                          SpecAttribute::GetTime(DcasProtocol::Expiry()),
                          MakeTimeAccessor(&DcasAgent::m_expiry),
                          SpecAttribute::MakeTimeChecker(DcasProtocol::Expiry()))
            .AddAttribute("MinWait",
                          "Shortest time for which a sender waits for feedback; it waits three "
                          "round trips of messages if that is longer",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&DcasAgent::m_minWait),
                          Declared(MakeTimeChecker(NanoSeconds(1)),
                                   ::coflow::Unit::SECONDS,
                                   ::coflow::Scaling::WORKLOAD))
            .AddAttribute(
                "FeedbackDelay",
                "Time from an announcement to its answer, in which other announcements of the same "
                "round arrive. With 0s, the first answers miss later announcements",
                TimeValue(MicroSeconds(100)),
                MakeTimeAccessor(&DcasAgent::m_feedbackDelay),
                MakeTimeChecker(Time(0)))
            .AddAttribute("Threshold",
                          SpecAttribute::GetHelp(DcasProtocol::Threshold()),
                          SpecAttribute::GetBytes(DcasProtocol::Threshold()),
                          MakeUintegerAccessor(&DcasAgent::m_threshold),
                          SpecAttribute::MakeBytesChecker(DcasProtocol::Threshold()))
            .AddAttribute("FinAnnouncements",
                          "Whether a sender tells a receiver that it has no flow to it left; "
                          "otherwise its last announcement counts until it expires",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcasAgent::m_finAnnouncements),
                          MakeBooleanChecker())
            .AddAttribute("UrgentMessages",
                          "Whether messages go before all data in the network; otherwise they go "
                          "behind data, as best effort",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcasAgent::m_urgentMessages),
                          MakeBooleanChecker())
            .AddAttribute(
                "LossRate",
                "Probability that a message is lost on arrival, in addition to drops by queues",
                DoubleValue(0),
                MakeDoubleAccessor(&DcasAgent::m_lossRate),
                MakeDoubleChecker<double>(0, 1));
    return tid;
}

} // namespace ns3::coflow
