/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-central-scheduler.h"

#include "ns3/boolean.h"
#include "ns3/coflow-clairvoyant-daemon.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-packet-class.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/coflow-text.h"
#include "ns3/enum.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>

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
                "Who enforces decisions: policy, as in the scheduler's paper (network under "
                "sincronia unless rates=madd, sender under all others); sender, the source writes "
                "a flow no faster than its rate; network, hosts get an order of coflows instead of "
                "rates, and ports serve classes strictly, as in Sincronia",
                EnumValue(EnforceAt::POLICY),
                MakeEnumAccessor<EnforceAt>(&CentralScheduler::m_enforceAt),
                MakeEnumChecker(EnforceAt::POLICY,
                                "policy",
                                EnforceAt::SENDER,
                                "sender",
                                EnforceAt::NETWORK,
                                "network"))
            .AddAttribute("Classes",
                          "With EnforceAt=network: number of classes for the order. Each of the "
                          "first coflows has a separate class, and all others share the last one",
                          UintegerValue(PacketPriority::BANDS - 1),
                          MakeUintegerAccessor(&CentralScheduler::m_classes),
                          MakeUintegerChecker<uint32_t>(1, PacketPriority::BANDS - 1))
            .AddAttribute("KeepOrder",
                          "With EnforceAt=network: whether ports keep the packets of a flow in "
                          "order when the class of its coflow changes, as in pCoflow",
                          BooleanValue(false),
                          MakeBooleanAccessor(&CentralScheduler::m_keepOrder),
                          MakeBooleanChecker());
    return tid;
}

CentralScheduler::CentralScheduler()
    : m_latency(Create<ScheduleLatency>())
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

CentralScheduler::EnforceAt
CentralScheduler::GetEnforcement() const
{
    if (m_enforceAt != EnforceAt::POLICY)
    {
        return m_enforceAt;
    }
    const auto policy = ::coflow::MakePolicy(GetPolicy(), GetPolicyParameters(), GetPolicyScale());
    return policy->PrefersOrder() ? EnforceAt::NETWORK : EnforceAt::SENDER;
}

bool
CentralScheduler::GivesRates(const CoflowOptions& coflow) const
{
    // All daemons have the same attributes.
    return GetEnforcement() == EnforceAt::SENDER && !GetDaemon(0)->Bypasses(coflow);
}

std::string
CentralScheduler::GetQueueDisc() const
{
    if (GetEnforcement() != EnforceAt::NETWORK)
    {
        return "";
    }
    // Bands have space for the windows of flows that starve.
    return std::string("ns3::coflow::StrictPriorityQueueDisc[BandSize=4MiB|KeepOrder=") +
           (m_keepOrder ? "true]" : "false]");
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
    m_sizes = SizeAccess::Of(*policy);
    m_reportPeriod = policy->ReportPeriod();
    constexpr ::coflow::Nanoseconds LEAST_PERIOD = 100;
    if (m_reportPeriod < LEAST_PERIOD)
    {
        throw InputError("scheduler " + GetPolicy() +
                         " has hosts report more often than every 100 ns; allowed with packets: "
                         "delta >= 1e-7");
    }

    const auto coordinator = GetPart(CentralCoordinator::GetTypeId()).Create<CentralCoordinator>();
    m_network = cluster.network;
    const EnforceAt enforceAt = GetEnforcement();
    coordinator->SetPolicy(make, cluster.network);
    if (enforceAt == EnforceAt::NETWORK)
    {
        if (!policy->DecidesOrder())
        {
            throw InputError("option --enforceAt is 'network', but scheduler " + GetPolicy() +
                             " decides rates and no order; allowed: sender");
        }
        coordinator->SetOrderClasses(m_classes);
        GetControl()->SetHighestPriority();
    }
    const bool givesPaths = coordinator->GetPathChoice() != ::coflow::PathChoice::FABRIC;
    if (givesPaths && policy->ChoosesPaths())
    {
        throw InputError("option --pathChoice: scheduler " + GetPolicy() +
                         " chooses paths itself; allowed: fabric");
    }
    m_choosesPaths = givesPaths || policy->ChoosesPaths();
    const std::string what = givesPaths ? "option --pathChoice" : "scheduler " + GetPolicy();
    const std::string instead = givesPaths ? "fabric, or " : "";
    // A policy that gets no paths considers ports only.
    const bool lacksPaths = givesPaths && !cluster.network->GetPaths();
    if (m_choosesPaths && (enforceAt == EnforceAt::NETWORK || lacksPaths))
    {
        throw InputError(what +
                         ": paths are told to senders with their rates, and the network has "
                         "to go by labels; allowed: " +
                         instead + "--enforceAt=sender on a fabric of a topology");
    }
    coordinator->TraceConnectWithoutContext(
        "Schedule",
        MakeCallback(&ScheduleLatency::NotifySchedule, m_latency));
    return coordinator;
}

Ptr<Daemon>
CentralScheduler::CreateDaemon(HostId)
{
    const auto daemon = GetPart(GetDaemonType()).Create<CentralDaemon>();
    CheckTimeouts(*daemon);
    CheckReports(*daemon);
    return daemon;
}

void
CentralScheduler::CheckReports(const CentralDaemon& daemon) const
{
    StringValue remaining;
    BooleanValue reports;
    GetCoordinatorProcess()->GetAttribute("Remaining", remaining);
    daemon.GetAttribute("ReportProgress", reports);
    if (remaining.Get() == "reported" && !reports.Get())
    {
        throw InputError("option --remaining is 'reported', but hosts report nothing; allowed: "
                         "with --reportProgress=true");
    }
}

void
CentralScheduler::CheckTimeouts(const CentralDaemon& daemon) const
{
    TimeValue heartbeat;
    TimeValue masterTimeout;
    TimeValue daemonTimeout;
    daemon.GetAttribute("Heartbeat", heartbeat);
    daemon.GetAttribute("MasterTimeout", masterTimeout);
    GetCoordinatorProcess()->GetAttribute("DaemonTimeout", daemonTimeout);
    const auto seconds = [](const TimeValue& value) {
        return ::coflow::FormatNumber(value.Get().GetSeconds()) + " s";
    };
    const auto check = [&](const std::string& option, const TimeValue& timeout) {
        if (timeout.Get() <= heartbeat.Get())
        {
            // Daemons and coordinator would assume each other's death, and hosts would send flows
            // without limits.
            throw InputError("option " + option + " is " + seconds(timeout) +
                             ", and there is a heartbeat every " + seconds(heartbeat) +
                             "; allowed: more than --heartbeat. Defaults follow the scale of the "
                             "workload (--scaleControl=no: they do not)");
        }
    };
    check("--masterTimeout", masterTimeout);
    check("--daemonTimeout", daemonTimeout);
}

void
CentralScheduler::CompleteDaemon(HostId host, Ptr<Daemon> daemon)
{
    DynamicCast<CentralDaemon>(daemon)->WatchPort(
        [network = m_network, host] { return network->GetPortShare(host); });
    if (GetEnforcement() == EnforceAt::NETWORK)
    {
        DynamicCast<CentralDaemon>(daemon)->EnforceInNetwork(m_classes);
    }
    if (m_reportPeriod != ::coflow::NEVER)
    {
        DynamicCast<CentralDaemon>(daemon)->SetReportPeriod(NanoSeconds(m_reportPeriod));
    }
    if (m_sizes)
    {
        DynamicCast<ClairvoyantDaemon>(daemon)->SetSizeAccess(*m_sizes);
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
    if (m_choosesPaths)
    {
        control.Set("path_moves", GetCoordinator()->GetMoves());
    }
}

void
CentralScheduler::DoDispose()
{
    m_latency = nullptr;
    m_network = nullptr;
    CoordinatedScheduler::DoDispose();
}

} // namespace ns3::coflow
