/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas-agent.h"

#include "ns3/abort.h"
#include "ns3/coflow-dcas-protocol.h"
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

NS_LOG_COMPONENT_DEFINE("DcasAgent");

NS_OBJECT_ENSURE_REGISTERED(DcasAgent);

TypeId
DcasAgent::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::DcasAgent").SetParent<HostAgent>().SetGroupName("Coflow");
    return tid;
}

DcasAgent::DcasAgent(const DcasParameters& parameters)
    : m_parameters(parameters),
      m_loss(CreateObject<UniformRandomVariable>())
{
}

DcasAgent::~DcasAgent()
{
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
    const Time unit = DcasRules::TransmissionTime(m_parameters.threshold, m_parameters.linkRate);
    m_bands = DcasKey::MakeBands(m_parameters.bands, unit);
    m_socket = Socket::CreateSocket(GetNode(), UdpSocketFactory::GetTypeId());
    const int bound = m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), m_parameters.port));
    NS_ABORT_MSG_UNLESS(bound == 0, "UDP port " << m_parameters.port << " is in use");
    m_socket->SetRecvCallback(MakeCallback(&DcasAgent::HandleRead, this));
    const auto classifier = GetNode()->GetObject<PacketClassifier>();
    if (classifier && m_parameters.urgentMessages)
    {
        classifier->Set(ConnectionName::FromPort(ConnectionName::UDP, m_parameters.port),
                        {{PacketClass::NO_COFLOW, 0}, {0, 0}});
    }
    GetSource().TraceConnectWithoutContext("FlowSent", MakeCallback(&DcasAgent::HandleSent, this));
}

void
DcasAgent::StopApplication()
{
    m_roundEvent.Cancel();
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
        SetKey(flow.coflowId, *subcoflow, GetOwnKey(*subcoflow));
    }
    ScheduleRound();
}

void
DcasAgent::ScheduleRound()
{
    if (!m_roundEvent.IsPending() && !m_subcoflows.empty())
    {
        const int64_t delta = m_parameters.delta.GetNanoSeconds();
        const int64_t now = Simulator::Now().GetNanoSeconds();
        m_roundEvent =
            Simulator::Schedule(NanoSeconds(delta - now % delta), &DcasAgent::HandleRound, this);
    }
}

void
DcasAgent::HandleRound()
{
    for (const auto& [coflow, subcoflow] : m_subcoflows)
    {
        BeginRound(coflow, *subcoflow);
    }
    ScheduleRound();
}

uint64_t
DcasAgent::GetOwnKey(const Subcoflow& subcoflow) const
{
    return subcoflow.remaining < m_parameters.threshold
               ? DcasKey::Small(subcoflow.arrivalNumber)
               : DcasKey::Agreed(
                     m_parameters.rules.desired(subcoflow.remaining, m_parameters.linkRate));
}

void
DcasAgent::BeginRound(::coflow::CoflowId coflow, Subcoflow& subcoflow)
{
    subcoflow.decision.Cancel();
    subcoflow.answers.clear();
    ++subcoflow.round;
    const auto turn =
        ::coflow::DcasProtocol::TurnOf(static_cast<double>(subcoflow.remaining),
                                       static_cast<double>(m_parameters.threshold),
                                       (Simulator::Now() - subcoflow.served).GetNanoSeconds(),
                                       m_parameters.patience.GetNanoSeconds());
    if (turn != ::coflow::DcasProtocol::Turn::ANNOUNCES)
    {
        const bool small = turn == ::coflow::DcasProtocol::Turn::SMALL;
        SetKey(coflow,
               subcoflow,
               small ? DcasKey::Small(subcoflow.arrivalNumber) : DcasKey::Starved());
        return;
    }
    subcoflow.desired = m_parameters.rules.desired(subcoflow.remaining, m_parameters.linkRate);
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
        Send(receiver, announcement);
    }
    // The next round must not come before the decision of this one.
    const Time wait = std::min(std::max(3 * m_roundTrip, m_parameters.minWait),
                               m_parameters.delta - NanoSeconds(1));
    subcoflow.decision = Simulator::Schedule(wait, &DcasAgent::Decide, this, coflow);
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
    SetKey(coflow,
           subcoflow,
           DcasKey::Agreed(answers.empty() ? subcoflow.desired
                                           : m_parameters.rules.phi(subcoflow.desired, answers)));
}

void
DcasAgent::SetKey(::coflow::CoflowId coflow, Subcoflow& subcoflow, uint64_t key)
{
    NS_LOG_LOGIC("host " << GetHost() << ": coflow " << coflow << " has key " << key);
    subcoflow.priority = {key, m_bands.GetBand(key)};
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
    if (!another && subcoflow.announced.erase(done.dst) > 0 && m_parameters.finAnnouncements)
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
    m_socket->SendTo(packet, 0, InetSocketAddress(to, m_parameters.port));
}

void
DcasAgent::HandleRead(Ptr<Socket> socket)
{
    Address from;
    while (const auto packet = socket->RecvFrom(from))
    {
        DcasMessage message;
        packet->RemoveHeader(message);
        const bool lost = m_parameters.lossRate > 0 && m_loss->GetValue() < m_parameters.lossRate;
        if (lost || !message.IsValid())
        {
            continue;
        }
        const Ipv4Address sender = InetSocketAddress::ConvertFrom(from).GetIpv4();
        message.kind == DcasMessage::Kind::ANNOUNCEMENT ? HandleAnnouncement(sender, message)
                                                        : HandleFeedback(sender, message);
    }
}

bool
DcasAgent::IsRemembered(const Announcement& announcement) const
{
    return ::coflow::DcasProtocol::IsRemembered(announcement.received.GetNanoSeconds(),
                                                Simulator::Now().GetNanoSeconds(),
                                                m_parameters.expiry.GetNanoSeconds());
}

void
DcasAgent::HandleAnnouncement(Ipv4Address from, const DcasMessage& announcement)
{
    const Time now = Simulator::Now();
    auto& known = m_announcements[announcement.coflow];
    std::erase_if(known, [this](const auto& entry) { return !IsRemembered(entry.second); });
    if (announcement.value.IsZero())
    {
        known.erase(from);
        if (known.empty())
        {
            m_announcements.erase(announcement.coflow);
        }
        return;
    }
    known[from] = {announcement.value, now};
    Simulator::Schedule(m_parameters.feedbackDelay,
                        &DcasAgent::SendFeedback,
                        Ptr<DcasAgent>(this),
                        from,
                        announcement);
}

void
DcasAgent::SendFeedback(Ipv4Address to, const DcasMessage& announcement)
{
    const auto known = m_announcements.find(announcement.coflow);
    if (!m_socket || known == m_announcements.end())
    {
        // The sender has finished meanwhile.
        return;
    }
    std::vector<Time> desired;
    for (const auto& [sender, entry] : known->second)
    {
        desired.push_back(entry.desired);
    }
    DcasMessage feedback;
    feedback.kind = DcasMessage::Kind::FEEDBACK;
    feedback.count = static_cast<uint16_t>(std::min<std::size_t>(desired.size(), UINT16_MAX));
    feedback.round = announcement.round;
    feedback.coflow = announcement.coflow;
    feedback.value = m_parameters.rules.psi(announcement.value, desired);
    feedback.sent = announcement.sent;
    Send(to, feedback);
}

void
DcasAgent::HandleFeedback(Ipv4Address from, const DcasMessage& feedback)
{
    const auto entry = m_subcoflows.find(feedback.coflow);
    if (entry != m_subcoflows.end() && entry->second->round == feedback.round)
    {
        const Time sample = Simulator::Now() - feedback.sent;
        m_roundTrip = m_roundTrip.IsZero() ? sample : (7 * m_roundTrip + sample) / 8;
        // What comes after the decision is forgotten in the next round.
        entry->second->answers[from] = feedback.value;
    }
}

uint64_t
DcasAgent::GetKey(::coflow::CoflowId coflow) const
{
    const auto entry = m_subcoflows.find(coflow);
    return entry == m_subcoflows.end() ? PacketPriority::LEAST_URGENT : entry->second->priority.key;
}

std::size_t
DcasAgent::GetNAnnounced(::coflow::CoflowId coflow) const
{
    const auto known = m_announcements.find(coflow);
    return known == m_announcements.end()
               ? 0
               : static_cast<std::size_t>(std::count_if(
                     known->second.begin(),
                     known->second.end(),
                     [this](const auto& entry) { return IsRemembered(entry.second); }));
}

} // namespace ns3::coflow
