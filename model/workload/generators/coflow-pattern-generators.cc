/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Microbenchmarks: coflows with one communication pattern and one flow size, once or at intervals.

#include "ns3/coflow-arrivals.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-random.h"

#include <functional>
#include <numeric>
#include <utility>

namespace coflow
{

namespace
{

constexpr double MOST_HOSTS = 1e5;

/// Appends the parameters that all patterns share to the parameters of a pattern.
std::vector<ParameterSpec>
WithCommonParameters(std::vector<ParameterSpec> specs)
{
    specs.push_back({"bytes", Unit::BYTES, 1e6, 0, 1e15, "size of every flow"});
    specs.push_back({"coflows", Unit::COUNT, 1, 1, 1e6, "number of coflows, all alike"});
    specs.push_back(
        {"interval", Unit::SECONDS, 1, 0, 1e6, "time from one coflow's arrival to the next"});
    return specs;
}

/// Makes the coflows.
/// @param parameters parameters of WithCommonParameters()
/// @param hosts number of hosts
/// @param addFlows calls its argument with (src, dst) for every flow of one coflow
Workload
Repeat(const Parameters& parameters,
       HostId hosts,
       const std::function<void(const std::function<void(HostId, HostId)>&)>& addFlows)
{
    Workload workload;
    workload.hosts = hosts;
    for (std::uint64_t i = 0; i < parameters.Count("coflows"); ++i)
    {
        Coflow coflow;
        coflow.id = i + 1;
        coflow.arrival = ToNanoseconds(static_cast<double>(i) * parameters["interval"]);
        addFlows([&](HostId src, HostId dst) {
            coflow.flows.push_back(
                {static_cast<FlowId>(coflow.flows.size()), src, dst, parameters.Size("bytes")});
        });
        workload.coflows.push_back(std::move(coflow));
    }
    return workload;
}

Workload
MakeIncast(const Parameters& parameters)
{
    const HostId senders = parameters.Host("senders");
    return Repeat(parameters, senders + 1, [senders](const auto& add) {
        for (HostId sender = 1; sender <= senders; ++sender)
        {
            add(sender, 0);
        }
    });
}

Workload
MakeBroadcast(const Parameters& parameters)
{
    const HostId receivers = parameters.Host("receivers");
    return Repeat(parameters, receivers + 1, [receivers](const auto& add) {
        for (HostId receiver = 1; receiver <= receivers; ++receiver)
        {
            add(0, receiver);
        }
    });
}

Workload
MakePermutation(const Parameters& parameters)
{
    const HostId hosts = parameters.Host("hosts");
    Random random(parameters.Count("seed"));
    std::vector<HostId> ring(hosts);
    return Repeat(parameters, hosts, [&](const auto& add) {
        // Every host sends to the next host on a ring of all hosts in random order, so no host
        // sends to itself.
        std::iota(ring.begin(), ring.end(), 0);
        random.Shuffle(ring);
        std::vector<HostId> destination(hosts);
        for (HostId i = 0; i < hosts; ++i)
        {
            destination[ring[i]] = ring[(i + 1) % hosts];
        }
        for (HostId src = 0; src < hosts; ++src)
        {
            add(src, destination[src]);
        }
    });
}

Workload
MakeAllToAll(const Parameters& parameters)
{
    const HostId hosts = parameters.Host("hosts");
    return Repeat(parameters, hosts, [hosts](const auto& add) {
        for (HostId dst = 0; dst < hosts; ++dst)
        {
            for (HostId src = 0; src < hosts; ++src)
            {
                if (src != dst)
                {
                    add(src, dst);
                }
            }
        }
    });
}

const GeneratorEntry g_incast(
    {"incast",
     "hosts 1, 2, ... send to host 0 at once",
     WithCommonParameters({{"senders", Unit::COUNT, 8, 1, MOST_HOSTS, "number of senders"}}),
     MakeIncast});

const GeneratorEntry g_broadcast(
    {"broadcast",
     "host 0 sends to hosts 1, 2, ... at once",
     WithCommonParameters({{"receivers", Unit::COUNT, 8, 1, MOST_HOSTS, "number of receivers"}}),
     MakeBroadcast});

const GeneratorEntry g_permutation(
    {"permutation",
     "every host sends to one random host and receives from one",
     WithCommonParameters(
         {{"hosts", Unit::COUNT, 16, 2, MOST_HOSTS, "number of hosts"},
          {"seed", Unit::COUNT, 1, 0, 9007199254740992, "seed of the random numbers"}}),
     MakePermutation});

const GeneratorEntry g_allToAll(
    {"all-to-all",
     "every host sends to every other host at once",
     WithCommonParameters({{"hosts", Unit::COUNT, 8, 2, 4096, "number of hosts"}}),
     MakeAllToAll});

} // namespace

} // namespace coflow
