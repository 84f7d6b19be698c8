/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-coordinated-scheduler.h"

#include "ns3/coflow-error.h"
#include "ns3/coflow-host-rates.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/integer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <sstream>
#include <utility>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::Json;
using ::coflow::Knowledge;

NS_OBJECT_ENSURE_REGISTERED(CoordinatedScheduler);

TypeId
CoordinatedScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::CoordinatedScheduler")
            .SetParent<Scheduler>()
            .SetGroupName("Coflow")
            .AddConstructor<CoordinatedScheduler>()
            .AddAttribute("Policy",
                          "Name of the policy that decides",
                          StringValue("varys"),
                          MakeStringAccessor(&CoordinatedScheduler::m_policy),
                          MakeStringChecker())
            .AddAttribute("PolicyParameters",
                          "Parameters of the policy that differ from their default: "
                          "NAME=VALUE,...",
                          StringValue(""),
                          MakeStringAccessor(&CoordinatedScheduler::m_policyParameters),
                          MakeStringChecker())
            .AddAttribute("CoordinatorHost",
                          "Host of the coordinator; -1: the last host of the topology, which "
                          "sends and receives nothing else where the workload has fewer hosts",
                          IntegerValue(-1),
                          MakeIntegerAccessor(&CoordinatedScheduler::m_coordinatorHost),
                          MakeIntegerChecker<int32_t>(-1))
            .AddAttribute("CoordinatorFailAt",
                          "When the coordinator dies; default: never",
                          TimeValue(Time::Max()),
                          MakeTimeAccessor(&CoordinatedScheduler::m_coordinatorFailAt),
                          MakeTimeChecker(Time()))
            .AddAttribute("CoordinatorDownTime",
                          "How long until it is back; default: for good",
                          TimeValue(Time::Max()),
                          MakeTimeAccessor(&CoordinatedScheduler::m_coordinatorDownTime),
                          MakeTimeChecker(Time()));
    return tid;
}

CoordinatedScheduler::CoordinatedScheduler()
    : m_latency(CreateObject<ScheduleLatency>())
{
}

CoordinatedScheduler::~CoordinatedScheduler()
{
}

std::vector<TypeId>
CoordinatedScheduler::GetPartTypes() const
{
    return {Coordinator::GetTypeId(), Daemon::GetTypeId(), ControlPlane::GetTypeId()};
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
    std::vector<std::string> parameters;
    std::istringstream text(m_policyParameters);
    for (std::string parameter; std::getline(text, parameter, ',');)
    {
        parameters.push_back(parameter);
    }
    const auto make = [name = m_policy, parameters] {
        return ::coflow::MakePolicy(name, parameters);
    };
    const auto policy = make();
    if (policy->GetControl() != ::coflow::Control::COORDINATOR)
    {
        throw InputError("scheduler " + m_policy + " with the parameters '" + m_policyParameters +
                         "' decides on hosts or switches, not at a coordinator; allowed: the "
                         "parameters with which it has a coordinator, or --engine=fluid");
    }
    m_sayBytes = policy->GetKnowledge() == Knowledge::CLAIRVOYANT;

    m_control = GetPart(ControlPlane::GetTypeId()).Create<ControlPlane>();
    m_control->Build(cluster.fabric, cluster.profile);
    m_coordinator = GetPart(Coordinator::GetTypeId()).Create<Coordinator>();
    m_coordinator->SetUp(m_control->MakeEndpoint(m_host),
                         make,
                         GetHostRates(*cluster.fabric->GetTopology()));
    m_coordinator->TraceConnectWithoutContext(
        "Schedule",
        MakeCallback(&ScheduleLatency::NotifySchedule, m_latency));
    cluster.fabric->GetHosts().Get(m_host)->AddApplication(m_coordinator);
    if (m_coordinatorFailAt != Time::Max())
    {
        FailCoordinator(m_coordinatorFailAt, m_coordinatorDownTime);
    }
}

Ptr<HostAgent>
CoordinatedScheduler::CreateAgent(HostId)
{
    return GetPart(Daemon::GetTypeId()).Create<Daemon>();
}

void
CoordinatedScheduler::CompleteAgent(HostId host, Ptr<HostAgent> agent)
{
    const auto daemon = DynamicCast<Daemon>(agent);
    daemon->SetUp(m_control->MakeEndpoint(host),
                  m_control->GetAddress(m_host),
                  m_coordinator->GetPort(),
                  m_sayBytes);
    daemon->TraceConnectWithoutContext("ScheduleApplied",
                                       MakeCallback(&ScheduleLatency::NotifyApplied, m_latency));
    m_daemons.push_back(daemon);
}

HostId
CoordinatedScheduler::GetCoordinatorHost() const
{
    return m_host;
}

Ptr<Coordinator>
CoordinatedScheduler::GetCoordinator() const
{
    return m_coordinator;
}

Ptr<Daemon>
CoordinatedScheduler::GetDaemon(HostId host) const
{
    return m_daemons.at(host);
}

void
CoordinatedScheduler::FailCoordinator(Time at, Time downTime)
{
    Simulator::Schedule(at, &Coordinator::Fail, m_coordinator);
    if (downTime != Time::Max())
    {
        Simulator::Schedule(at + downTime, &Coordinator::Recover, m_coordinator);
    }
}

void
CoordinatedScheduler::FailDaemon(HostId host, Time at, Time downTime)
{
    const auto daemon = GetDaemon(host);
    Simulator::Schedule(at, &Daemon::Fail, daemon);
    if (downTime != Time::Max())
    {
        Simulator::Schedule(at + downTime, &Daemon::Recover, daemon);
    }
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
    return totals;
}

Json
CoordinatedScheduler::DescribeControl() const
{
    auto types = Json::Object();
    for (const auto& [type, count] : m_control->GetSent())
    {
        types.Set(ControlMessage::GetName(type),
                  Json::Object().Set("messages", count.messages).Set("bytes", count.bytes));
    }
    return Json::Object()
        .Set("coordinator_host", m_host)
        .Set("runs", m_coordinator->GetRuns())
        .Set("peak_received_per_s", m_control->GetPeakReceived())
        .Set("latency", m_latency->ToJson())
        .Set("by_type", types);
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
    m_latency = nullptr;
    Scheduler::DoDispose();
}

} // namespace ns3::coflow
