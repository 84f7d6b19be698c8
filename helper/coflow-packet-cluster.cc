/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-packet-cluster.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-central-scheduler.h"
#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <string>

namespace ns3::coflow
{

using ::coflow::Json;

namespace
{

/// Gives the profile what the scheduler wants, but where the user has chosen.
void
ChooseTransport(const Ptr<TransportProfile>& profile,
                const Scheduler& scheduler,
                const RunParts& parts)
{
    for (const auto& [name, value] : scheduler.GetTransportDefaults())
    {
        if (!parts.IsGiven(TransportProfile::GetTypeId(), name))
        {
            profile->SetAttribute(name, StringValue(value));
        }
    }
}

/// Gives the fabric's ports the queue that the scheduler needs, unless the user has chosen one,
/// which then has to be of the same class.
void
ChooseQueueDisc(const Ptr<Fabric>& fabric, const Scheduler& scheduler, const std::string& name)
{
    const std::string needed = scheduler.GetQueueDisc();
    StringValue chosen;
    fabric->GetAttribute("QueueDisc", chosen);
    const auto classOf = [](const std::string& queueDisc) {
        return queueDisc.substr(0, queueDisc.find('['));
    };
    if (chosen.Get().empty())
    {
        fabric->SetAttribute("QueueDisc", StringValue(needed));
    }
    else if (!needed.empty() && classOf(chosen.Get()) != classOf(needed))
    {
        throw ::coflow::InputError(
            "option --queueDisc is '" + classOf(chosen.Get()) + "', which the scheduler " + name +
            " cannot work with; allowed: " + classOf(needed) +
            ", with values for its attributes if need be, or no such option");
    }
}

/// Has TCP's timers follow the network's rates.
void
FitToNetwork(TransportProfile& profile, const Fabric& fabric)
{
    const auto& topology = *fabric.GetTopology();
    std::array<LinkPort, MAX_PATH_PORTS> path;
    uint32_t most = 0;
    for (HostId host = 1; host < topology.GetNHosts(); ++host)
    {
        most = std::max(most, topology.Path(0, host, 0, path));
    }
    double atHosts = 0; // seconds per bit at the slowest port
    double between = 0;
    for (LinkPort port = 0; port < topology.GetNPorts(); ++port)
    {
        const auto& link = topology.GetPort(port);
        const bool ofHost = topology.IsHost(link.from) || topology.IsHost(link.to);
        auto& slowest = ofHost ? atHosts : between;
        slowest = std::max(slowest, 1.0 / static_cast<double>(link.rate.GetBitRate()));
    }
    const double perBit = 2 * atHosts + (std::max(most, 2U) - 2) * between;
    constexpr double ACK_BYTES = 56;
    profile.FollowNetwork(Seconds(8 * perBit * (fabric.GetMtu() + 2 + ACK_BYTES)),
                          Seconds(8 * perBit * static_cast<double>(fabric.GetQueueLimit())));
}

} // namespace

PacketCluster::SimulationEnd::~SimulationEnd()
{
    Simulator::Destroy();
}

PacketCluster::PacketCluster(const ExperimentConfig& config)
    : m_parts("packet", config)
{
    WheelSimulatorImpl::Install();
    Build(config);
}

PacketCluster::~PacketCluster()
{
    m_driver->Dispose();
    m_scheduler->Dispose();
    if (m_jumper)
    {
        m_jumper->Dispose();
    }
    m_cluster.fabric->Dispose();
}

void
PacketCluster::Build(const ExperimentConfig& config)
{
    const auto type = FindSchedulerType(config.scheduler);
    m_schedulerParts = type.GetPartTypes();
    const bool hasControl =
        std::count(m_schedulerParts.begin(), m_schedulerParts.end(), ControlPlane::GetTypeId()) > 0;
    if (type.policy)
    {
        std::string parameters;
        for (const auto& assignment : m_parts.GetPolicyAssignments())
        {
            parameters += parameters.empty() ? "" : ",";
            parameters += assignment;
        }
        auto& factory = m_parts.GetFactory(type.typeId);
        factory.Set("Policy", StringValue(type.name));
        factory.Set("PolicyParameters", StringValue(parameters));
        factory.Set("PolicyScale", DoubleValue(m_parts.GetScale()));
    }

    m_cluster.profile = m_parts.Create<TransportProfile>();
    m_cluster.fabric = m_parts.Create<Fabric>();
    m_scheduler = m_parts.Create<Scheduler>();
    const auto topology = m_parts.Create<Topology>();
    topology->Build();
    m_scheduler->Fit(*topology, m_cluster.profile->GetRequiredMtu());
    ChooseTransport(m_cluster.profile, *m_scheduler, m_parts);
    ChooseQueueDisc(m_cluster.fabric, *m_scheduler, config.scheduler);
    m_cluster.fabric->SetAttribute("Mtu", UintegerValue(m_cluster.profile->GetRequiredMtu()));
    m_cluster.fabric->SetTopology(topology);
    m_cluster.fabric->Build();
    FitToNetwork(*m_cluster.profile, *m_cluster.fabric);
    const auto control = m_parts.Create<ControlPlane>();
    control->Build(m_cluster.fabric, m_cluster.profile);
    m_cluster.controlNetwork = control->GetNetwork();
    const bool central = DynamicCast<CentralScheduler>(m_scheduler) != nullptr;
    if (!m_scheduler->GetQueueDisc().empty() && (!hasControl || central))
    {
        // Where ports go by priorities that hosts give to flows, a flow of a few bytes goes first.
        control->SetPriority({0, 0});
    }
    // Before whatever draws random numbers in one scheduler and not in another: under the same
    // seed all are played the same.
    m_driver = m_parts.Create<WorkloadDriver>();
    m_driver->SetControl(control);
    const auto& nodes = m_cluster.fabric->GetHosts();
    m_cluster.profile->Install(nodes);
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto source = m_parts.Create<CoflowSource>();
        const auto sink = CreateObject<CoflowSink>();
        source->SetAttribute("Profile", PointerValue(m_cluster.profile));
        sink->SetAttribute("Profile", PointerValue(m_cluster.profile));
        UintegerValue port;
        source->GetAttribute("Port", port);
        sink->SetAttribute("Port", port);
        nodes.Get(i)->AddApplication(source);
        nodes.Get(i)->AddApplication(sink);
        m_cluster.hosts.push_back({source, sink});
    }
    for (const auto& part : m_schedulerParts)
    {
        m_scheduler->SetPart(m_parts.GetFactory(part));
    }
    m_agents = m_scheduler->Install(m_cluster);
    InstallJumper();
}

void
PacketCluster::InstallJumper()
{
    const auto jumper = m_parts.Create<TimeJumper>();
    if (jumper->GetMode() == TimeJumper::Mode::NO)
    {
        return;
    }
    jumper->Install(m_cluster.fabric, m_cluster.profile);
    for (HostId host = 0; host < m_cluster.hosts.size(); ++host)
    {
        jumper->Watch(host, m_cluster.hosts[host].source, m_cluster.hosts[host].sink);
    }
    m_jumper = jumper;
}

Ptr<TimeJumper>
PacketCluster::GetTimeJumper() const
{
    return m_jumper;
}

Ptr<Fabric>
PacketCluster::GetFabric() const
{
    return m_cluster.fabric;
}

Ptr<Scheduler>
PacketCluster::GetScheduler() const
{
    return m_scheduler;
}

const std::vector<Scheduler::Host>&
PacketCluster::GetHosts() const
{
    return m_cluster.hosts;
}

const std::vector<Ptr<HostAgent>>&
PacketCluster::GetAgents() const
{
    return m_agents;
}

Ptr<CoflowClient>
PacketCluster::GetClient(HostId host) const
{
    return m_cluster.fabric->GetHosts().Get(host)->GetObject<CoflowClient>();
}

Ptr<WorkloadDriver>
PacketCluster::GetDriver() const
{
    return m_driver;
}

std::vector<Ptr<const Object>>
PacketCluster::GetTimedParts() const
{
    std::vector<Ptr<const Object>> parts{m_cluster.fabric->GetTopology(),
                                         m_cluster.fabric,
                                         m_cluster.profile,
                                         m_scheduler,
                                         m_cluster.hosts.front().source,
                                         m_driver};
    auto types = m_schedulerParts;
    if (std::count(types.begin(), types.end(), ControlPlane::GetTypeId()) == 0)
    {
        types.push_back(ControlPlane::GetTypeId()); // drivers hear of completion over one
    }
    for (const auto& part : types)
    {
        parts.emplace_back(m_parts.GetFactory(part).Create<Object>());
    }
    return parts;
}

const RunParts&
PacketCluster::GetParts() const
{
    return m_parts;
}

Json
PacketCluster::Describe() const
{
    auto scheduler = GetAttributeValues(m_scheduler);
    for (const auto& part : m_schedulerParts)
    {
        scheduler.Set(GetBareName(part),
                      GetAttributeValues(m_parts.GetFactory(part).Create<Object>()));
    }
    return Json::Object()
        .Set("topology", GetAttributeValues(m_cluster.fabric->GetTopology()))
        .Set("fabric", GetAttributeValues(m_cluster.fabric))
        .Set("transport", GetAttributeValues(m_cluster.profile))
        .Set("scheduler", scheduler)
        .Set("policy", m_parts.DescribePolicy())
        .Set("source", GetAttributeValues(m_cluster.hosts.front().source))
        .Set("jumps", GetAttributeValues(m_parts.Create<TimeJumper>()))
        .Set("driver", GetAttributeValues(m_driver))
        .Set("control",
             GetAttributeValues(m_parts.GetFactory(ControlPlane::GetTypeId()).Create<Object>()));
}

} // namespace ns3::coflow
