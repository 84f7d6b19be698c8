/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-scheduler.h"

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

NS_OBJECT_ENSURE_REGISTERED(CentralScheduler);

TypeId
CentralScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::CentralScheduler")
            .SetParent<CoordinatedScheduler>()
            .SetGroupName("Coflow")
            .AddConstructor<CentralScheduler>()
            .AddAttribute(
                "EnforceAt",
                "Which end of a flow keeps it to its rate: sender, which "
                "writes no faster; receiver, which reads no faster, so "
                "that TCP's receive window stops the sender, as the "
                "clients of Varys do",
                EnumValue(EnforceAt::SENDER),
                MakeEnumAccessor<EnforceAt>(&CentralScheduler::m_enforceAt),
                MakeEnumChecker(EnforceAt::SENDER, "sender", EnforceAt::RECEIVER, "receiver"));
    return tid;
}

CentralScheduler::CentralScheduler()
    : m_latency(CreateObject<ScheduleLatency>())
{
}

CentralScheduler::~CentralScheduler()
{
}

std::vector<TypeId>
CentralScheduler::GetPartTypes() const
{
    return {CentralCoordinator::GetTypeId(), GetDaemonType(), ControlPlane::GetTypeId()};
}

TypeId
CentralScheduler::GetDaemonType() const
{
    return ::coflow::Policies::Find(GetPolicy()).knowledge == Knowledge::CLAIRVOYANT
               ? ClairvoyantDaemon::GetTypeId()
               : CentralDaemon::GetTypeId();
}

Ptr<Coordinator>
CentralScheduler::CreateCoordinator(const Cluster& cluster)
{
    const auto make =
        [name = GetPolicy(), parameters = GetPolicyParameters(), scale = GetPolicyScale()] {
            return ::coflow::MakePolicy(name, parameters, scale);
        };
    const auto policy = make();
    if (policy->GetControl() != ::coflow::Control::CENTRAL)
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
    m_reportPeriod = policy->ReportPeriod();
    if (m_reportPeriod < 1000)
    {
        throw InputError("scheduler " + GetPolicy() +
                         " has hosts report more often than every microsecond; allowed with "
                         "packets: delta >= 1e-6");
    }

    const auto coordinator = GetPart(CentralCoordinator::GetTypeId()).Create<CentralCoordinator>();
    coordinator->SetPolicy(make, GetHostRates(*cluster.fabric->GetTopology()), m_enforceAt);
    BooleanValue reuse;
    cluster.hosts.front().source->GetAttribute("ConnectionReuse", reuse);
    if (reuse.Get() && m_enforceAt == EnforceAt::RECEIVER)
    {
        throw InputError("option --enforceAt is 'receiver' with --connectionReuse=true, where one "
                         "connection carries flows with different rates; allowed: sender, or "
                         "--connectionReuse=false");
    }
    coordinator->TraceConnectWithoutContext(
        "Schedule",
        MakeCallback(&ScheduleLatency::NotifySchedule, m_latency));
    return coordinator;
}

Ptr<Daemon>
CentralScheduler::CreateDaemon(HostId)
{
    return GetPart(GetDaemonType()).Create<CentralDaemon>();
}

void
CentralScheduler::CompleteDaemon(HostId, Ptr<Daemon> daemon)
{
    if (m_enforceAt == EnforceAt::RECEIVER)
    {
        DynamicCast<CentralDaemon>(daemon)->EnforceAtReceiver();
    }
    if (m_reportPeriod != ::coflow::NEVER)
    {
        DynamicCast<CentralDaemon>(daemon)->SetReportPeriod(NanoSeconds(m_reportPeriod));
    }
    if (m_sizes)
    {
        DynamicCast<ClairvoyantDaemon>(daemon)->SetSizeKnowledge(*m_sizes);
    }
    daemon->TraceConnectWithoutContext("ScheduleApplied",
                                       MakeCallback(&ScheduleLatency::NotifyApplied, m_latency));
}

std::string
CentralScheduler::DescribeWait(::coflow::CoflowId coflow) const
{
    return GetCoordinator()->DescribeWait(coflow);
}

Ptr<CentralCoordinator>
CentralScheduler::GetCoordinator() const
{
    return DynamicCast<CentralCoordinator>(GetCoordinatorProcess());
}

Ptr<CentralDaemon>
CentralScheduler::GetDaemon(HostId host) const
{
    return DynamicCast<CentralDaemon>(GetDaemons().at(host));
}

void
CentralScheduler::DescribeMore(Json& control) const
{
    control.Set("runs", GetCoordinatorProcess()->GetRuns()).Set("latency", m_latency->ToJson());
}

void
CentralScheduler::DoDispose()
{
    m_latency = nullptr;
    CoordinatedScheduler::DoDispose();
}

} // namespace ns3::coflow
