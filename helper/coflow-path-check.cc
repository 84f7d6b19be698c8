/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-path-check.h"

#include "ns3/coflow-control-plane.h"
#include "ns3/coflow-coordinated-scheduler.h"
#include "ns3/coflow-error.h"
#include "ns3/string.h"

#include <string>

namespace ns3::coflow
{

namespace
{

/// @throws ::coflow::InputError where two hosts have no path to each other
/// @param need returns a text that names the traffic between the two hosts
/// @param allowed other allowed values, for the message
template <typename Need>
void
CheckPair(const Topology& topology, HostId a, HostId b, const Need& need, const char* allowed)
{
    if (!topology.HasPath(a, b) || !topology.HasPath(b, a))
    {
        throw ::coflow::InputError("links that have failed leave no path between host " +
                                   std::to_string(a) + " and host " + std::to_string(b) +
                                   ", which " + need() +
                                   " needs; allowed: failedLinks that leave one, or " + allowed);
    }
}

/// @return an attribute of an object, as text
std::string
GetText(const Ptr<const Object>& object, const std::string& attribute)
{
    StringValue value;
    object->GetAttribute(attribute, value);
    return value.Get();
}

} // namespace

void
CheckFlowPaths(const ::coflow::Workload& workload, const Topology& topology)
{
    for (const auto& coflow : workload.coflows)
    {
        for (const auto& flow : coflow.flows)
        {
            if (flow.bytes > 0)
            {
                CheckPair(
                    topology,
                    flow.src,
                    flow.dst,
                    [&] {
                        return "flow " + std::to_string(flow.id) + " of coflow " +
                               std::to_string(coflow.id);
                    },
                    "a workload without it");
            }
        }
    }
}

void
CheckControlPaths(const ::coflow::Workload& workload, const PacketCluster& cluster)
{
    const auto control =
        cluster.GetParts().GetFactory(ControlPlane::GetTypeId()).Create<ControlPlane>();
    if (GetText(control, "ControlTransport") == "ideal")
    {
        return;
    }
    const auto& topology = *cluster.GetFabric()->GetTopology();
    const auto scheduler = DynamicCast<const CoordinatedScheduler>(cluster.GetScheduler());
    const bool tells = GetText(cluster.GetDriver(), "Completion") == "message";
    for (const auto& coflow : workload.coflows)
    {
        const auto messages = [&] { return "the control of coflow " + std::to_string(coflow.id); };
        for (const auto& flow : coflow.flows)
        {
            for (const HostId host : {flow.src, flow.dst})
            {
                if (scheduler)
                {
                    CheckPair(topology,
                              host,
                              scheduler->GetCoordinatorHost(),
                              messages,
                              "another coordinatorHost, or --controlTransport=ideal");
                }
            }
            if (tells)
            {
                CheckPair(topology,
                          flow.dst,
                          coflow.flows.front().src,
                          messages,
                          "--completion=instant");
            }
        }
    }
}

} // namespace ns3::coflow
