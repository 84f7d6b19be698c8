/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-packet-experiment.h"

#include "ns3/coflow-engine-specs.h"
#include "ns3/coflow-error.h"
#include "ns3/coflow-fabric-channel.h"
#include "ns3/coflow-fabric.h"
#include "ns3/coflow-format.h"
#include "ns3/coflow-heartbeat.h"
#include "ns3/coflow-output-file.h"
#include "ns3/coflow-packet-cluster.h"
#include "ns3/coflow-path-check.h"
#include "ns3/coflow-process-cost.h"
#include "ns3/coflow-progress-line.h"
#include "ns3/coflow-run-parts.h"
#include "ns3/coflow-segment-log.h"
#include "ns3/coflow-stall-limit.h"
#include "ns3/coflow-stall-report.h"
#include "ns3/coflow-statistics.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/coflow-timeline-file.h"
#include "ns3/coflow-tracker.h"
#include "ns3/coflow-traffic-sampler.h"
#include "ns3/coflow-unloaded-time.h"
#include "ns3/coflow-watchdog.h"
#include "ns3/coflow-workload-driver.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>

namespace ns3::coflow
{

using ::coflow::Json;
using ::coflow::Workload;

namespace
{

/// Writes every segment of a run to a file. The last line marks the end of the run.
class SegmentFile
{
  public:
    /// @param name name of the file
    /// @param fabric fabric with the sending hosts
    /// @throws ::coflow::InputError where the file cannot be written, or the fabric has no segments
    SegmentFile(const std::string& name, const Fabric& fabric)
        : m_file("option --segments", name),
          m_log([this](const std::string& line) { m_file.Out() << line << '\n'; })
    {
        const auto channel = DynamicCast<FabricChannel>(fabric.GetHostDevice(0)->GetChannel());
        if (!channel)
        {
            throw ::coflow::InputError("option --segments: the fabric nodes does not tell of "
                                       "segments; allowed: --fabric=express, or ns-3's own traces");
        }
        m_file.Out() << SegmentLog::GetHeader() << '\n';
        channel->SetSegmentListener(m_log);
    }

    /// Ends the file.
    /// @throws ::coflow::InputError where not all lines could be written
    void Close()
    {
        m_file.Out() << "# end of the run\n";
        m_file.Commit();
    }

  private:
    ::coflow::OutputFile m_file;
    SegmentLog m_log;
};

/// @throws ::coflow::InputError where the run jumps over time, and a coflow has flows without rates
void
CheckJumps(const Workload& workload, const PacketCluster& cluster, const std::string& scheduler)
{
    if (!cluster.GetTimeJumper())
    {
        return;
    }
    const auto hasRates = [&cluster](std::optional<OpaqueSize> bottleneck) {
        CoflowOptions options;
        options.bottleneckBytes = bottleneck;
        return cluster.GetScheduler()->GivesRates(options);
    };
    if (!hasRates({}))
    {
        throw ::coflow::InputError(
            "option --jump: under scheduler " + scheduler +
            " flows have no rates that their senders keep to, and only such flows can be jumped "
            "over; allowed: a scheduler whose coordinator gives rates, such as varys, drf or "
            "max-min, and sincronia with --enforceAt=sender");
    }
    const auto bypassing = std::ranges::count_if(workload.coflows, [&](const auto& coflow) {
        const auto bottleneck = ::coflow::ComputeStatistics(coflow).bottleneck;
        return !hasRates(static_cast<uint64_t>(bottleneck));
    });
    if (bypassing > 0)
    {
        // TCP's shares of a port between flows with and without rates depend on TCP's state, which
        // does not change during a jump.
        throw ::coflow::InputError("option --jump: " + std::to_string(bypassing) + " of " +
                                   std::to_string(workload.coflows.size()) +
                                   " coflows bypass the coordinator (--bypassBytes), and beside "
                                   "flows without rates time cannot be jumped over without a "
                                   "bias; allowed: --bypassBytes=0");
    }
}

/// Connects a listener to the starts and finishes of coflows.
void
Listen(const ::coflow::CoflowListener& listener, const CoflowInstallation& installation)
{
    const auto tracker = installation.GetTracker();
    if (listener.started)
    {
        const auto tell = [told = listener.started, tracker](::coflow::CoflowId coflow) {
            told(tracker->GetReadyTime(coflow));
        };
        installation.GetDriver()->TraceConnectWithoutContext(
            "CoflowReleased",
            Callback<void, ::coflow::CoflowId>(tell));
    }
    if (listener.finished)
    {
        const auto tell = [told = listener.finished](::coflow::CoflowId) {
            told(Simulator::Now().GetNanoSeconds());
        };
        tracker->TraceConnectWithoutContext("CoflowFinished",
                                            Callback<void, ::coflow::CoflowId>(tell));
    }
}

} // namespace

std::vector<::coflow::ParameterSpec>
PacketEngineSpecs()
{
    return {SampleIntervalSpec(1), ShortBytesSpec()};
}

ExperimentResult
RunPacketExperiment(const Workload& workload, const ExperimentConfig& config)
{
    const ProcessCost before = ProcessCost::Now();
    // ns-3 numbers random streams in the whole process. The numbers start again here, so that the
    // same experiment has the same result after earlier runs in the process.
    RngSeedManager::ResetNextStreamIndex();
    auto scaled = config;
    scaled.scale = config.scale.value_or(workload.scale);
    const PacketCluster cluster(scaled);
    CheckJumps(workload, cluster, config.scheduler);
    const auto& values = cluster.GetParts().GetEngine();
    const auto sampleInterval = values.Time("sampleInterval");
    const auto fabric = cluster.GetFabric();
    const auto& topology = *fabric->GetTopology();
    CheckHosts(workload, topology);
    CheckFlowPaths(workload, topology);
    CheckControlPaths(workload, cluster);
    const auto instruments = config.instrument ? config.instrument(cluster) : nullptr;
    const auto segments =
        config.segments.empty() ? nullptr : std::make_unique<SegmentFile>(config.segments, *fabric);
    const auto installation = cluster.GetInstallation();
    const auto driver = installation->GetDriver();
    const auto tracker = installation->GetTracker();
    ExperimentResult result;
    result.rates = fabric->GetRates();
    // With a single switch, all links are links of hosts.
    result.linksMayLimit = topology.GetNVertices() > topology.GetNHosts() + 1;
    result.configuration = cluster.Describe();
    result.configuration.Set("engine", DescribeValues(values));
    result.workloadScale = workload.scale;
    result.scale = *scaled.scale;
    result.binLimits = installation->GetBinLimits();
    const auto sinks = installation->GetSinks();
    Listen(config.listener, *installation);
    installation->Play(workload);
    // Computed before the run, because links may fail or become slower during the run.
    const auto unloaded =
        GetUnloadedCcts(workload, topology, installation->GetProfile()->GetSegmentSize());
    std::unique_ptr<TimelineFile> timeline;
    if (!config.timeline.empty())
    {
        timeline = std::make_unique<TimelineFile>(config.timeline,
                                                  ParseTimelineWindow(config.timelineWindow),
                                                  *installation);
    }
    if (config.stop)
    {
        Simulator::Stop(NanoSeconds(*config.stop));
    }

    const ProcessCost atStart = ProcessCost::Now();
    uint64_t ownEvents = 0;
    if (!tracker->IsComplete())
    {
        std::optional<ProgressLine> progress;
        if (config.progress)
        {
            progress.emplace(std::cerr, ::isatty(STDERR_FILENO));
        }
        std::optional<Heartbeat> heartbeat;
        if (config.progress || config.poll || config.isInterrupted)
        {
            heartbeat.emplace([&config, &result, &progress, &tracker, &sinks] {
                if (progress)
                {
                    progress->PrintIfDue([&] { return GetRunProgress(*tracker, sinks); });
                }
                if (config.poll)
                {
                    config.poll();
                }
                if (config.isInterrupted && config.isInterrupted())
                {
                    result.end = RunEnd::INTERRUPTED;
                    Simulator::Stop();
                }
            });
        }
        std::optional<TrafficSampler> sampler;
        if (sampleInterval > 0)
        {
            const auto controlBytes = [&cluster, &driver] {
                return cluster.GetScheduler()->GetControlTotals().wire.bytes +
                       driver->GetWire().bytes;
            };
            sampler.emplace(tracker,
                            sinks,
                            fabric,
                            result.rates,
                            NanoSeconds(sampleInterval),
                            controlBytes);
        }
        const StallLimit stallLimit(workload, cluster);
        std::optional<Watchdog> watchdog;
        if (!config.watchdog || *config.watchdog > 0)
        {
            const auto limit = [&] {
                return config.watchdog ? NanoSeconds(*config.watchdog) : stallLimit.Get(cluster);
            };
            const auto lastPlanned = [&] {
                return Max(driver->GetLastPlanned(), cluster.GetScheduler()->GetLastPlanned());
            };
            watchdog.emplace(tracker, sinks, limit, lastPlanned, [&, limit] {
                result.end = RunEnd::STALLED;
                result.waits = DescribeWaits(workload, cluster, *tracker);
                result.waits.insert(
                    result.waits.begin(),
                    "nothing has happened since " +
                        ::coflow::FormatRounded(watchdog->GetLastProgress().GetSeconds(), 6) +
                        " s, at " + ::coflow::FormatRounded(Simulator::Now().GetSeconds(), 6) +
                        " s; the run waits for " + ::coflow::FormatRounded(limit().GetSeconds()) +
                        " s: " + (config.watchdog ? "--watchdog" : stallLimit.Describe()));
                Simulator::Stop();
            });
        }
        Simulator::Run();
        if (tracker->IsComplete())
        {
            result.end = RunEnd::COMPLETE; // also where another end came at the same time
        }
        else if (result.end == RunEnd::COMPLETE)
        {
            result.end = RunEnd::STOPPED;
        }
        ownEvents = (watchdog ? watchdog->GetNEvents() : 0) +
                    (heartbeat ? heartbeat->GetNEvents() : 0) +
                    (sampler ? sampler->GetNEvents() : 0);
        if (sampler)
        {
            result.samples = sampler->GetSamples();
        }
    }
    const ProcessCost atEnd = ProcessCost::Now();
    if (segments)
    {
        segments->Close();
    }
    if (timeline)
    {
        timeline->Write();
        ownEvents += timeline->GetNEvents();
    }

    installation->Report(result);
    for (std::size_t i = 0; i < unloaded.size(); ++i)
    {
        result.coflows[i].unloadedCct = unloaded[i];
    }
    if (const auto jumper = cluster.GetTimeJumper())
    {
        result.jumps = jumper->GetTotals();
    }
    result.events = Simulator::GetEventCount() - ownEvents;
    result.simulatedSeconds = Simulator::Now().GetSeconds();
    result.setUpCpuSeconds = atStart.cpuSeconds - before.cpuSeconds;
    result.cpuSeconds = atEnd.cpuSeconds - atStart.cpuSeconds;
    result.wallSeconds = atEnd.wallSeconds - atStart.wallSeconds;
    result.peakMemoryBytes = atEnd.peakMemoryBytes;
    return result;
}

} // namespace ns3::coflow
