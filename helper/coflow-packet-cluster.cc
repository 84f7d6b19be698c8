/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-packet-cluster.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-network-sizes.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-wheel-simulator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3::coflow
{

using ::coflow::Json;

namespace
{

/// Sets the queue disc of the fabric's ports to the queue disc that the scheduler needs. A queue
/// disc that the user has chosen stays, and must be of the same class.
void
ChooseQueueDisc(const Ptr<Fabric>& fabric, const std::string& needed, const std::string& name)
{
    StringValue chosen;
    fabric->GetAttribute("QueueDisc", chosen);
    const auto classOf = [](const std::string& queueDisc) {
        return queueDisc.substr(0, queueDisc.find('['));
    };
    if (chosen.Get().empty())
    {
        const auto product = fabric->GetBandwidthDelay().GetBytes();
        fabric->SetAttribute("QueueDisc",
                             StringValue(NetworkSizes::FollowNetwork(needed, false, product)));
    }
    else if (!needed.empty() && classOf(chosen.Get()) != classOf(needed))
    {
        throw ::coflow::InputError(
            "option --queueDisc is '" + classOf(chosen.Get()) + "', which the scheduler " + name +
            " cannot work with; allowed: " + classOf(needed) +
            ", with values for its attributes if need be, or no such option");
    }
}

} // namespace

PacketCluster::SimulationEnd::~SimulationEnd()
{
    Simulator::Destroy();
}

PacketCluster::PacketCluster(const ExperimentConfig& config)
{
    WheelSimulatorImpl::Install();
    Build(config);
}

PacketCluster::~PacketCluster()
{
    m_installation->Dispose();
    if (m_jumper)
    {
        m_jumper->Dispose();
    }
    m_fabric->Dispose();
}

void
PacketCluster::Build(const ExperimentConfig& config)
{
    m_installation = CreateObject<CoflowInstallation>(config.scheduler, RunParts("packet", config));
    m_fabric = GetParts().Create<Fabric>();
    const auto topology = GetParts().Create<Topology>();
    topology->Build();
    m_fabric->SetTopology(topology);
    m_installation->Configure(*m_fabric);
    ChooseQueueDisc(m_fabric, m_installation->GetQueueDisc(), config.scheduler);
    m_fabric->SetAttribute("Mtu", UintegerValue(m_installation->GetMtu()));
    m_fabric->Build();
    m_installation->Install(m_fabric);
    InstallJumper();
}

void
PacketCluster::InstallJumper()
{
    const auto jumper = GetParts().Create<TimeJumper>();
    if (!jumper->IsOn())
    {
        return;
    }
    jumper->Install(m_fabric, m_installation->GetProfile());
    const auto& hosts = GetHosts();
    for (HostId host = 0; host < hosts.size(); ++host)
    {
        jumper->Watch(host, hosts[host].source, hosts[host].sink);
    }
    m_jumper = jumper;
}

Ptr<TimeJumper>
PacketCluster::GetTimeJumper() const
{
    return m_jumper;
}

Ptr<Scheduler>
PacketCluster::GetScheduler() const
{
    return m_installation->GetScheduler();
}

const std::vector<Scheduler::Host>&
PacketCluster::GetHosts() const
{
    return m_installation->GetHosts();
}

const std::vector<Ptr<HostAgent>>&
PacketCluster::GetAgents() const
{
    return m_installation->GetAgents();
}

Ptr<CoflowClient>
PacketCluster::GetClient(HostId host) const
{
    return m_installation->GetClient(host);
}

Ptr<WorkloadDriver>
PacketCluster::GetDriver() const
{
    return m_installation->GetDriver();
}

std::vector<Ptr<const Object>>
PacketCluster::GetTimedParts() const
{
    auto parts = m_installation->GetTimedParts();
    parts.insert(parts.begin(), {m_fabric->GetTopology(), m_fabric});
    return parts;
}

const RunParts&
PacketCluster::GetParts() const
{
    return m_installation->GetParts();
}

Json
PacketCluster::Describe() const
{
    return m_installation->Describe(
        Json::Object()
            .Set("topology", GetAttributeValues(m_fabric->GetTopology()))
            .Set("fabric", GetAttributeValues(m_fabric))
            .Set("jumps", GetAttributeValues(GetParts().Create<TimeJumper>())));
}

} // namespace ns3::coflow
