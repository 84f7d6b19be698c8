/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-stall-limit.h"

#include "ns3/coflow-completion-agent.h"
#include "ns3/coflow-control-endpoint.h"
#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-format.h"
#include "ns3/coflow-parameter.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3::coflow
{

namespace
{

/// Longer times among attributes are ignored, because a run does not wait for them; in seconds.
constexpr double LONGEST_SECONDS = 1e6;

/// Factor by which the sum of all times is multiplied.
constexpr double SAFETY = 4;

/// Largest limit, in seconds. ns3::Time can represent the sum of two such limits.
constexpr double LONGEST_LIMIT = 2e9;

/// Whether an attribute is a point in time or the time of a failure, for which the run does not
/// wait.
bool
IsMoment(const std::string& name)
{
    return name == "StartTime" || name == "StopTime" || name == "CoordinatorFailAt" ||
           name == "CoordinatorDownTime";
}

/// Times for which processes of a run may wait: name, and time in seconds.
using Timers = std::vector<std::pair<std::string, double>>;

/// Adds the times among the attributes of an object.
void
AddTimes(Ptr<const Object> object, Timers& timers)
{
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
            timers.emplace_back(attribute.name, value.Get().GetSeconds());
        }
    }
}

/// Adds the default times of a class. No object is created, because some objects draw random
/// numbers.
void
AddDefaultTimes(TypeId type, Timers& timers)
{
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const auto attribute = type.GetAttribute(i);
        if (const auto value = DynamicCast<const TimeValue>(attribute.initialValue))
        {
            timers.emplace_back(attribute.name, value->Get().GetSeconds());
        }
    }
}

/// Adds the times among the parameters of the scheduler's policy.
void
AddParameters(const RunParts& parts, Timers& timers)
{
    const auto& values = parts.GetPolicy();
    for (const auto& spec : values.Specs())
    {
        if (spec.unit == ::coflow::Unit::SECONDS)
        {
            timers.emplace_back(spec.name, values[spec.name]);
        }
    }
}

/// @param lossRate share of packets that are lost, 0 to 1
/// @return the number of further tries after which a packet and its answer have arrived with a
///         probability of one minus one millionth
double
CountTries(double lossRate)
{
    constexpr double MISSED = 1e-6;
    if (lossRate <= 0)
    {
        return 0;
    }
    const double arrives = (1 - lossRate) * (1 - lossRate);
    return std::ceil(std::log(MISSED) / std::log(1 - arrives));
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

} // namespace

StallLimit::StallLimit(const ::coflow::Workload& workload, const PacketCluster& cluster)
{
    constexpr double SEGMENTS = 1000;
    ::coflow::Nanoseconds deadline = 0;
    for (const auto& coflow : workload.coflows)
    {
        deadline = std::max(deadline, coflow.deadline.value_or(0));
    }
    m_timers.emplace_back("the longest deadline", static_cast<double>(deadline) * 1e-9);
    AddParameters(cluster.GetParts(), m_timers);
    double lossRate = 0;
    for (const auto& part : cluster.GetTimedParts())
    {
        AddTimes(part, m_timers);
        if (part->GetInstanceTypeId() == ControlPlane::GetTypeId())
        {
            AddDefaultTimes(ControlEndpoint::GetTypeId(), m_timers); // the control plane creates
                                                                     // its endpoints later
            DoubleValue rate;
            part->GetAttribute("ControlLossRate", rate);
            lossRate = rate.Get();
        }
    }
    m_timers.emplace_back("the longest time between two attempts to connect",
                          1e-3 * ControlEndpoint::LONGEST_RECONNECT_MS);
    m_timers.emplace_back("the time until a driver is told",
                          1e-3 * (CompletionAgent::LINGER_MS + CompletionAgent::PATIENCE_MS));
    const auto& topology = *cluster.GetFabric()->GetTopology();
    UintegerValue mtu;
    cluster.GetFabric()->GetAttribute("Mtu", mtu);
    m_timers.emplace_back("1000 segments on the slowest link",
                          SEGMENTS * 8 * static_cast<double>(mtu.Get()) / GetSlowestLink(topology));
    std::erase_if(m_timers, [](const auto& timer) {
        return timer.second <= 0 || timer.second >= LONGEST_SECONDS;
    });
    std::ranges::stable_sort(m_timers,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [name, seconds] : m_timers)
    {
        m_sum += seconds;
    }
    const auto& profile = cluster.GetInstallation()->GetProfile();
    TimeValue maxRto;
    profile->GetAttribute("MaxRto", maxRto);
    m_lossSeconds = CountTries(lossRate) * maxRto.Get().GetSeconds();
}

Time
StallLimit::Get(const PacketCluster& cluster) const
{
    constexpr double MESSAGES = 6; // messages from a coflow's registration to its rate
    const double delay = cluster.GetScheduler()->GetLongestMessageDelay().GetSeconds();
    return ns3::Seconds(
        std::min(SAFETY * (m_sum + MESSAGES * delay) + m_lossSeconds, LONGEST_LIMIT));
}

std::string
StallLimit::Describe() const
{
    constexpr std::size_t MOST = 3;
    std::string text = "four times the sum of all timers of the run, of which the longest are ";
    for (std::size_t i = 0; i < std::min(MOST, m_timers.size()); ++i)
    {
        text += (i == 0 ? "" : ", ") + m_timers[i].first + " (" +
                ::coflow::FormatRounded(m_timers[i].second) + " s)";
    }
    if (m_lossSeconds > 0)
    {
        text += ", and " + ::coflow::FormatRounded(m_lossSeconds) +
                " s in which a message gets through in spite of controlLossRate";
    }
    return text;
}

} // namespace ns3::coflow
