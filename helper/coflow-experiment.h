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

/// The scheduler, engine and network that a workload is run on. All parts are given by name.
struct ExperimentConfig
{
    std::string engine{"packet"};  ///< name of the engine; see AllEngines()
    std::string scheduler{"fair"}; ///< name of the scheduler, such as "fair"
    /// Name of the topology, such as "fat-tree"; see Topology. Empty: a script has made the
    /// network, see CoflowHelper.
    std::string topology{"fat-tree"};
    std::string fabric{"express"}; ///< name of the fabric; see Fabric. Packet engine only
    /// Parameters in the order given: name as in options, value as text. The run may have
    /// parameters of the engine, the policy and the topology. In the packet engine, it may also
    /// have parameters of the fabric, transport profile, scheduler, source, workload driver and
    /// control. See ResolveOptions().
    std::vector<std::pair<std::string, std::string>> attributes;
    /// The other schedulers of a comparison. The run skips attributes that only these schedulers
    /// have.
    std::vector<std::string> others;
    /// The factor by which the defaults of parameters that scale (Scaling::WORKLOAD) are
    /// multiplied. Values that the user gives are not multiplied. None: Workload::scale.
    std::optional<double> scale;
    /// Latest end of the run; the run ends at this time even with unfinished coflows. None: no
    /// limit.
    std::optional<::coflow::Nanoseconds> stop;
    /// The run ends as STALLED after this time without progress of any coflow.
    /// ExperimentResult::waits then has a line for each waiting coflow. 0: no limit. None:
    /// StallLimit computes the limit from the run's own timers. Packet engine only.
    std::optional<::coflow::Nanoseconds> watchdog;
    /// Called from time to time during the run. An exception that it throws ends the run.
    std::function<void()> poll;
    /// Called from time to time during the run. The run ends with its results so far when the
    /// function returns true. Packet engine only.
    std::function<bool()> isInterrupted;
    ::coflow::CoflowListener listener; ///< called when coflows start and finish
    /// Called when the network has been built, before the run begins. The returned object, such as
    /// a listener of the fabric, is destroyed after the run and before the network. Packet engine
    /// only.
    std::function<std::shared_ptr<void>(const PacketCluster&)> instrument;
    /// Name of a file with one line per TCP segment that a host sends, see SegmentLog. Empty: no
    /// file. Packet engine with the fabric express only.
    std::string segments;
    /// Name of a file with a timeline of a part of the run, see Timeline. Empty: no file. Packet
    /// engine only.
    std::string timeline;
    std::string timelineWindow{"0s,1s"}; ///< part of the run, see ParseTimelineWindow()
    bool progress{false};                ///< print the progress of the run on standard error
};

/// Counts of a network in the packet engine.
struct NetworkTotals
{
    uint64_t droppedPackets{0};  ///< packets dropped by queues, or because there is no path
    uint64_t markedPackets{0};   ///< packets that were given an ECN mark
    uint64_t retransmissions{0}; ///< segments that flows sent again
    uint64_t packetHops{0};      ///< packets sent by ports, summed over all ports
    uint64_t controlMessages{0}; ///< messages sent by the scheduler's agents and coordinator
    uint64_t controlBytes{0};    ///< bytes of these messages
    WireCount controlWire;       ///< IPv4 packets with these messages, and acknowledgements
    uint64_t sentBytes{0};       ///< bytes of all IPv4 packets that hosts have sent
    uint64_t portWaits{0};       ///< connections that waited for a free TCP port of their host
};

/// Why a run has ended.
enum class RunEnd
{
    COMPLETE,   ///< all coflows have finished, or were refused
    STOPPED,    ///< the run has reached ExperimentConfig::stop
    STALLED,    ///< no coflow could make progress any more
    INTERRUPTED ///< ExperimentConfig::isInterrupted has returned true
};

/// The result of a run in any engine.
struct ExperimentResult
{
    std::vector<::coflow::CoflowRecord> coflows; ///< in the order of the workload
    std::vector<::coflow::FlowRecord> flows;     ///< in the order of the workload
    std::vector<::coflow::RunSample> samples;    ///< samples over time; empty without a sample
                                                 ///< interval
    RunEnd end{RunEnd::COMPLETE};                ///< why the run has ended
    std::vector<std::string> waits;              ///< one line per coflow that waits, if STALLED
    ::coflow::PortRates rates;                   ///< rates of the hosts' ports
    /// Links inside the fabric, for the lower bound. Null: the lower bound does not use them.
    std::shared_ptr<const ::coflow::PathMap> paths;
    bool linksMayLimit{true};             ///< false: only the hosts' ports limit rates
    double workloadScale{1};              ///< see Workload::scale
    double scale{1};                      ///< factor by which defaults that scale were multiplied
    ::coflow::BinLimits binLimits;        ///< limits of short and narrow coflows in tables
    ::coflow::Json configuration;         ///< values of all attributes of all parts
    std::optional<NetworkTotals> network; ///< packet engine only
    std::optional<NetworkSizes> sizes;    ///< packet engine only
    ::coflow::Json control;               ///< costs of control in detail; null: none
    ::coflow::RunFacts facts;        ///< control periods, shortest timeout, network, queue discs
    std::optional<JumpTotals> jumps; ///< jumps over time; none where the run allowed none
    uint64_t deliveredBytes{0};  ///< bytes at the receivers; in the fluid engine, of finished flows
    uint64_t events{0};          ///< events that the simulator has run
    double simulatedSeconds{0};  ///< from time 0 to the end of the run
    double cpuSeconds{0};        ///< CPU time of the run without set-up
    double setUpCpuSeconds{0};   ///< CPU time to build the network
    double boundCpuSeconds{0};   ///< CPU time of the lower bound of the summary
    double wallSeconds{0};       ///< elapsed time of the run without set-up
    uint64_t peakMemoryBytes{0}; ///< largest memory of the process so far
};

} // namespace ns3::coflow

#endif // COFLOW_EXPERIMENT_H
