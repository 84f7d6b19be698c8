/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of machine learning: a chain of steps. Every step is a coflow, and its parent is the
// step before. All steps of an iteration arrive at the start of the iteration. The first step of an
// iteration also waits for the last step of the iteration before.

#include "ns3/coflow-arrivals.h"
#include "ns3/coflow-generator.h"

#include <functional>
#include <utility>

namespace coflow
{

namespace
{

std::vector<ParameterSpec>
CollectiveParameters(double bytes, const std::string& bytesHelp)
{
    return {{"hosts", Unit::COUNT, 8, 2, 4096, "number of hosts"},
            {"bytes", Unit::BYTES, bytes, 0, 1e12, bytesHelp},
            {"iterations", Unit::COUNT, 1, 1, 1e6, "number of times that the collective runs"},
            {"interval",
             Unit::SECONDS,
             0,
             0,
             1e6,
             "shortest time from the start of one iteration to the start of the next"}};
}

/// Makes a workload of a chain of steps.
/// @param parameters parameters of CollectiveParameters()
/// @param steps number of steps of an iteration
/// @param flow returns destination and bytes of the flow that a host sends in a step
Workload
Chain(const Parameters& parameters,
      HostId steps,
      const std::function<std::pair<HostId, Bytes>(HostId step, HostId src)>& flow)
{
    Workload workload;
    workload.hosts = parameters.Host("hosts");
    for (std::uint64_t iteration = 0; iteration < parameters.Count("iterations"); ++iteration)
    {
        for (HostId step = 0; step < steps; ++step)
        {
            Coflow coflow;
            coflow.id = workload.coflows.size() + 1;
            coflow.arrival = ToNanoseconds(static_cast<double>(iteration) * parameters["interval"]);
            if (!workload.coflows.empty())
            {
                coflow.parents.push_back(workload.coflows.back().id);
            }
            for (HostId src = 0; src < workload.hosts; ++src)
            {
                const auto [dst, bytes] = flow(step, src);
                coflow.flows.push_back({src, src, dst, bytes});
            }
            workload.coflows.push_back(std::move(coflow));
        }
    }
    return workload;
}

/// The buffer has one chunk per host. In hosts - 1 steps, every chunk passes around the ring and is
/// summed (reduce-scatter). In hosts - 1 more steps, the sums pass around the ring (all-gather).
Workload
MakeRingAllReduce(const Parameters& parameters)
{
    const HostId hosts = parameters.Host("hosts");
    const Bytes bytes = parameters.Size("bytes");
    return Chain(parameters, 2 * (hosts - 1), [hosts, bytes](HostId step, HostId src) {
        const HostId chunk = (src + 2 * hosts - step) % hosts;
        const Bytes size = bytes / hosts + (chunk < bytes % hosts ? 1 : 0);
        return std::pair((src + 1) % hosts, size);
    });
}

/// In step s = 0, 1, ..., every host sends to the host with a number larger by s + 1, modulo the
/// number of hosts.
Workload
MakeAllToAllCollective(const Parameters& parameters)
{
    const HostId hosts = parameters.Host("hosts");
    const Bytes bytes = parameters.Size("bytes");
    return Chain(parameters, hosts - 1, [hosts, bytes](HostId step, HostId src) {
        return std::pair((src + step + 1) % hosts, bytes);
    });
}

const GeneratorEntry g_ringAllReduce(
    {"ring-all-reduce",
     "sums a buffer over all hosts in 2 * (hosts - 1) dependent steps around a ring",
     CollectiveParameters(100e6, "size of the buffer that every host has"),
     MakeRingAllReduce});

const GeneratorEntry g_allToAllCollective(
    {"all-to-all-collective",
     "every host sends to every other host in hosts - 1 dependent steps, each of which is a "
     "permutation",
     CollectiveParameters(1e6, "bytes from every host to every other host"),
     MakeAllToAllCollective});

} // namespace

} // namespace coflow
