/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-stall-report.h"

#include "ns3/coflow-fluid-run.h"
#include "ns3/coflow-format.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace ns3::coflow
{

using ::coflow::FormatRounded;
using ConnectionState = CoflowSource::ConnectionState;

namespace
{

std::string
Seconds(Time time)
{
    return FormatRounded(time.GetSeconds(), 6) + " s";
}

/// Why a flow does not end, as far as that is known.
enum class Cause
{
    NO_PATH,      ///< links have failed
    NO_PORT,      ///< all ports of its host are taken
    NO_HANDSHAKE, ///< no SYN was answered
    NO_RATE,      ///< its scheduler gives it none
    UNKNOWN
};

/// @return whether packets have a way from one host to another, and back
bool
HasPath(const Topology& topology, const ::coflow::Flow& flow)
{
    return topology.HasPath(flow.src, flow.dst) && topology.HasPath(flow.dst, flow.src);
}

/// @return why a flow of a coflow that is registered does not end
Cause
FindCause(const ::coflow::FlowRecord& record, const PacketCluster& cluster)
{
    if (!HasPath(*cluster.GetFabric()->GetTopology(), record.flow))
    {
        return Cause::NO_PATH;
    }
    if (record.start == ::coflow::NEVER)
    {
        return Cause::NO_RATE;
    }
    const auto progress =
        cluster.GetHosts()[record.flow.src].source->GetProgress({record.coflow, record.flow.id});
    if (!progress)
    {
        return Cause::UNKNOWN;
    }
    if (progress->connection == ConnectionState::WAITING_FOR_PORT)
    {
        return Cause::NO_PORT;
    }
    if (progress->connection == ConnectionState::OPENING)
    {
        return Cause::NO_HANDSHAKE;
    }
    return progress->rateLimit.GetKind() == RateLimit::Kind::PAUSED ? Cause::NO_RATE
                                                                    : Cause::UNKNOWN;
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
    if (!HasPath(*cluster.GetFabric()->GetTopology(), record.flow))
    {
        text << ", no path";
    }
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
    if (progress->connection != ConnectionState::OPEN)
    {
        text << (progress->connection == ConnectionState::OPENING ? ", its connection is not open"
                                                                  : ", waits for a port");
    }
    switch (progress->rateLimit.GetKind())
    {
    case RateLimit::Kind::PAUSED:
        text << ", paused";
        break;
    case RateLimit::Kind::RATE:
        text << ", allowed "
             << FormatRounded(static_cast<double>(progress->rateLimit.GetRate().GetBitRate()))
             << " bit/s";
        break;
    default:
        text << ", without a limit";
    }
    text << ", " << progress->written - progress->acknowledged << " bytes not acknowledged, "
         << progress->retransmissions << " retransmissions";
    return text.str();
}

/// @return a line for each cause that is known
std::vector<std::string>
NameCauses(const ::coflow::Workload& workload,
           const PacketCluster& cluster,
           const CoflowTracker& tracker)
{
    std::map<Cause, std::vector<const ::coflow::FlowRecord*>> flows;
    std::size_t unanswered = 0;
    for (const std::size_t index : tracker.GetPresent())
    {
        if (!tracker.IsRegistered(workload.coflows[index].id))
        {
            ++unanswered;
            continue;
        }
        for (const auto& record : tracker.GetFlowRecords(index))
        {
            if (record.finish == ::coflow::NEVER)
            {
                flows[FindCause(record, cluster)].push_back(&record);
            }
        }
    }
    std::vector<std::string> lines;
    const auto add = [&](Cause cause, const std::string& what) {
        const auto found = flows.find(cause);
        if (found != flows.end())
        {
            const auto& first = *found->second.front();
            lines.push_back("cause: " + what + ": " + std::to_string(found->second.size()) +
                            " flows, the first one flow " + std::to_string(first.flow.id) +
                            " of coflow " + std::to_string(first.coflow) + ", host " +
                            std::to_string(first.flow.src) + " to " +
                            std::to_string(first.flow.dst));
        }
    };
    add(Cause::NO_PATH, "no path, as links have failed");
    add(Cause::NO_PORT, "no port, as others keep all ports of the host");
    add(Cause::NO_HANDSHAKE, "no handshake, as no SYN was answered in time");
    add(Cause::NO_RATE, "rates of zero, as the scheduler lets them send nothing");
    if (unanswered > 0)
    {
        lines.push_back("cause: no answer to the registration of " + std::to_string(unanswered) +
                        " coflows");
    }
    return lines;
}

/// @return what a coflow waits for that has not been released
std::string
DescribeParents(const ::coflow::Coflow& coflow,
                const ::coflow::Workload& workload,
                const CoflowTracker& tracker)
{
    std::string text = "waits for its parents";
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        const auto id = workload.coflows[i].id;
        if (std::ranges::find(coflow.parents, id) != coflow.parents.end())
        {
            const auto& record = tracker.GetCoflowRecords()[i];
            text += ' ';
            text += std::to_string(id);
            if (record.IsFinished())
            {
                text += " (finished at ";
                text += Seconds(NanoSeconds(record.finish));
                text += ", of which its driver has not heard)";
            }
        }
    }
    return text;
}

/// @return what a coflow waits for
std::string
DescribeCoflow(std::size_t index,
               const ::coflow::Workload& workload,
               const PacketCluster& cluster,
               const CoflowTracker& tracker)
{
    const auto& coflow = workload.coflows[index];
    const std::string name = "coflow " + std::to_string(coflow.id) + ": ";
    if (tracker.GetPresent().count(index) == 0)
    {
        return name + DescribeParents(coflow, workload, tracker);
    }
    const auto wait = cluster.GetScheduler()->DescribeWait(coflow.id);
    return name +
           (tracker.IsRegistered(coflow.id) ? "registered" : "its registration has no answer") +
           (wait.empty() ? "" : "; " + wait);
}

} // namespace

std::vector<std::string>
DescribeWaits(const ::coflow::Workload& workload,
              const PacketCluster& cluster,
              const CoflowTracker& tracker)
{
    constexpr std::size_t MOST_COFLOWS = 20;
    constexpr std::size_t MOST_FLOWS = 5;
    auto lines = NameCauses(workload, cluster, tracker);
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
        lines.push_back(DescribeCoflow(i, workload, cluster, tracker));
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

std::vector<std::string>
DescribeStuck(const ::coflow::Workload& workload, const ::coflow::FluidResult& outcome)
{
    constexpr std::size_t MOST_FLOWS = 20;
    std::vector<std::string> lines{"nothing can bring a coflow nearer to its end since " +
                                   Seconds(NanoSeconds(outcome.stuckAt)) + ":"};
    const auto zero =
        std::ranges::count_if(outcome.stuck, [](const auto& flow) { return flow.rate == 0; });
    if (zero > 0)
    {
        lines.push_back("cause: rates of zero, as the scheduler gives none: " +
                        std::to_string(zero) + " flows");
    }
    const auto slow = static_cast<std::ptrdiff_t>(outcome.stuck.size()) - zero;
    if (slow > 0)
    {
        lines.push_back("cause: rates so low that flows would take longer than " +
                        FormatRounded(::coflow::LONGEST_NS * 1e-9) +
                        " s, the longest time of the engine: " + std::to_string(slow) + " flows");
    }
    for (std::size_t i = 0; i < std::min(MOST_FLOWS, outcome.stuck.size()); ++i)
    {
        const auto& flow = outcome.stuck[i];
        const auto& coflow = workload.coflows[flow.coflow];
        lines.push_back("  flow " + std::to_string(flow.flow) + " of coflow " +
                        std::to_string(coflow.id) + ", host " + std::to_string(flow.src) + " to " +
                        std::to_string(flow.dst) + ": " + FormatRounded(flow.remaining) + " of " +
                        std::to_string(coflow.flows[flow.flow].bytes) + " bytes left, at " +
                        FormatRounded(8 * flow.rate) + " bit/s");
    }
    if (outcome.stuck.size() > MOST_FLOWS)
    {
        lines.push_back("  and " + std::to_string(outcome.stuck.size() - MOST_FLOWS) +
                        " flows more");
    }
    return lines;
}

} // namespace ns3::coflow
