/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-hybrid-scheduler.h"

#include "ns3/boolean.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-policy-registry.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3::coflow
{

using ::coflow::Scaling;
using ::coflow::Unit;

using ::coflow::DclasPolicy;
using ::coflow::InputError;

NS_OBJECT_ENSURE_REGISTERED(HybridScheduler);

namespace
{

/// MinNotify in Aalo's published code, in bytes.
constexpr double CODE_MIN_NOTIFY = 10e6;

/// Creates a policy that this scheduler can run.
/// @throws InputError for any other policy
std::unique_ptr<DclasPolicy>
Make(const std::string& name, const std::vector<std::string>& parameters, double scale)
{
    auto policy = ::coflow::MakePolicy(name, parameters, scale);
    auto* dclas = dynamic_cast<DclasPolicy*>(policy.get());
    if (!dclas)
    {
        throw InputError("policy " + name +
                         " has no queues that hosts could decide by; allowed: "
                         "aalo, graviton, graviton-sf");
    }
    policy.release();
    return std::unique_ptr<DclasPolicy>(dclas);
}

} // namespace

TypeId
HybridScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::HybridScheduler")
            .SetParent<CoordinatedScheduler>()
            .SetGroupName("Coflow")
            .AddConstructor<HybridScheduler>()
            .AddAttribute(
                "Preset",
                "Values of parameters that are not given. paper: the defaults; code: those of "
                "Aalo's published code, enforcement=gating, minNotify=10000000, delta=0.08, "
                "firstThreshold=10485760, localEstimate=false, matchGap=1, sharing=strict",
                EnumValue(Preset::PAPER),
                MakeEnumAccessor<Preset>(&HybridScheduler::m_preset),
                MakeEnumChecker(Preset::PAPER, "paper", Preset::CODE, "code"))
            .AddAttribute(
                "Enforcement",
                "How hosts enforce decisions: nic, a scheduler on the host permits each segment; "
                "gating, hosts pause and resume flows; dscp, all ports serve eight classes of "
                "service strictly, and hosts have no order; preset: nic, or gating with "
                "Preset=code",
                EnumValue(HybridSettings::Enforcement::PRESET),
                MakeEnumAccessor<HybridSettings::Enforcement>(&HybridScheduler::m_enforcement),
                MakeEnumChecker(HybridSettings::Enforcement::NIC,
                                "nic",
                                HybridSettings::Enforcement::GATING,
                                "gating",
                                HybridSettings::Enforcement::DSCP,
                                "dscp",
                                HybridSettings::Enforcement::PRESET,
                                "preset"))
            .AddAttribute("DagLevelSize",
                          "Whether the queue of a coflow depends on the bytes that all coflows of "
                          "its DAG have sent, and not only on its own",
                          BooleanValue(true),
                          MakeBooleanAccessor(&HybridScheduler::m_dagLevelSize),
                          MakeBooleanChecker())
            .AddAttribute("MinNotify",
                          "Bytes of a coflow that a host sends before its first report on it, and "
                          "then between two reports; 0: any number, or 10000000 with Preset=code",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HybridScheduler::m_minNotify),
                          Declared(MakeUintegerChecker<uint64_t>(), Unit::BYTES, Scaling::WORKLOAD))
            .AddAttribute("SilentPeriods",
                          "Number of periods without a message of the coordinator after which a "
                          "daemon with data to send fails open, that is, goes on alone",
                          UintegerValue(10),
                          MakeUintegerAccessor(&HybridScheduler::m_silentPeriods),
                          MakeUintegerChecker<uint32_t>(2));
    return tid;
}

std::vector<TypeId>
HybridScheduler::GetPartTypes() const
{
    return {ControlPlane::GetTypeId()};
}

std::string
HybridScheduler::GetQueueDisc() const
{
    return GetEnforcement() == HybridSettings::Enforcement::DSCP
               ? "ns3::coflow::StrictPriorityQueueDisc[BandSize=4MiB]"
               : "";
}

HybridSettings::Enforcement
HybridScheduler::GetEnforcement() const
{
    using enum HybridSettings::Enforcement;
    return m_enforcement != PRESET ? m_enforcement : m_preset == Preset::CODE ? GATING : NIC;
}

std::vector<std::string>
HybridScheduler::GetPresetParameters() const
{
    if (m_preset != Preset::CODE)
    {
        return {};
    }
    return {"delta=0.08",
            "firstThreshold=10485760",
            "localEstimate=false",
            "matchGap=1",
            "sharing=strict"};
}

HybridSettings
HybridScheduler::MakeSettings(Ptr<const HostNetwork> network) const
{
    const auto parameters = GetPolicyParameters();
    const auto policy = Make(GetPolicy(), parameters, GetPolicyScale());
    if (policy->Delta() < 1000 || policy->Queues() > GlobalCoflow::PROMOTED)
    {
        throw InputError("delta is below 1 us, or there are more than 63 queues; allowed with "
                         "packets: delta >= 1e-6, queues <= 63");
    }
    const Time delta = NanoSeconds(policy->Delta());
    const uint64_t notifyOfPreset =
        m_preset == Preset::CODE
            ? static_cast<uint64_t>(std::max(1.0, std::round(CODE_MIN_NOTIFY * GetPolicyScale())))
            : 0;
    return {
        .makePolicy = [name = GetPolicy(),
                       parameters,
                       scale = GetPolicyScale()] { return Make(name, parameters, scale); },
        .network = network,
        .rates = network->GetRates(),
        .delta = delta,
        .matchGap = delta * policy->MatchGap(),
        .silentPeriods = m_silentPeriods,
        .enforcement = GetEnforcement(),
        .localEstimate = policy->LocalEstimate(),
        .dagLevelSize = m_dagLevelSize,
        .minNotify = m_minNotify > 0 ? m_minNotify : notifyOfPreset,
    };
}

Ptr<Coordinator>
HybridScheduler::CreateCoordinator(const Cluster& cluster)
{
    m_settings = std::make_shared<const HybridSettings>(MakeSettings(cluster.network));
    m_network = cluster.network;
    if (m_settings->enforcement == HybridSettings::Enforcement::DSCP)
    {
        GetControl()->SetHighestPriority();
    }
    UintegerValue segment;
    cluster.profile->GetAttribute("SegmentSize", segment);
    m_segmentBytes = static_cast<uint32_t>(segment.Get());
    for (const auto& host : cluster.hosts)
    {
        m_sources.push_back(host.source);
    }
    const auto coordinator = CreateObject<HybridCoordinator>();
    coordinator->SetSettings(m_settings);
    return coordinator;
}

Ptr<Daemon>
HybridScheduler::CreateDaemon(HostId)
{
    return CreateObject<HybridDaemon>();
}

void
HybridScheduler::CompleteDaemon(HostId host, Ptr<Daemon> daemon)
{
    Ptr<NicScheduler> nic;
    if (m_settings->enforcement == HybridSettings::Enforcement::NIC)
    {
        const auto policy = m_settings->makePolicy();
        // The first queue is for promoted coflows.
        std::vector<double> weights{1};
        for (int queue = 0; queue < policy->Queues(); ++queue)
        {
            weights.push_back(policy->Weight(queue));
        }
        nic = CreateObject<NicScheduler>();
        nic->SetPort(m_network, host, m_segmentBytes);
        nic->SetWeights(weights, policy->IsStrict() ? weights.size() : 1);
        m_sources[host]->SetNicScheduler(nic);
    }
    DynamicCast<HybridDaemon>(daemon)->SetSettings(m_settings, nic);
    m_nics.push_back(nic);
}

Ptr<HybridCoordinator>
HybridScheduler::GetCoordinator() const
{
    return DynamicCast<HybridCoordinator>(GetCoordinatorProcess());
}

Ptr<HybridDaemon>
HybridScheduler::GetDaemon(HostId host) const
{
    return DynamicCast<HybridDaemon>(GetDaemons().at(host));
}

Ptr<NicScheduler>
HybridScheduler::GetNic(HostId host) const
{
    return m_nics.at(host);
}

void
HybridScheduler::DescribeMore(::coflow::Json& control) const
{
    control.Set("delta_s", m_settings->delta.GetSeconds())
        .Set("runs", GetCoordinatorProcess()->GetRuns());
}

void
HybridScheduler::DoDispose()
{
    m_nics.clear();
    m_sources.clear();
    m_network = nullptr;
    m_settings = nullptr; // the settings refer to the network
    CoordinatedScheduler::DoDispose();
}

} // namespace ns3::coflow
