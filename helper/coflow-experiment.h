/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EXPERIMENT_H
#define COFLOW_EXPERIMENT_H

#include "ns3/coflow-diagnosis.h"
#include "ns3/coflow-json.h"
#include "ns3/coflow-jump-totals.h"
#include "ns3/coflow-listener.h"
#include "ns3/coflow-network-sizes.h"
#include "ns3/coflow-path-map.h"
#include "ns3/coflow-record.h"
#include "ns3/coflow-run-sample.h"
#include "ns3/coflow-types.h"
#include "ns3/coflow-wire-count.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3::coflow
{

class PacketCluster;

/// What to run a workload on, all by name.
struct ExperimentConfig
{
    std::string engine{"packet"};  ///< such as "packet"; see AllEngines()
    std::string scheduler{"fair"}; ///< such as "fair"
    /// Such as "fat-tree"; see Topology. Empty: the network is not made from names; CoflowHelper.
    std::string topology{"fat-tree"};
    std::string fabric{"express"}; ///< such as "express"; see Fabric; of the packet engine
    /// Parameters of whichever of the parts has them (engine, policy, topology; with packets also
    /// fabric, transport profile, scheduler, source, workload driver, control), in the order given:
    /// name as in options, value as text. See ResolveOptions().
    std::vector<std::pair<std::string, std::string>> attributes;
    /// Schedulers that are compared with this one: attributes that only they have are skipped.
    std::vector<std::string> others;
    /// What defaults of parameters that scale are multiplied by (Scaling::WORKLOAD); values that
    /// are given count as given. None: by the workload's own scale.
    std::optional<double> scale;
    std::optional<::coflow::Nanoseconds> stop; ///< end the run then, finished or not
    /// End the run when nothing has happened for so long that a coflow waits for, and say what each
    /// waits for; 0: never. None: a limit that follows from the run's own timers, see
    /// StallLimit. Of the packet engine.
    std::optional<::coflow::Nanoseconds> watchdog;
    /// Called now and then while it runs, so that it can be interrupted: what it throws ends the
    /// run.
    std::function<void()> poll;
    /// Asked now and then while it runs: whether to end the run with what has come out so far. Of
    /// the packet engine.
    std::function<bool()> isInterrupted;
    ::coflow::CoflowListener listener; ///< told of coflows that start and finish
    /// Called when a network of packets has been built and nothing has happened in it. What it
    /// returns, such as what listens to the fabric, ends when the run is over and the network is
    /// still there.
    std::function<std::shared_ptr<void>(const PacketCluster&)> instrument;
    /// File for a line per TCP segment that a host sends, see SegmentLog; empty: none. Of the
    /// packet engine with the fabric express.
    std::string segments;
    /// File for a timeline of a part of the run, see Timeline; empty: none. Of the packet engine.
    std::string timeline;
    std::string timelineWindow{"0s,1s"}; ///< what the timeline shows, see ParseTimelineWindow()
    bool progress{false};                ///< tell on standard error how far it is
};

/// What happened in a network of packets.
struct NetworkTotals
{
    uint64_t droppedPackets{0};  ///< by queues, or by switches for want of a path
    uint64_t markedPackets{0};   ///< with ECN's congestion experienced
    uint64_t retransmissions{0}; ///< segments that flows sent again
    uint64_t packetHops{0};      ///< packets put on a wire, summed over all ports
    uint64_t controlMessages{0}; ///< sent by the scheduler's agents and coordinator
    uint64_t controlBytes{0};    ///< of these messages
    WireCount controlWire;       ///< IPv4 packets that carried them, with acknowledgements
    uint64_t sentBytes{0};       ///< of all IPv4 packets that hosts put on the wire
    uint64_t portWaits{0};       ///< connections that waited for a free port of their host
};

/// Why a run has ended.
enum class RunEnd
{
    COMPLETE,   ///< all coflows have finished, or were refused
    STOPPED,    ///< ExperimentConfig::stop
    STALLED,    ///< nothing could happen any more
    INTERRUPTED ///< ExperimentConfig::isInterrupted
};

/// What came out of a run, whichever engine did it.
struct ExperimentResult
{
    std::vector<::coflow::CoflowRecord> coflows; ///< in the order of the workload
    std::vector<::coflow::FlowRecord> flows;     ///< in the order of the workload
    std::vector<::coflow::RunSample> samples;    ///< over time, where they were asked for
    RunEnd end{RunEnd::COMPLETE};                ///< why it has ended
    std::vector<std::string> waits;              ///< STALLED: what coflows wait for, in lines
    ::coflow::PortRates rates;                   ///< of the hosts' ports
    /// Links inside the fabric, where the run is held against a bound that knows of them; or null.
    std::shared_ptr<const ::coflow::PathMap> paths;
    bool linksMayLimit{true};             ///< unless it is known that only hosts' ports do
    double workloadScale{1};              ///< see Workload::scale
    double scale{1};                      ///< what defaults that scale were multiplied by
    ::coflow::BinLimits binLimits;        ///< which coflows tables call short and narrow
    ::coflow::Json configuration;         ///< every attribute of every part
    std::optional<NetworkTotals> network; ///< of the packet engine
    std::optional<NetworkSizes> sizes;    ///< of its network
    ::coflow::Json control;               ///< what control cost in detail; or null
    ::coflow::RunFacts facts; ///< what only the engine knows: control periods, shortest timeout,
                              ///< constants of the network, queue discs
    std::optional<JumpTotals> jumps; ///< over time; none where there were to be none
    uint64_t deliveredBytes{0};      ///< of finished flows, at the receivers
    uint64_t events{0};              ///< of the simulator
    double simulatedSeconds{0};      ///< from time 0 to the end of the run
    double cpuSeconds{0};            ///< of the run alone
    double setUpCpuSeconds{0};       ///< of building the network
    double wallSeconds{0};           ///< of the run alone
    uint64_t peakMemoryBytes{0};     ///< of the process so far
};

} // namespace ns3::coflow

#endif // COFLOW_EXPERIMENT_H
