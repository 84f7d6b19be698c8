/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-helper.h"

#include "ns3/abort.h"
#include "ns3/coflow-attribute-spec.h"
#include "ns3/coflow-attribute-text.h"
#include "ns3/coflow-coordinated-scheduler.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-network-sizes.h"
#include "ns3/coflow-run-report.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/coflow-workload-check.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <iostream>
#include <map>

namespace ns3::coflow
{

using ::coflow::InputError;
using ::coflow::Json;

NS_LOG_COMPONENT_DEFINE("CoflowHelper");

namespace
{

/// @return the name of a scheduler
std::string
FindName(const std::string& scheduler)
{
    if (!scheduler.starts_with("ns3::"))
    {
        return FindSchedulerType(scheduler).name;
    }
    std::string names;
    for (const auto& type : GetSchedulerTypes())
    {
        if (type.typeId.GetName() == scheduler)
        {
            if (type.policy)
            {
                throw InputError("scheduler '" + scheduler +
                                 "' runs policies, each of which has a "
                                 "name; allowed: the name, such as \"varys\" or \"aalo\"");
            }
            return type.name;
        }
        names += type.policy ? "" : (names.empty() ? "" : ", ") + type.typeId.GetName();
    }
    throw InputError("scheduler is '" + scheduler + "'; allowed: " + names +
                     ", or a name such as \"varys\"");
}

/// @return a value in the form of an option
std::string
ToText(const std::string& name, const AttributeValue& value)
{
    if (const auto* text = dynamic_cast<const StringValue*>(&value))
    {
        return text->Get();
    }
    if (const auto* time = dynamic_cast<const TimeValue*>(&value))
    {
        return std::to_string(time->Get().GetNanoSeconds()) + "ns";
    }
    if (dynamic_cast<const EnumValue<int>*>(&value))
    {
        throw InputError(name + " is given as a number; allowed: a StringValue with its name");
    }
    return value.SerializeToString(nullptr);
}

/// @return a description of a network, for files
Json
DescribeNetwork(const InstalledNetwork& network)
{
    auto hosts = Json::Array();
    for (HostId host = 0; host < network.GetNHosts(); ++host)
    {
        std::ostringstream address;
        address << network.GetAddress(host);
        hosts.Add(Json::Object()
                      .Set("node", network.GetHosts().Get(host)->GetId())
                      .Set("address", address.str())
                      .Set("device", network.GetHostDevice(host)->GetInstanceTypeId().GetName())
                      .Set("up_bit_per_s", network.GetUplinkRate(host).GetBitRate())
                      .Set("down_bit_per_s", network.GetDownlinkRate(host).GetBitRate()));
    }
    return Json::Object().Set("network",
                              Json::Object()
                                  .Set("hosts", hosts)
                                  .Set("devices", std::uint64_t{network.GetDevices().size()}));
}

/// @return the configuration, with the names of topology and fabric that files have
ExperimentConfig
OfScript(ExperimentConfig config)
{
    config.topology = config.fabric = "script";
    return config;
}

/// @return the workload with other host numbers
::coflow::Workload
MapHosts(::coflow::Workload workload, const std::vector<HostId>& hosts, uint32_t all)
{
    if (workload.hosts > hosts.size())
    {
        throw InputError("the workload names " + std::to_string(workload.hosts) +
                         " hosts, but InstallWorkload() was given " + std::to_string(hosts.size()) +
                         " nodes; allowed: more nodes, or a workload that is mapped onto fewer "
                         "hosts");
    }
    workload.hosts = all;
    for (auto& coflow : workload.coflows)
    {
        for (auto& flow : coflow.flows)
        {
            flow.src = hosts[flow.src];
            flow.dst = hosts[flow.dst];
        }
    }
    return workload;
}

} // namespace

CoflowHelper::CoflowHelper()
{
    m_config.topology.clear();
    m_config.fabric.clear();
}

void
CoflowHelper::SetScheduler(const std::string& scheduler)
{
    m_config.scheduler = FindName(scheduler);
}

void
CoflowHelper::Set(const std::string& name, const std::string& value)
{
    m_config.attributes.emplace_back(GetOptionName(name), value);
}

void
CoflowHelper::Set(const std::string& name, const AttributeValue& value)
{
    Set(name, ToText(name, value));
}

void
CoflowHelper::SetAddress(Ptr<Node> host, Ipv4Address address)
{
    m_given.addresses[host] = address;
}

void
CoflowHelper::SetRates(Ptr<Node> host, DataRate up, DataRate down)
{
    m_given.rates[host] = {up, down};
}

void
CoflowHelper::SetAvailableShare(Ptr<Node> host, double share)
{
    if (!m_installation)
    {
        m_given.shares[host] = share;
        return;
    }
    const auto network = DynamicCast<InstalledNetwork>(GetInstalled().GetNetwork());
    network->SetAvailableShare(network->FindHost(*host), share);
}

void
CoflowHelper::SetScale(double scale)
{
    m_config.scale = scale;
}

void
CoflowHelper::InstallQueueDiscs(const NetDeviceContainer& devices)
{
    NS_ABORT_MSG_IF(m_installation, "InstallQueueDiscs() comes before Install()");
    m_queueDiscDevices.Add(devices);
}

void
CoflowHelper::InstallQueueDiscs()
{
    NS_ABORT_MSG_IF(m_installation, "InstallQueueDiscs() comes before Install()");
    m_queueDiscsEverywhere = true;
}

ObjectFactory
CoflowHelper::MakeQueueDisc(const std::string& needed, uint64_t product) const
{
    const auto classOf = [](const std::string& text) { return text.substr(0, text.find('[')); };
    if (!m_queueDisc.empty() && !needed.empty() && classOf(m_queueDisc) != classOf(needed))
    {
        throw InputError("SetQueueDisc() says '" + classOf(m_queueDisc) +
                         "', which the scheduler " + m_config.scheduler +
                         " cannot work with; allowed: " + classOf(needed) +
                         ", with values for its attributes if need be, or no such call");
    }
    const auto text = !m_queueDisc.empty() ? m_queueDisc
                      : !needed.empty()    ? needed
                                           : "ns3::coflow::FifoQueueDisc";
    ParseObjectFactory("SetQueueDisc()", QueueDisc::GetTypeId(), text); // checks the text
    return ParseObjectFactory("SetQueueDisc()",
                              QueueDisc::GetTypeId(),
                              NetworkSizes::FollowNetwork(text, !m_queueDisc.empty(), product));
}

Ptr<CoflowInstallation>
CoflowHelper::Install(const NodeContainer& hosts)
{
    NS_ABORT_MSG_IF(m_installation, "A CoflowHelper installs once");
    auto config = m_config;
    auto all = hosts;
    const auto& type = FindSchedulerType(config.scheduler).typeId;
    if (m_coordinator && type.IsChildOf(CoordinatedScheduler::GetTypeId()))
    {
        uint32_t place = 0;
        while (place < all.GetN() && all.Get(place) != m_coordinator)
        {
            ++place;
        }
        if (place == all.GetN())
        {
            all.Add(m_coordinator);
        }
        config.attributes.emplace_back("coordinatorHost", std::to_string(place));
    }
    const auto installation =
        CreateObject<CoflowInstallation>(config.scheduler, RunParts("packet", config));
    if (installation->GetParts().GetEngine().IsGiven("sampleInterval"))
    {
        throw InputError("sampleInterval is of coflow-replay, which samples queues of its own "
                         "fabrics; allowed: a script's own events that look at queue discs");
    }
    for (auto host = all.Begin(); host != all.End(); ++host)
    {
        if ((*host)->GetObject<CoflowClient>())
        {
            throw InputError(NameNode(**host) +
                             " has a coflow scheduler already; allowed: one per node");
        }
    }
    const auto network = CreateObject<InstalledNetwork>(all, m_given, installation->GetMtu());
    installation->Configure(*network);
    const auto needed = installation->GetQueueDisc();
    const auto queueDisc = MakeQueueDisc(needed, network->GetBandwidthDelay().GetBytes());
    NS_LOG_INFO("queue discs are " << queueDisc.GetTypeId().GetName());
    if (m_queueDiscsEverywhere)
    {
        network->InstallQueueDiscs(queueDisc);
    }
    InstalledNetwork::InstallQueueDiscs(m_queueDiscDevices, queueDisc);
    network->Check(config.scheduler, needed, installation->GetProfile()->UsesEcn(), m_checkRoutes);
    m_otherQueueDiscs = network->DescribeOtherQueueDiscs(queueDisc.GetTypeId());
    for (const auto& note : network->GetNotes())
    {
        std::cerr << "note: " << note << "\n";
    }
    network->PrepareHosts();
    installation->Install(network);
    m_installation = installation;
    m_atInstall = ProcessCost::Now();
    // The installed objects exist until Simulator::Destroy(), even where the helper is destroyed
    // earlier.
    Simulator::ScheduleDestroy(
        +[](Ptr<CoflowInstallation> installed, Ptr<InstalledNetwork> under) {
            installed->Dispose();
            under->Dispose();
        },
        installation,
        network);
    return installation;
}

void
CoflowHelper::InstallWorkload(const ::coflow::Workload& workload, const NodeContainer& hosts)
{
    const auto& installed = GetInstalled();
    ::coflow::CheckWorkload(workload, "the workload of InstallWorkload()");
    const double scale = installed.GetParts().GetScale();
    if (!m_config.scale && workload.scale != scale)
    {
        throw InputError("the workload's sizes were multiplied by " +
                         std::to_string(workload.scale) +
                         "; call CoflowHelper::SetScale() with that before Install(), so that the "
                         "scheduler's thresholds and periods fit, or with 1 to keep them");
    }
    const auto& all = installed.GetNetwork()->GetHosts();
    std::map<uint32_t, HostId> numbers; // number of a host, by the id of its node
    for (uint32_t i = 0; i < all.GetN(); ++i)
    {
        numbers[all.Get(i)->GetId()] = i;
    }
    std::vector<HostId> mapping;
    for (auto host = hosts.Begin(); host != hosts.End(); ++host)
    {
        const auto number = numbers.find((*host)->GetId());
        if (number == numbers.end())
        {
            throw InputError(NameNode(**host) + " has no coflow scheduler; call "
                                                "CoflowHelper::Install() with it first");
        }
        if (std::ranges::find(mapping, number->second) != mapping.end())
        {
            throw InputError(NameNode(**host) + " is given twice to InstallWorkload(); allowed: "
                                                "a node for each host of the workload");
        }
        mapping.push_back(number->second);
    }
    m_installation->SetStopWhenComplete(m_stopWhenComplete);
    m_installation->PlayCopy(MapHosts(workload, mapping, all.GetN()));
}

Ptr<CoflowClient>
CoflowHelper::GetClient(Ptr<Node> node)
{
    const auto client = node->GetObject<CoflowClient>();
    if (!client)
    {
        throw InputError(NameNode(*node) +
                         " has no coflow scheduler; call CoflowHelper::Install() with it first");
    }
    return client;
}

const CoflowInstallation&
CoflowHelper::GetInstalled() const
{
    NS_ABORT_MSG_UNLESS(m_installation, "CoflowHelper::Install() comes first");
    NS_ABORT_MSG_UNLESS(m_installation->GetScheduler(),
                        "What CoflowHelper has installed is gone after Simulator::Destroy()");
    return *m_installation;
}

int64_t
CoflowHelper::AssignStreams(int64_t stream)
{
    return GetInstalled().GetDriver()->AssignStreams(stream);
}

const std::vector<::coflow::CoflowRecord>&
CoflowHelper::GetCoflowRecords() const
{
    return GetInstalled().GetTracker()->GetCoflowRecords();
}

const std::vector<::coflow::FlowRecord>&
CoflowHelper::GetFlowRecords() const
{
    return GetInstalled().GetTracker()->GetFlowRecords();
}

RunOutcome
CoflowHelper::GetOutcome() const
{
    const auto& installed = GetInstalled();
    NS_ABORT_MSG_UNLESS(installed.GetWorkload(), "There are results of InstallWorkload() only");
    ExperimentResult result;
    result.rates = installed.GetNetwork()->GetRates();
    result.workloadScale = installed.GetWorkload()->scale;
    result.scale = installed.GetParts().GetScale();
    result.configuration =
        installed.Describe(DescribeNetwork(*DynamicCast<InstalledNetwork>(installed.GetNetwork())));
    installed.Report(result);
    result.facts.queueDiscs = m_otherQueueDiscs;
    result.end = installed.GetTracker()->IsComplete() ? RunEnd::COMPLETE : RunEnd::STOPPED;
    result.events = Simulator::GetEventCount();
    result.simulatedSeconds = Simulator::Now().GetSeconds();
    const auto now = ProcessCost::Now();
    result.binLimits = installed.GetBinLimits();
    result.setUpCpuSeconds = m_atInstall.cpuSeconds;
    result.cpuSeconds = now.cpuSeconds - m_atInstall.cpuSeconds;
    result.wallSeconds = now.wallSeconds - m_atInstall.wallSeconds;
    result.peakMemoryBytes = now.peakMemoryBytes;
    return SummariseRun(*installed.GetWorkload(), OfScript(m_config), std::move(result), "");
}

void
CoflowHelper::Print(std::ostream& out) const
{
    const auto outcome = GetOutcome();
    out << FormatRun(OfScript(m_config), outcome.result, outcome.summary);
}

void
CoflowHelper::WriteFiles(const std::string& folder) const
{
    // The run is over. So a script that runs again replaces its earlier files.
    RunFiles files(folder, true);
    files.Write(GetOutcome(), true);
}

} // namespace ns3::coflow
