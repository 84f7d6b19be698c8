/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The transform that places a workload on another number of hosts.

#include "ns3/coflow-error.h"
#include "ns3/coflow-random.h"
#include "ns3/coflow-transform.h"
#include "ns3/coflow-workload-check.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace coflow
{

namespace
{

/// Replaces every host by another host.
/// @param workload the workload, which is changed
/// @param to new host of every old host
/// @param hosts new number of hosts
void
MoveHosts(Workload& workload, const std::vector<HostId>& to, HostId hosts)
{
    for (Coflow& coflow : workload.coflows)
    {
        for (Flow& flow : coflow.flows)
        {
            flow.src = to[flow.src];
            flow.dst = to[flow.dst];
        }
    }
    workload.hosts = hosts;
}

void
Fold(Workload& workload, HostId hosts)
{
    std::vector<HostId> to(workload.hosts);
    for (HostId host = 0; host < workload.hosts; ++host)
    {
        to[host] = host % hosts;
    }
    MoveHosts(workload, to, hosts);
}

void
Spread(Workload& workload, HostId hosts, const std::string& text)
{
    if (hosts < workload.hosts)
    {
        throw InputError("transform " + text + " has too few hosts; allowed: at least the " +
                         std::to_string(workload.hosts) + " of the workload, or fold, or random");
    }
    std::vector<HostId> to(workload.hosts);
    for (std::uint64_t host = 0; host < workload.hosts; ++host)
    {
        to[host] = static_cast<HostId>(host * hosts / workload.hosts);
    }
    MoveHosts(workload, to, hosts);
}

void
PlaceAtRandom(Workload& workload, HostId hosts, std::uint64_t seed)
{
    Random random(seed);
    const HostId most = std::max(workload.hosts, hosts);
    std::vector<HostId> to = random.Hosts(most, workload.hosts);
    for (HostId& host : to)
    {
        host %= hosts;
    }
    MoveHosts(workload, to, hosts);
}

Transform
ParseRemap(const TransformKind& kind, const std::string& argument)
{
    const TransformArgument parts(kind, argument);
    const std::string& way = parts.Text(0);
    const std::size_t size = way == "random" ? 3 : 2;
    if (parts.Size() != size || (way != "fold" && way != "spread" && way != "random"))
    {
        parts.Fail("with HOSTS the new number of hosts and SEED a whole number");
    }
    const auto hosts = static_cast<HostId>(parts.Quantity(1, Unit::COUNT, 1, MAX_HOSTS));
    std::string text = kind.name + "=" + way + ":" + std::to_string(hosts);
    if (way == "fold")
    {
        return {text, [hosts](Workload& workload) { Fold(workload, hosts); }};
    }
    if (way == "spread")
    {
        return {text, [hosts, text](Workload& workload) { Spread(workload, hosts, text); }};
    }
    const auto seed =
        static_cast<std::uint64_t>(parts.Quantity(2, Unit::COUNT, 0, 9007199254740992));
    text += ':';
    text += std::to_string(seed);
    return {text, [hosts, seed](Workload& workload) { PlaceAtRandom(workload, hosts, seed); }};
}

const TransformEntry g_remap(
    {"remap",
     "fold:HOSTS|spread:HOSTS|random:HOSTS:SEED",
     "moves the workload to another number of hosts: fold moves host h to h mod HOSTS; spread "
     "moves hosts to more hosts, at even distances; random moves them to different random hosts, "
     "or to fewer hosts, equally many to each",
     ParseRemap});

} // namespace

} // namespace coflow
