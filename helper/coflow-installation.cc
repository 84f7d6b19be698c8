/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-installation.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-central-scheduler.h"
#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-coordinated-scheduler.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-host-ports.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-network-sizes.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/coflow-sink.h"
#include "ns3/coflow-source.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::coflow
{

using ::coflow::Json;

NS_LOG_COMPONENT_DEFINE("CoflowInstallation");

NS_OBJECT_ENSURE_REGISTERED(CoflowInstallation);

namespace
{

/// Sets TCP's timers by the rates and delays of the network, and TCP's buffers by rate x round
/// trip.
void
FitToNetwork(TransportProfile& profile, const RunParts& parts, const HostNetwork& network)
{
    const auto buffer = NetworkSizes::GetBuffer(network.GetBandwidthDelay().GetBytes());
    for (const char* attribute : {"SendBuffer", "ReceiveBuffer"})
    {
        UintegerValue present;
        profile.GetAttribute(attribute, present);
        if (!parts.IsGiven(TransportProfile::GetTypeId(), attribute) && present.Get() < buffer)
        {
            profile.SetAttribute(attribute, UintegerValue(buffer));
        }
    }
    const double perBit = network.GetSecondsPerBit();
    constexpr double ACK_BYTES = 56;
    constexpr uint32_t SYN_BYTES = 62; // bytes of an IPv4 packet with a SYN and all options, and
                                       // the link header
    profile.FollowNetwork(Seconds(8 * perBit * (network.GetMtu() + 2 + ACK_BYTES)),
                          Seconds(8 * perBit * static_cast<double>(network.GetQueueLimit())),
                          network.GetLongestRoundTrip(SYN_BYTES, SYN_BYTES));
}

/// @return the sizes of the network's queues and of TCP's buffers
NetworkSizes
ReadSizes(const TransportProfile& profile, const HostNetwork& network)
{
    UintegerValue sendBuffer;
    UintegerValue receiveBuffer;
    profile.GetAttribute("SendBuffer", sendBuffer);
    profile.GetAttribute("ReceiveBuffer", receiveBuffer);
    return {.product = network.GetBandwidthDelay(),
            .queue = network.GetPortQueue(),
            .sendBufferBytes = sendBuffer.Get(),
            .receiveBufferBytes = receiveBuffer.Get(),
            .packetTimeError = network.GetPacketTimeError()};
}

} // namespace

TypeId
CoflowInstallation::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::coflow::CoflowInstallation").SetParent<Object>().SetGroupName("Coflow");
    return tid;
}

CoflowInstallation::CoflowInstallation(const std::string& scheduler, RunParts parts)
    : m_name(scheduler),
      m_parts(std::move(parts)),
      m_tracker(CreateObject<CoflowTracker>())
{
    const auto type = FindSchedulerType(scheduler);
    m_schedulerParts = type.GetPartTypes();
    if (type.policy)
    {
        std::string parameters;
        for (const auto& [name, text] : m_parts.GetPolicy().Given())
        {
            parameters += parameters.empty() ? "" : ",";
            parameters += name + "=" + text;
        }
        auto& factory = m_parts.GetFactory(type.typeId);
        factory.Set("Policy", StringValue(type.name));
        factory.Set("PolicyParameters", StringValue(parameters));
        factory.Set("PolicyScale", DoubleValue(m_parts.GetScale()));
    }
    m_cluster.profile = m_parts.Create<TransportProfile>();
    m_scheduler = m_parts.Create<Scheduler>();
}

void
CoflowInstallation::DoDispose()
{
    if (m_driver)
    {
        m_driver->Dispose();
    }
    m_scheduler->Dispose();
    m_driver = nullptr;
    m_scheduler = nullptr;
    m_tracker = nullptr;
    m_agents.clear();
    m_cluster = {};
    Object::DoDispose();
}

void
CoflowInstallation::Configure(const HostNetwork& network)
{
    m_scheduler->Configure(network, m_cluster.profile->GetRequiredMtu());
    // Values of TCP's attributes that the scheduler needs. The user's values have precedence.
    for (const auto& [name, value] : m_scheduler->GetTransportDefaults())
    {
        if (!m_parts.IsGiven(TransportProfile::GetTypeId(), name))
        {
            m_cluster.profile->SetAttribute(name, StringValue(value));
        }
    }
}

std::string
CoflowInstallation::GetQueueDisc() const
{
    return m_scheduler->GetQueueDisc();
}

uint16_t
CoflowInstallation::GetMtu() const
{
    return static_cast<uint16_t>(m_cluster.profile->GetRequiredMtu());
}

void
CoflowInstallation::Install(Ptr<HostNetwork> network)
{
    NS_LOG_INFO("scheduler " << m_name << " on " << network->GetNHosts() << " hosts");
    m_cluster.network = network;
    FitToNetwork(*m_cluster.profile, m_parts, *network);
    m_sizes = ReadSizes(*m_cluster.profile, *network);
    m_queueLimit = network->GetQueueLimit();
    const auto control = m_parts.Create<ControlPlane>();
    control->Build(network, m_cluster.profile);
    const bool hasControl = std::ranges::count(m_schedulerParts, ControlPlane::GetTypeId()) > 0;
    const bool central = DynamicCast<CentralScheduler>(m_scheduler) != nullptr;
    if (!m_scheduler->GetQueueDisc().empty() && (!hasControl || central))
    {
        // Where ports serve packets by priorities that hosts set, control messages have the highest
        // priority, as flows of a few bytes have.
        control->SetPriority({0, 0});
    }
    // The driver is created before objects that draw random numbers only under some schedulers. So
    // the driver's random numbers are the same under all schedulers.
    m_driver = m_parts.Create<WorkloadDriver>();
    m_driver->SetControl(control);
    m_cluster.profile->Install(network->GetHosts());
    for (HostId host = 0; host < network->GetNHosts(); ++host)
    {
        InstallHost(host);
    }
    for (const auto& part : m_schedulerParts)
    {
        m_scheduler->SetPart(m_parts.GetFactory(part));
    }
    m_agents = m_scheduler->Install(m_cluster);
    for (HostId host = 0; host < network->GetNHosts(); ++host)
    {
        const auto client = CreateObject<CoflowClient>();
        client->SetAgent(m_agents[host], m_cluster.hosts[host].sink, network->GetAddress(host));
        network->GetHosts().Get(host)->AggregateObject(client);
    }
}

void
CoflowInstallation::InstallHost(HostId host)
{
    const auto node = m_cluster.network->GetHosts().Get(host);
    const auto source = m_parts.Create<CoflowSource>();
    const auto sink = CreateObject<CoflowSink>();
    source->SetAttribute("Profile", PointerValue(m_cluster.profile));
    sink->SetAttribute("Profile", PointerValue(m_cluster.profile));
    UintegerValue port;
    source->GetAttribute("Port", port);
    sink->SetAttribute("Port", port);
    node->AddApplication(source);
    node->AddApplication(sink);
    m_cluster.hosts.push_back({source, sink});
}

void
CoflowInstallation::Play(const ::coflow::Workload& workload)
{
    NS_ABORT_MSG_IF(m_workload, "An installation plays one workload");
    m_workload = &workload;
    m_tracker->Expect(workload, m_cluster.network->GetRates(), GetBinLimits());
    for (const auto& host : m_cluster.hosts)
    {
        m_tracker->Listen(host.source, host.sink);
    }
    m_driver->TraceConnectWithoutContext("CoflowReleased",
                                         MakeCallback(&CoflowTracker::NotifyReleased, m_tracker));
    m_driver->TraceConnectWithoutContext("CoflowRegistered",
                                         MakeCallback(&CoflowTracker::NotifyRegistered, m_tracker));
    m_driver->TraceConnectWithoutContext("CoflowRejected",
                                         MakeCallback(&CoflowTracker::NotifyRejected, m_tracker));
    // Plain pointers, because two Ptr would form a reference cycle. This object holds both until
    // the simulation has ended.
    m_tracker->TraceConnectWithoutContext(
        "CoflowFinished",
        MakeCallback(&WorkloadDriver::NotifyFinished, PeekPointer(m_driver)));
    m_tracker->TraceConnectWithoutContext(
        "CoflowFinished",
        Callback<void, ::coflow::CoflowId>([this](::coflow::CoflowId) { StopIfComplete(); }));
    m_driver->TraceConnectWithoutContext(
        "CoflowRejected",
        Callback<void, ::coflow::CoflowId, bool>(
            [this](::coflow::CoflowId, bool) { StopIfComplete(); }));
    m_driver->Start(workload, m_agents);
}

void
CoflowInstallation::PlayCopy(::coflow::Workload workload)
{
    const auto hosts = m_cluster.network->GetNHosts();
    if (workload.hosts > hosts)
    {
        throw ::coflow::InputError(
            "the workload names " + std::to_string(workload.hosts) +
            " hosts, but the network has " + std::to_string(hosts) +
            "; allowed: more hosts, or a workload that is mapped onto fewer");
    }
    m_copy = std::move(workload);
    Play(*m_copy);
}

void
CoflowInstallation::StopIfComplete()
{
    if (m_stopWhenComplete && m_tracker->IsComplete())
    {
        Simulator::Stop();
    }
}

std::vector<Ptr<const CoflowSink>>
CoflowInstallation::GetSinks() const
{
    std::vector<Ptr<const CoflowSink>> sinks;
    for (const auto& host : m_cluster.hosts)
    {
        sinks.emplace_back(host.sink);
    }
    return sinks;
}

Ptr<CoflowClient>
CoflowInstallation::GetClient(HostId host) const
{
    return m_cluster.network->GetHosts().Get(host)->GetObject<CoflowClient>();
}

::coflow::BinLimits
CoflowInstallation::GetBinLimits() const
{
    ::coflow::BinLimits limits;
    limits.shortBytes = m_parts.GetEngine().Size("shortBytes");
    return limits;
}

std::vector<Ptr<const Object>>
CoflowInstallation::GetTimedParts() const
{
    std::vector<Ptr<const Object>> parts{m_cluster.profile,
                                         m_scheduler,
                                         m_cluster.hosts.front().source,
                                         m_driver};
    auto types = m_schedulerParts;
    if (std::ranges::count(types, ControlPlane::GetTypeId()) == 0)
    {
        types.push_back(ControlPlane::GetTypeId()); // the driver learns of completions by messages
    }
    for (const auto& part : types)
    {
        parts.emplace_back(m_parts.GetFactory(part).Create<Object>());
    }
    return parts;
}

Json
CoflowInstallation::Describe(Json network) const
{
    auto scheduler = GetAttributeValues(m_scheduler);
    for (const auto& part : m_schedulerParts)
    {
        scheduler.Set(GetBareName(part),
                      GetAttributeValues(m_parts.GetFactory(part).Create<Object>()));
    }
    return network.Set("transport", GetAttributeValues(m_cluster.profile))
        .Set("scheduler", scheduler)
        .Set("policy", m_parts.DescribePolicy())
        .Set("source", GetAttributeValues(m_cluster.hosts.front().source))
        .Set("driver", GetAttributeValues(m_driver))
        .Set("control",
             GetAttributeValues(m_parts.GetFactory(ControlPlane::GetTypeId()).Create<Object>()));
}

void
CoflowInstallation::Report(ExperimentResult& result) const
{
    result.coflows = m_tracker->GetCoflowRecords();
    result.flows = m_tracker->GetFlowRecords();
    for (const auto& sink : GetSinks())
    {
        result.deliveredBytes += sink->GetTotalReceivedBytes();
    }
    const auto counts = m_cluster.network->GetCounts();
    uint64_t portWaits = 0;
    for (HostId host = 0; host < m_cluster.network->GetNHosts(); ++host)
    {
        const auto ports = m_cluster.network->GetHosts().Get(host)->GetObject<HostPorts>();
        portWaits += ports ? ports->GetNWaits() : 0;
    }
    auto control = m_scheduler->GetControlTotals();
    auto sentByType = m_scheduler->GetSentByType();
    for (const auto& [type, count] : m_driver->GetSent())
    {
        control.messages += count.messages;
        control.bytes += count.bytes;
        sentByType[type] += count;
    }
    control.wire += m_driver->GetWire();
    uint64_t sentBytes = 0;
    if (const auto fabric = DynamicCast<Fabric>(m_cluster.network))
    {
        for (HostId host = 0; host < fabric->GetNHosts(); ++host)
        {
            sentBytes += fabric->GetPortStatistics(Topology::GetUplink(host)).bytes;
        }
    }
    result.network = NetworkTotals{.droppedPackets = counts.droppedPackets,
                                   .markedPackets = counts.markedPackets,
                                   .retransmissions = m_tracker->GetRetransmissions(),
                                   .packetHops = counts.packetHops,
                                   .controlMessages = control.messages,
                                   .controlBytes = control.bytes,
                                   .controlWire = control.wire,
                                   .sentBytes = sentBytes,
                                   .portWaits = portWaits};
    result.sizes = m_sizes;
    auto types = Json::Object();
    for (const auto& [type, count] : sentByType)
    {
        types.Set(ControlMessage::GetName(type),
                  Json::Object().Set("messages", count.messages).Set("bytes", count.bytes));
    }
    result.facts.controlPeriods = m_parts.GetControlPeriods();
    if (const auto central = DynamicCast<CentralScheduler>(m_scheduler))
    {
        for (auto& period : result.facts.controlPeriods)
        {
            // A host holds no report for longer than the report period of the policy.
            period.seconds = std::min(period.seconds, central->GetReportPeriod() * 1e-9);
        }
    }
    TimeValue shortestTimeout;
    m_cluster.profile->GetAttribute("MinRto", shortestTimeout);
    result.facts.shortestTimeout = shortestTimeout.Get().GetSeconds();
    result.facts.network = ::coflow::NetworkConstants{
        .bandwidthDelayProduct = static_cast<double>(m_sizes.product.GetBytes()),
        .markingThreshold = static_cast<double>(m_sizes.queue.thresholdBytes),
        .queueLimit = static_cast<double>(m_queueLimit),
        .roundTrip = m_sizes.product.roundTrip.GetSeconds()};
    result.facts.portWaits = portWaits;
    if (const auto scheduler = DynamicCast<CoordinatedScheduler>(m_scheduler))
    {
        result.facts.timesAlone = scheduler->GetTimesAlone();
    }
    const auto controlBytes = static_cast<double>(control.wire.bytes);
    const auto bytes = controlBytes + static_cast<double>(result.deliveredBytes);
    result.facts.controlShare = bytes > 0 ? controlBytes / bytes : 0;
    result.control = m_scheduler->DescribeControl().Set("by_type", types);
}

} // namespace ns3::coflow
