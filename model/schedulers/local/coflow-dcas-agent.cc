/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas-agent.h"

#include "ns3/abort.h"
#include "ns3/coflow-packet-classifier.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

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

DcasAgent::~DcasAgent()
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
    // Only <1, 0> is in the second band: the smallest key above is <1, 1>.
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
    m_socket = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
    const int bound = m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_port));
    NS_ABORT_MSG_UNLESS(bound == 0, "UDP port " << m_port << " is in use");
    m_socket->SetRecvCallback(MakeCallback(&DcasAgent::HandleRead, this));
    const auto classifier = GetNode()->GetObject<PacketClassifier>();
    if (classifier && m_urgentMessages)
    {
        classifier->Set(ConnectionName::FromPort(ConnectionName::UDP, m_port),
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
    if (m_socket)
    {
        m_socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        m_socket->Close();
        m_socket = nullptr;
    }
}

void
DcasAgent::Prioritise(CoflowSource::FlowRequest& flow)
{
    const bool local = GetNode()->GetObject<Ipv4>()->GetInterfaceForAddress(flow.dst) >= 0;
    if (local || flow.bytes.IsZero())
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
    // What was put before and is put again begins anew.
    Flow& added = subcoflow->flows[flow.flowId];
    const uint64_t bytes = m_sizes.Read(flow.bytes);
    subcoflow->remaining += bytes - added.unacknowledged;
    added = {flow.dst, bytes};
    flow.priorityRule = m_sizes.MakeRule([subcoflow, id = flow.flowId](uint64_t unacknowledged) {
        Flow& known = subcoflow->flows.at(id);
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
    const bool waits = !subcoflow.awaited.empty() && Simulator::Now() < subcoflow.answersBy;
    if (turn == DcasProtocol::Turn::ANNOUNCES && (waits || !mayAnnounce))
    {
        // Rounds come faster than answers, or than the port can carry messages: more of them would
        // only make the answers later. The last announcement still stands, and answers to it that
        // have come since the decision count now.
        if (subcoflow.answers.empty())
        {
            subcoflow.desired = GetWantedTime(subcoflow.remaining, m_linkRate);
        }
        Decide(coflow);
        return;
    }
    subcoflow.decision.Cancel();
    subcoflow.answers.clear();
    subcoflow.awaited.clear();
    ++subcoflow.round;
    if (turn != DcasProtocol::Turn::ANNOUNCES)
    {
        SetKey(coflow, subcoflow, DcasProtocol::KeyOf(turn, subcoflow.arrivalNumber, 0));
        return;
    }
    Announce(coflow, subcoflow);
}

void
DcasAgent::Announce(::coflow::CoflowId coflow, Subcoflow& subcoflow)
{
    subcoflow.desired = GetWantedTime(subcoflow.remaining, m_linkRate);
    std::map<Ipv4Address, uint32_t> receivers;
    for (const auto& [id, flow] : subcoflow.flows)
    {
        ++receivers[flow.dst];
    }
    for (const auto& [receiver, flows] : receivers)
    {
        DcasMessage announcement;
        announcement.count = static_cast<uint16_t>(std::min<uint32_t>(flows, UINT16_MAX));
        announcement.round = subcoflow.round;
        announcement.coflow = coflow;
        announcement.value = subcoflow.desired;
        announcement.remaining = subcoflow.remaining;
        subcoflow.announced.insert(receiver);
        subcoflow.awaited.insert(receiver);
        Send(receiver, announcement);
    }
    const Time wait = std::max(3 * m_roundTrip, m_minWait);
    subcoflow.answersBy = Simulator::Now() + wait;
    // The next round must not come before the decision of this one.
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
    for (const auto& [receiver, answer] : subcoflow.answers)
    {
        answers.push_back(answer);
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
    const bool another =
        std::any_of(subcoflow.flows.begin(), subcoflow.flows.end(), [&done](const auto& other) {
            return other.second.dst == done.dst;
        });
    if (!another)
    {
        subcoflow.awaited.erase(done.dst); // it may have forgotten the coflow
    }
    if (!another && subcoflow.announced.erase(done.dst) > 0 && m_finAnnouncements)
    {
        DcasMessage fin;
        fin.round = subcoflow.round;
        fin.coflow = coflow;
        Send(done.dst, fin);
    }
    if (subcoflow.flows.empty())
    {
        subcoflow.decision.Cancel();
        m_subcoflows.erase(entry);
    }
}

bool
DcasAgent::HasBudget() const
{
    // The messages of a round come all at once: what a whole period pays for is not too much.
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
    const double bits = 8.0 * (packet->GetSize() + UDP_AND_IP);
    const double rate = m_messageShare * static_cast<double>(m_linkRate.GetBitRate());
    m_paid = std::max(m_paid, Simulator::Now()) + Seconds(bits / rate);
    m_socket->SendTo(packet, 0, InetSocketAddress(to, m_port));
}

void
DcasAgent::HandleRead(Ptr<Socket> socket)
{
    Address from;
    while (const auto packet = socket->RecvFrom(from))
    {
        DcasMessage message;
        packet->RemoveHeader(message);
        const bool lost = m_lossRate > 0 && m_loss->GetValue() < m_lossRate;
        if (lost || !message.IsValid())
        {
            continue;
        }
        const Ipv4Address sender = InetSocketAddress::ConvertFrom(from).GetIpv4();
        message.kind == DcasMessage::Kind::ANNOUNCEMENT ? HandleAnnouncement(sender, message)
                                                        : HandleFeedback(sender, message);
    }
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
    if (m_socket)
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
        // The sender has finished meanwhile.
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
    // An answer to an earlier round tells how long answers take. Were it left out, who announces
    // faster than answers come would never hear that he does.
    const Time sample = Simulator::Now() - feedback.sent;
    m_roundTrip = m_roundTrip.IsZero() ? sample : (7 * m_roundTrip + sample) / 8;
    Subcoflow& subcoflow = *entry->second;
    if (subcoflow.round == feedback.round)
    {
        // What comes after the decision counts in the next round if this one goes on, and is
        // forgotten otherwise.
        subcoflow.answers[from] = feedback.value;
        subcoflow.awaited.erase(from);
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

} // namespace ns3::coflow
