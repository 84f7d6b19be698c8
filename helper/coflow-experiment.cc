/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-experiment.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-process-cost.h"
#include "ns3/coflow-progress-reporter.h"
#include "ns3/coflow-scheduler.h"
#include "ns3/coflow-tracker.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/coflow-workload-driver.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <unistd.h>

namespace ns3::coflow
{

using ::coflow::Bytes;
using ::coflow::InputError;
using ::coflow::Json;
using ::coflow::PortRates;
using ::coflow::Workload;

namespace
{

/// The parts of an experiment, before they are made.
class Parts
{
  public:
    explicit Parts(const ExperimentConfig& config)
    {
        for (const auto& type : GetPartTypes(config))
        {
            m_factories.emplace_back(type.GetName());
        }
        for (const auto& [name, value] : config.attributes)
        {
            Set(name, value);
        }
    }

    /// Makes the one part that is a T.
    template <typename T>
    Ptr<T> Create() const
    {
        for (const auto& factory : m_factories)
        {
            const auto type = factory.GetTypeId();
            if (type == T::GetTypeId() || type.IsChildOf(T::GetTypeId()))
            {
                return factory.Create<T>();
            }
        }
        NS_ABORT_MSG("No part is a " << T::GetTypeId().GetName());
    }

  private:
    void Set(const std::string& name, const std::string& value)
    {
        for (auto& factory : m_factories)
        {
            if (const auto attribute = FindAttribute(factory.GetTypeId(), name))
            {
                CheckAttributeValue("option --" + name, *attribute, value);
                factory.Set(attribute->name, StringValue(value));
                return;
            }
        }
        std::string classes;
        for (const auto& factory : m_factories)
        {
            classes += classes.empty() ? "" : ", ";
            classes += factory.GetTypeId().GetName();
        }
        throw InputError("option --" + name +
                         " is unknown; allowed: those of --help, and the "
                         "attributes of " +
                         classes + " (see --describe)");
    }

    std::vector<ObjectFactory> m_factories;
};

PortRates
GetHostRates(const Topology& topology)
{
    PortRates rates;
    for (HostId host = 0; host < topology.GetNHosts(); ++host)
    {
        const auto bytesPerSecond = [&topology](PortId port) {
            return static_cast<double>(topology.GetPort(port).rate.GetBitRate()) / 8;
        };
        rates.ingress.push_back(bytesPerSecond(Topology::GetUplink(host)));
        rates.egress.push_back(bytesPerSecond(Topology::GetDownlink(host)));
    }
    return rates;
}

uint64_t
GetTotalBytes(const Workload& workload)
{
    Bytes total = 0;
    for (const auto& coflow : workload.coflows)
    {
        for (const auto& flow : coflow.flows)
        {
            total += flow.bytes;
        }
    }
    return static_cast<uint64_t>(total);
}

/// Ends the simulation when it goes out of scope, however that happens.
struct SimulationEnd
{
    ~SimulationEnd()
    {
        Simulator::Destroy();
    }
};

} // namespace

std::vector<TypeId>
GetPartTypes(const ExperimentConfig& config)
{
    return {FindNamedType(Topology::GetTypeId(), config.topology),
            FindNamedType(Fabric::GetTypeId(), config.fabric),
            TransportProfile::GetTypeId(),
            FindNamedType(Scheduler::GetTypeId(), config.scheduler),
            CoflowSource::GetTypeId(),
            WorkloadDriver::GetTypeId()};
}

ExperimentResult
RunPacketExperiment(const Workload& workload, const ExperimentConfig& config)
{
    const SimulationEnd end;
    const Parts parts(config);
    const ProcessCost before = ProcessCost::Now();

    const auto profile = parts.Create<TransportProfile>();
    const auto topology = parts.Create<Topology>();
    const auto fabric = parts.Create<Fabric>();
    fabric->SetAttribute("Mtu", UintegerValue(profile->GetRequiredMtu()));
    fabric->SetTopology(topology);
    fabric->Build();
    const auto& nodes = fabric->GetHosts();
    if (workload.hosts > nodes.GetN())
    {
        throw InputError("the workload names " + std::to_string(workload.hosts) +
                         " hosts, but the topology has " + std::to_string(nodes.GetN()) +
                         "; allowed: a larger topology, or --remap onto fewer hosts");
    }
    profile->Install(nodes);

    const auto scheduler = parts.Create<Scheduler>();
    const auto driver = parts.Create<WorkloadDriver>();
    const auto tracker = CreateObject<CoflowTracker>();
    ExperimentResult result;
    result.rates = GetHostRates(*topology);
    tracker->Expect(workload, result.rates, config.binLimits);
    std::vector<Scheduler::Host> hosts;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto source = parts.Create<CoflowSource>();
        const auto sink = CreateObject<CoflowSink>();
        source->SetAttribute("Profile", PointerValue(profile));
        sink->SetAttribute("Profile", PointerValue(profile));
        nodes.Get(i)->AddApplication(source);
        nodes.Get(i)->AddApplication(sink);
        tracker->Listen(source, sink);
        hosts.push_back({nodes.Get(i), source});
    }
    result.configuration = Json::Object()
                               .Set("topology", GetAttributeValues(topology))
                               .Set("fabric", GetAttributeValues(fabric))
                               .Set("transport", GetAttributeValues(profile))
                               .Set("scheduler", GetAttributeValues(scheduler))
                               .Set("source", GetAttributeValues(hosts.front().source))
                               .Set("driver", GetAttributeValues(driver));

    driver->TraceConnectWithoutContext("CoflowReleased",
                                       MakeCallback(&CoflowTracker::NotifyReleased, tracker));
    tracker->TraceConnectWithoutContext("CoflowFinished",
                                        MakeCallback(&WorkloadDriver::NotifyFinished, driver));
    tracker->TraceConnectWithoutContext(
        "CoflowFinished",
        Callback<void, ::coflow::CoflowId>([&tracker](::coflow::CoflowId) {
            if (tracker->IsComplete())
            {
                Simulator::Stop();
            }
        }));
    driver->Start(workload, scheduler->Install(hosts));
    if (config.stop)
    {
        Simulator::Stop(NanoSeconds(*config.stop));
    }

    const ProcessCost atStart = ProcessCost::Now();
    uint64_t progressEvents = 0;
    if (!tracker->IsComplete())
    {
        std::optional<ProgressReporter> progress;
        if (config.progress)
        {
            progress.emplace(tracker, GetTotalBytes(workload), std::cerr, ::isatty(STDERR_FILENO));
        }
        Simulator::Run();
        progressEvents = progress ? progress->GetNEvents() : 0;
    }
    const ProcessCost atEnd = ProcessCost::Now();

    result.coflows = tracker->GetCoflowRecords();
    result.flows = tracker->GetFlowRecords();
    result.deliveredBytes = tracker->GetFinishedBytes();
    result.retransmissions = tracker->GetRetransmissions();
    const auto control = scheduler->GetControlTotals();
    result.controlMessages = control.messages;
    result.controlBytes = control.bytes;
    const auto totals = fabric->GetTotals();
    result.droppedPackets = totals.droppedPackets;
    result.markedPackets = totals.markedPackets;
    result.packetHops = totals.packetHops;
    result.events = Simulator::GetEventCount() - progressEvents;
    result.simulatedSeconds = Simulator::Now().GetSeconds();
    result.setUpCpuSeconds = atStart.cpuSeconds - before.cpuSeconds;
    result.cpuSeconds = atEnd.cpuSeconds - atStart.cpuSeconds;
    result.wallSeconds = atEnd.wallSeconds - atStart.wallSeconds;
    result.peakMemoryBytes = atEnd.peakMemoryBytes;
    driver->Dispose();
    fabric->Dispose();
    return result;
}

} // namespace ns3::coflow
