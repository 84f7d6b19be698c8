/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-stall-report.h"

#include "ns3/coflow-completion-agent.h"
#include "ns3/coflow-control-endpoint.h"
#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-format.h"
#include "ns3/coflow-parameter.h"
#include "ns3/coflow-scheduler-registry.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3::coflow
{

using ::coflow::FormatRounded;

namespace
{

/// Longer times of attributes are not for the run to wait for.
constexpr double LONGEST_SECONDS = 1e6;

/// What the longest for which a run may wait for something is multiplied by.
constexpr double SAFETY = 4;

/// Simulated time can hold the sum of two such limits, in seconds.
constexpr double LONGEST_LIMIT = 2e9;

/// Attributes that say when something happens, and not how long it takes.
bool
IsMoment(const std::string& name)
{
    return name == "StartTime" || name == "StopTime" || name == "CoordinatorFailAt" ||
           name == "CoordinatorDownTime";
}

/// @return the sum of the times that an object has as attributes, in seconds
double
SumOfTimes(Ptr<const Object> object)
{
    double sum = 0;
    for (TypeId type = object->GetInstanceTypeId(); type != Object::GetTypeId();
         type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            const auto attribute = type.GetAttribute(i);
            if (attribute.checker->GetValueTypeName() != "ns3::TimeValue" ||
                IsMoment(attribute.name))
            {
                continue;
            }
            TimeValue value;
            object->GetAttribute(attribute.name, value);
            const double seconds = value.Get().GetSeconds();
            sum += seconds > 0 && seconds < LONGEST_SECONDS ? seconds : 0;
        }
    }
    return sum;
}

/// @return the sum of the times that objects of a class have by default, in seconds. None is made,
/// as some draw random numbers
double
SumOfDefaultTimes(TypeId type)
{
    double sum = 0;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const auto value = DynamicCast<const TimeValue>(type.GetAttribute(i).initialValue);
        const double seconds = value ? value->Get().GetSeconds() : 0;
        sum += seconds < LONGEST_SECONDS ? seconds : 0;
    }
    return sum;
}

/// @return the sum of the times that a scheduler's policy has as parameters, in seconds
double
SumOfParameters(const RunParts& parts)
{
    const auto& specs = parts.GetPolicySpecs();
    const ::coflow::Parameters values("policy", specs, parts.GetPolicyAssignments());
    double sum = 0;
    for (const auto& spec : specs)
    {
        const double seconds = spec.unit == ::coflow::Unit::SECONDS ? values[spec.name] : 0;
        sum += seconds < LONGEST_SECONDS ? seconds : 0;
    }
    return sum;
}

/// @return the rate of the slowest link, in bit/s
double
GetSlowestLink(const Topology& topology)
{
    uint64_t slowest = UINT64_MAX;
    for (LinkPort port = 0; port < topology.GetNPorts(); ++port)
    {
        slowest = std::min(slowest, topology.GetPort(port).rate.GetBitRate());
    }
    return static_cast<double>(std::max<uint64_t>(slowest, 1));
}

std::string
Seconds(Time time)
{
    return FormatRounded(time.GetSeconds(), 6) + " s";
}

/// @return what a flow that was put waits for
std::string
DescribeFlow(const ::coflow::FlowRecord& record, const PacketCluster& cluster)
{
    const FlowKey key{record.coflow, record.flow.id};
    const auto& sender = cluster.GetHosts()[record.flow.src];
    const auto& sink = cluster.GetHosts()[record.flow.dst].sink;
    const auto received = sink->GetReceivedBytes(key);
    std::ostringstream text;
    text << "  flow " << record.flow.id << ", host " << record.flow.src << " to " << record.flow.dst
         << ": " << record.flow.bytes - static_cast<int64_t>(received) << " of "
         << record.flow.bytes << " bytes left";
    if (record.start == ::coflow::NEVER)
    {
        text << ", not handed to its host's transport";
        return text.str();
    }
    if (received > 0)
    {
        text << ", the last byte delivered at " << Seconds(sink->GetLastDelivery(key));
    }
    const auto progress = sender.source->GetProgress(key);
    if (!progress)
    {
        text << ", cancelled or wholly acknowledged at its sender";
        return text.str();
    }
    switch (progress->allowance.GetKind())
    {
    case Allowance::Kind::PAUSED:
        text << ", paused";
        break;
    case Allowance::Kind::RATE:
        text << ", allowed "
             << FormatRounded(static_cast<double>(progress->allowance.GetRate().GetBitRate()))
             << " bit/s";
        break;
    default:
        text << ", without a limit";
    }
    text << ", " << progress->written - progress->acknowledged << " bytes not acknowledged, "
         << progress->retransmissions << " retransmissions";
    return text.str();
}

/// @return what a coflow waits for
std::string
DescribeCoflow(const ::coflow::Coflow& coflow,
               const PacketCluster& cluster,
               const CoflowTracker& tracker,
               bool released)
{
    std::ostringstream text;
    text << "coflow " << coflow.id << ": ";
    if (!released)
    {
        text << "waits for its parents";
        for (const auto parent : coflow.parents)
        {
            text << " " << parent;
        }
        return text.str();
    }
    const auto wait = cluster.GetScheduler()->DescribeWait(coflow.id);
    text << (tracker.IsRegistered(coflow.id) ? "registered" : "its registration has no answer");
    text << (wait.empty() ? "" : "; " + wait);
    return text.str();
}

} // namespace

Time
GetStallLimit(const ::coflow::Workload& workload, const PacketCluster& cluster)
{
    constexpr double SEGMENTS = 1000;
    ::coflow::Nanoseconds longest = 0;
    for (const auto& coflow : workload.coflows)
    {
        longest = std::max(longest, coflow.deadline.value_or(0));
    }
    double seconds = SumOfParameters(cluster.GetParts()) + static_cast<double>(longest) * 1e-9;
    for (const auto& part : cluster.GetTimedParts())
    {
        seconds += SumOfTimes(part);
        if (part->GetInstanceTypeId() == ControlPlane::GetTypeId())
        {
            seconds += SumOfDefaultTimes(ControlEndpoint::GetTypeId()); // which it makes
        }
    }
    seconds += 1e-3 * (CompletionAgent::LINGER_MS + CompletionAgent::PATIENCE_MS);
    const auto& topology = *cluster.GetFabric()->GetTopology();
    UintegerValue mtu;
    cluster.GetFabric()->GetAttribute("Mtu", mtu);
    seconds += SEGMENTS * 8 * static_cast<double>(mtu.Get()) / GetSlowestLink(topology);
    return ns3::Seconds(std::min(SAFETY * seconds, LONGEST_LIMIT));
}

Time
ExtendStallLimit(Time limit, const PacketCluster& cluster)
{
    constexpr double MESSAGES = 6; // from a coflow's registration to its first rate
    const double delay = cluster.GetScheduler()->GetLongestMessageDelay().GetSeconds();
    return limit + ns3::Seconds(std::min(SAFETY * MESSAGES * delay, LONGEST_LIMIT));
}

std::vector<std::string>
DescribeWaits(const ::coflow::Workload& workload,
              const PacketCluster& cluster,
              const CoflowTracker& tracker)
{
    constexpr std::size_t MOST_COFLOWS = 20;
    constexpr std::size_t MOST_FLOWS = 5;
    std::vector<std::string> lines;
    std::size_t nCoflows = 0;
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        const auto& coflow = workload.coflows[i];
        const auto& record = tracker.GetCoflowRecords()[i];
        const bool gone = record.IsFinished() || tracker.IsDropped(i);
        if (gone || NanoSeconds(coflow.arrival) > Simulator::Now() || ++nCoflows > MOST_COFLOWS)
        {
            continue;
        }
        const bool released = tracker.GetPresent().count(i) > 0;
        lines.push_back(DescribeCoflow(coflow, cluster, tracker, released));
        std::size_t nFlows = 0;
        for (const auto& flow : tracker.GetFlowRecords(i))
        {
            if (released && flow.finish == ::coflow::NEVER && ++nFlows <= MOST_FLOWS)
            {
                lines.push_back(DescribeFlow(flow, cluster));
            }
        }
        if (nFlows > MOST_FLOWS)
        {
            lines.push_back("  and " + std::to_string(nFlows - MOST_FLOWS) + " flows more");
        }
    }
    if (nCoflows > MOST_COFLOWS)
    {
        lines.push_back("and " + std::to_string(nCoflows - MOST_COFLOWS) + " coflows more");
    }
    return lines;
}

} // namespace ns3::coflow
