/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-coordinated-scheduler.h"

#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-text.h"
#include "ns3/double.h"
#include "ns3/integer.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::Json;

NS_OBJECT_ENSURE_REGISTERED(CoordinatedScheduler);

TypeId
CoordinatedScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::CoordinatedScheduler")
            .SetParent<Scheduler>()
            .SetGroupName("Coflow")
            .AddAttribute("Policy",
                          "Name of the policy that decides; coflow-replay sets it by --scheduler",
                          StringValue("varys"),
                          MakeStringAccessor(&CoordinatedScheduler::m_policy),
                          MakeStringChecker())
            .AddAttribute("PolicyParameters",
                          "Parameters of the policy that differ from their defaults: "
                          "NAME=VALUE,...; coflow-replay has an option for each",
                          StringValue(""),
                          MakeStringAccessor(&CoordinatedScheduler::m_policyParameters),
                          MakeStringChecker())
            .AddAttribute("PolicyScale",
                          "Factor of the defaults of policy parameters that scale with the "
                          "workload; coflow-replay sets the workload's scale",
                          DoubleValue(1),
                          MakeDoubleAccessor(&CoordinatedScheduler::m_policyScale),
                          MakeDoubleChecker<double>(0))
            .AddAttribute("CoordinatorHost",
                          "Host of the coordinator; -1: the last host of the network, which has no "
                          "data if the workload has fewer hosts than the network",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&CoordinatedScheduler::m_coordinatorHost),
                          MakeIntegerChecker<int32_t>(-1))
            .AddAttribute("CoordinatorFailAt",
                          "Time at which the coordinator dies; default: never",
                          TimeValue(Time::Max()),
                          MakeTimeAccessor(&CoordinatedScheduler::m_coordinatorFailAt),
                          MakeTimeChecker(Time()))
            .AddAttribute(
                "CoordinatorDownTime",
                "Time from the death of the coordinator to its return; default: it does not return",
                TimeValue(Time::Max()),
                MakeTimeAccessor(&CoordinatedScheduler::m_coordinatorDownTime),
                MakeTimeChecker(Time()))
            .AddAttribute("MessageTime",
                          "Time that the coordinator needs for each message that it receives or "
                          "sends; other messages wait meanwhile. 0: an ideal coordinator",
                          TimeValue(MicroSeconds(3)),
                          MakeTimeAccessor(&CoordinatedScheduler::m_messageTime),
                          Declared(MakeTimeChecker(Time()),
                                   ::coflow::Unit::SECONDS,
                                   ::coflow::Scaling::WORKLOAD,
                                   "measured by coflow-message-bench, doc/reference/messages.md"));
    return tid;
}

void
CoordinatedScheduler::Prepare(const Cluster& cluster)
{
    const auto nHosts = static_cast<HostId>(cluster.hosts.size());
    if (m_coordinatorHost >= static_cast<int64_t>(nHosts))
    {
        throw InputError("CoordinatorHost is " + std::to_string(m_coordinatorHost) +
                         "; allowed: -1 to " + std::to_string(int64_t{nHosts} - 1));
    }
    m_host = m_coordinatorHost < 0 ? nHosts - 1 : static_cast<HostId>(m_coordinatorHost);
    m_control = GetPart(ControlPlane::GetTypeId()).Create<ControlPlane>();
    m_control->Build(cluster.network, cluster.profile);
    m_coordinator = CreateCoordinator(cluster);
    m_coordinator->SetMessageTime(m_messageTime);
    m_coordinator->SetUp(m_control->MakeEndpoint(m_host), nHosts);
    cluster.network->GetHosts().Get(m_host)->AddApplication(m_coordinator);
    if (m_coordinatorFailAt != Time::Max())
    {
        FailCoordinator(m_coordinatorFailAt, m_coordinatorDownTime);
    }
}

Ptr<HostAgent>
CoordinatedScheduler::CreateAgent(HostId host)
{
    return CreateDaemon(host);
}

void
CoordinatedScheduler::CompleteAgent(HostId host, Ptr<HostAgent> agent)
{
    const auto daemon = DynamicCast<Daemon>(agent);
    daemon->SetUp(m_control->MakeEndpoint(host), m_control->GetAddress(m_host));
    CompleteDaemon(host, daemon);
    m_daemons.push_back(daemon);
}

void
CoordinatedScheduler::FailCoordinator(Time at, Time downTime)
{
    FailFor(m_coordinator, at, downTime);
}

void
CoordinatedScheduler::FailDaemon(HostId host, Time at, Time downTime)
{
    FailFor(m_daemons.at(host), at, downTime);
}

const std::string&
CoordinatedScheduler::GetPolicy() const
{
    return m_policy;
}

std::vector<std::string>
CoordinatedScheduler::GetPolicyParameters() const
{
    if (m_policyParameters.empty())
    {
        return {};
    }
    return ::coflow::SplitText(m_policyParameters, ',');
}

double
CoordinatedScheduler::GetPolicyScale() const
{
    return m_policyScale;
}

Ptr<ControlPlane>
CoordinatedScheduler::GetControl() const
{
    return m_control;
}

Ptr<Coordinator>
CoordinatedScheduler::GetCoordinatorProcess() const
{
    return m_coordinator;
}

const std::vector<Ptr<Daemon>>&
CoordinatedScheduler::GetDaemons() const
{
    return m_daemons;
}

HostId
CoordinatedScheduler::GetCoordinatorHost() const
{
    return m_host;
}

Scheduler::ControlTotals
CoordinatedScheduler::GetControlTotals() const
{
    ControlTotals totals;
    for (const auto& [type, count] : m_control->GetSent())
    {
        totals.messages += count.messages;
        totals.bytes += count.bytes;
    }
    totals.wire = m_control->GetWire();
    return totals;
}

Time
CoordinatedScheduler::GetLastPlanned() const
{
    return m_lastPlanned;
}

Time
CoordinatedScheduler::GetLongestMessageDelay() const
{
    return m_coordinator->GetWork().GetLongestDelay();
}

ControlCounts
CoordinatedScheduler::GetSentByType() const
{
    return m_control->GetSent();
}

uint64_t
CoordinatedScheduler::GetTimesAlone() const
{
    uint64_t times = 0;
    for (const auto& daemon : m_daemons)
    {
        times += daemon->GetTimesAlone();
    }
    return times;
}

Json
CoordinatedScheduler::DescribeControl() const
{
    auto control = Json::Object()
                       .Set("coordinator_host", m_host)
                       .Set("peak_received_per_s", m_control->GetPeakReceived())
                       .Set("times_alone", GetTimesAlone());
    if (!m_messageTime.IsZero())
    {
        const auto& work = m_coordinator->GetWork();
        control.Set("message_busy_s", work.GetBusyTime().GetSeconds())
            .Set("longest_message_delay_s", GetLongestMessageDelay().GetSeconds());
    }
    DescribeMore(control);
    return control;
}

void
CoordinatedScheduler::DoDispose()
{
    if (m_control)
    {
        m_control->Dispose();
    }
    m_control = nullptr;
    m_coordinator = nullptr;
    m_daemons.clear();
    Scheduler::DoDispose();
}

} // namespace ns3::coflow
