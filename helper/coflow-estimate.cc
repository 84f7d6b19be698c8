/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-estimate.h"

#include "ns3/coflow-format.h"
#include "ns3/coflow-run-parts.h"
#include "ns3/coflow-time-jumper.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

namespace ns3::coflow
{

using ::coflow::FormatRounded;
using ::coflow::Workload;

namespace
{

/// SYN, SYN with acknowledgement, acknowledgement; FIN and its acknowledgement in both directions.
constexpr double PACKETS_OF_CONNECTION = 7;

/// @return a number as one says it: "1728", "5.2 million"
std::string
FormatCount(double count)
{
    if (count >= 1e9)
    {
        return FormatRounded(count / 1e9, 2) + " billion";
    }
    return count >= 1e6 ? FormatRounded(count / 1e6, 2) + " million" : FormatRounded(count, 2);
}

/// @return a time as one says it: "about 20 s", "about 3.1 min", "about 2.0 h", "about 4.5 days"
std::string
FormatDuration(double seconds)
{
    struct Step
    {
        double seconds;
        const char* unit;
    };

    constexpr std::array STEPS{Step{86400, "days"}, Step{3600, "h"}, Step{60, "min"}};
    for (const auto& step : STEPS)
    {
        if (seconds >= 2 * step.seconds)
        {
            return "about " + FormatRounded(seconds / step.seconds, 2) + " " + step.unit;
        }
    }
    return seconds < 1 ? "less than 1 s" : "about " + FormatRounded(seconds, 2) + " s";
}

} // namespace

std::vector<double>
CountFlowPacketHops(const Workload& workload,
                    const Topology& topology,
                    uint32_t segmentBytes,
                    uint32_t delAckCount)
{
    std::array<LinkPort, MAX_PATH_PORTS> path;
    std::vector<double> packetHops;
    for (const auto& coflow : workload.coflows)
    {
        for (const auto& flow : coflow.flows)
        {
            if (flow.IsLocal() || flow.bytes == 0)
            {
                packetHops.push_back(0);
                continue;
            }
            const double segments = std::ceil(static_cast<double>(flow.bytes) / segmentBytes);
            const double packets =
                segments + std::ceil(segments / delAckCount) + PACKETS_OF_CONNECTION;
            // All paths between two hosts are equally long, whatever the hash.
            packetHops.push_back(packets * topology.Path(flow.src, flow.dst, 0, path));
        }
    }
    return packetHops;
}

std::vector<double>
CountFlowPacketHops(const Workload& workload,
                    const Topology& topology,
                    Ptr<const TransportProfile> profile)
{
    UintegerValue delAckCount;
    profile->GetAttribute("DelAckCount", delAckCount);
    return CountFlowPacketHops(workload,
                               topology,
                               profile->GetSegmentSize(),
                               static_cast<uint32_t>(std::max<uint64_t>(delAckCount.Get(), 1)));
}

double
CountPacketHops(const Workload& workload,
                const Topology& topology,
                uint32_t segmentBytes,
                uint32_t delAckCount)
{
    const auto each = CountFlowPacketHops(workload, topology, segmentBytes, delAckCount);
    return std::accumulate(each.begin(), each.end(), 0.0);
}

std::optional<double>
EstimatePacketHops(const Workload& workload, const ExperimentConfig& config)
{
    if (config.engine != "packet")
    {
        return std::nullopt;
    }
    const RunParts parts(config.engine, config);
    const auto topology = parts.Create<Topology>();
    topology->Build();
    const auto profile = parts.Create<TransportProfile>();
    std::optional<double> packetHops;
    if (workload.hosts <= topology->GetNHosts())
    {
        const auto each = CountFlowPacketHops(workload, *topology, profile);
        packetHops = std::accumulate(each.begin(), each.end(), 0.0);
    }
    topology->Dispose();
    // The topology has taken a random stream. Runs that follow have the streams that they have
    // where nobody asks for an estimate.
    RngSeedManager::ResetNextStreamIndex();
    return packetHops;
}

double
EstimateCpuSeconds(double packetHops, const ExperimentConfig& config)
{
    if (config.engine != "packet")
    {
        return 0;
    }
    if (config.fabric == "nodes")
    {
        return packetHops / PACKET_HOPS_PER_SECOND_OF_NODES;
    }
    const RunParts parts(config.engine, config);
    const bool isLean = parts.Create<TransportProfile>()->UsesLeanConnections();
    return packetHops / (isLean ? PACKET_HOPS_PER_SECOND : PACKET_HOPS_PER_SECOND_OF_SOCKETS);
}

void
TellEstimate(const Workload& workload,
             const ExperimentConfig& config,
             std::size_t runs,
             std::size_t processes,
             std::ostream& out)
{
    const auto packetHops = config.progress ? EstimatePacketHops(workload, config) : std::nullopt;
    if (!packetHops)
    {
        return;
    }
    const std::size_t atOnce = std::clamp<std::size_t>(processes, 1, runs);
    const double rounds = static_cast<double>(runs) / static_cast<double>(atOnce);
    if (runs > 1)
    {
        out << runs << " runs of each ";
    }
    out << "about " << FormatCount(*packetHops) << " packet-hops, "
        << FormatDuration(EstimateCpuSeconds(*packetHops, config) * rounds);
    if (atOnce > 1)
    {
        out << " on " << atOnce << " cores";
    }
    if (RunParts(config.engine, config).Create<TimeJumper>()->GetMode() != TimeJumper::Mode::NO)
    {
        out << " if no time can be jumped over";
    }
    out << std::endl;
}

} // namespace ns3::coflow
