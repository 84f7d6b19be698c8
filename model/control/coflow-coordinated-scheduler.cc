/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-coordinated-scheduler.h"

#include "ns3/boolean.h"
#include "ns3/coflow-clairvoyant-daemon.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-host-rates.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/enum.h"

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
            .SetParent<CentralScheduler>()
            .SetGroupName("Coflow")
            .AddConstructor<CoordinatedScheduler>()
            .AddAttribute(
                "EnforceAt",
                "Which end of a flow keeps it to its rate: sender, which "
                "writes no faster; receiver, which reads no faster, so "
                "that TCP's receive window stops the sender, as the "
                "clients of Varys do",
                EnumValue(EnforceAt::SENDER),
                MakeEnumAccessor<EnforceAt>(&CoordinatedScheduler::m_enforceAt),
                MakeEnumChecker(EnforceAt::SENDER, "sender", EnforceAt::RECEIVER, "receiver"));
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
    return {Coordinator::GetTypeId(), GetDaemonType(), ControlPlane::GetTypeId()};
}

TypeId
CoordinatedScheduler::GetDaemonType() const
{
    return ::coflow::Policies::Find(GetPolicy()).knowledge == Knowledge::CLAIRVOYANT
               ? ClairvoyantDaemon::GetTypeId()
               : Daemon::GetTypeId();
}

void
CoordinatedScheduler::PrepareCoordinator(const Cluster& cluster)
{
    const auto make = [name = GetPolicy(), parameters = GetPolicyParameters()] {
        return ::coflow::MakePolicy(name, parameters);
    };
    const auto policy = make();
    if (policy->GetControl() != ::coflow::Control::COORDINATOR)
    {
        std::string given;
        for (const auto& parameter : GetPolicyParameters())
        {
            given += " " + parameter;
        }
        throw InputError("scheduler " + GetPolicy() + " with" + given +
                         " decides on hosts or switches, not at a coordinator; allowed: the "
                         "parameters with which it has a coordinator, or --engine=fluid");
    }
    m_sizes = SizeKnowledge::Of(*policy);

    m_coordinator = GetPart(Coordinator::GetTypeId()).Create<Coordinator>();
    m_coordinator->SetUp(GetControl()->MakeEndpoint(GetCoordinatorHost()),
                         make,
                         GetHostRates(*cluster.fabric->GetTopology()),
                         m_enforceAt);
    BooleanValue reuse;
    cluster.hosts.front().source->GetAttribute("ConnectionReuse", reuse);
    if (reuse.Get() && m_enforceAt == EnforceAt::RECEIVER)
    {
        throw InputError("option --enforceAt is 'receiver' with --connectionReuse=true, where one "
                         "connection carries flows with different rates; allowed: sender, or "
                         "--connectionReuse=false");
    }
    m_coordinator->TraceConnectWithoutContext(
        "Schedule",
        MakeCallback(&ScheduleLatency::NotifySchedule, m_latency));
    cluster.fabric->GetHosts().Get(GetCoordinatorHost())->AddApplication(m_coordinator);
}

Ptr<HostAgent>
CoordinatedScheduler::CreateAgent(HostId)
{
    return GetPart(GetDaemonType()).Create<Daemon>();
}

void
CoordinatedScheduler::CompleteAgent(HostId host, Ptr<HostAgent> agent)
{
    const auto daemon = DynamicCast<Daemon>(agent);
    daemon->SetUp(GetControl()->MakeEndpoint(host),
                  GetControl()->GetAddress(GetCoordinatorHost()),
                  m_coordinator->GetPort());
    if (m_enforceAt == EnforceAt::RECEIVER)
    {
        daemon->EnforceAtReceiver();
    }
    if (m_sizes)
    {
        DynamicCast<ClairvoyantDaemon>(daemon)->SetSizeKnowledge(*m_sizes);
    }
    daemon->TraceConnectWithoutContext("ScheduleApplied",
                                       MakeCallback(&ScheduleLatency::NotifyApplied, m_latency));
    m_daemons.push_back(daemon);
}

std::string
CoordinatedScheduler::DescribeWait(::coflow::CoflowId coflow) const
{
    return m_coordinator->DescribeWait(coflow);
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
    FailFor(m_coordinator, at, downTime);
}

void
CoordinatedScheduler::FailDaemon(HostId host, Time at, Time downTime)
{
    FailFor(GetDaemon(host), at, downTime);
}

void
CoordinatedScheduler::DescribeMore(Json& control) const
{
    control.Set("runs", m_coordinator->GetRuns()).Set("latency", m_latency->ToJson());
}

void
CoordinatedScheduler::DoDispose()
{
    m_coordinator = nullptr;
    m_daemons.clear();
    m_latency = nullptr;
    CentralScheduler::DoDispose();
}

} // namespace ns3::coflow
