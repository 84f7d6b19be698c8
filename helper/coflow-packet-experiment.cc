/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-packet-experiment.h"

#include "ns3/coflow-attributes.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-named-type.h"
#include "ns3/coflow-parts.h"
#include "ns3/coflow-process-cost.h"
#include "ns3/coflow-progress-reporter.h"
#include "ns3/coflow-scheduler.h"
#include "ns3/coflow-tracker.h"
#include "ns3/coflow-transport-profile.h"
#include "ns3/coflow-workload-driver.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <unistd.h>

namespace ns3::coflow
{

using ::coflow::Bytes;
using ::coflow::Json;
using ::coflow::Workload;

namespace
{

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

/// Ends the simulation when it goes out of scope, however that happens.
struct SimulationEnd
{
    ~SimulationEnd()
    {
        Simulator::Destroy();
    }
};

} // namespace

ExperimentResult
RunPacketExperiment(const Workload& workload, const ExperimentConfig& config)
{
    const SimulationEnd end;
    Parts parts(config);
    parts.Add(FindNamedType(Scheduler::GetTypeId(), config.scheduler));
    for (const auto& [name, value] : config.attributes)
    {
        if (!parts.Set(name, value))
        {
            parts.RefuseUnknown(name);
        }
    }
    const ProcessCost before = ProcessCost::Now();

    const auto profile = parts.Create<TransportProfile>();
    const auto topology = parts.Create<Topology>();
    const auto fabric = parts.Create<Fabric>();
    const auto scheduler = parts.Create<Scheduler>();
    ChooseQueueDisc(fabric, *scheduler, config.scheduler);
    fabric->SetAttribute("Mtu", UintegerValue(profile->GetRequiredMtu()));
    fabric->SetTopology(topology);
    fabric->Build();
    CheckHosts(workload, *topology);
    const auto& nodes = fabric->GetHosts();
    profile->Install(nodes);

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
        hosts.push_back({nodes.Get(i), source, topology->GetPort(Topology::GetUplink(i)).rate});
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
    const auto control = scheduler->GetControlTotals();
    const auto totals = fabric->GetTotals();
    result.network = NetworkTotals{.droppedPackets = totals.droppedPackets,
                                   .markedPackets = totals.markedPackets,
                                   .retransmissions = tracker->GetRetransmissions(),
                                   .packetHops = totals.packetHops,
                                   .controlMessages = control.messages,
                                   .controlBytes = control.bytes};
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
