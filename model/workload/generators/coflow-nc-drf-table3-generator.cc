/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The three coflows of NC-DRF's testbed (Table III) on 60 hosts. Hosts are counted from 0 here, and
// from 1 in the paper.

#include "ns3/coflow-arrivals.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-random.h"

namespace coflow
{

namespace
{

constexpr HostId HOSTS = 60;

Workload
MakeNcDrfTable3(const Parameters& parameters)
{
    const Bytes least = parameters.Size("minBytes");
    const Bytes most = parameters.Size("maxBytes");
    if (least > most)
    {
        parameters.Fail("minBytes", "at most maxBytes");
    }
    Random random(parameters.Count("seed"));
    Workload workload;
    workload.hosts = HOSTS;
    workload.coflows.resize(3);
    for (std::size_t i = 0; i < workload.coflows.size(); ++i)
    {
        workload.coflows[i].id = i + 1;
        workload.coflows[i].arrival =
            ToNanoseconds(static_cast<double>(i) * parameters["interval"]);
    }
    const auto add = [&](std::size_t coflow, HostId src, HostId dst) {
        auto& flows = workload.coflows[coflow].flows;
        flows.push_back(
            {static_cast<FlowId>(flows.size()), src, dst, random.UniformInt(least, most)});
    };
    // A: ten groups of six hosts, all-to-all. The 360 flows of the paper include flows from a host
    // to itself.
    constexpr HostId GROUP = 6;
    for (HostId first = 0; first < HOSTS; first += GROUP)
    {
        for (HostId dst = first; dst < first + GROUP; ++dst)
        {
            for (HostId src = first; src < first + GROUP; ++src)
            {
                add(0, src, dst);
            }
        }
    }
    const auto addPair = [&add](std::size_t coflow, HostId a, HostId b) {
        add(coflow, a, b);
        add(coflow, b, a);
    };
    // B: between i and i + 30, in both directions.
    constexpr HostId HALF = HOSTS / 2;
    for (HostId i = 0; i < HALF; ++i)
    {
        addPair(1, i, i + HALF);
    }
    // C: between j and j + 15, in both directions. The paper's second range of j, 30 to 45, has one
    // value too many for its 60 flows. The range 31 to 45, counted from 1, gives each host one
    // partner.
    constexpr HostId QUARTER = HOSTS / 4;
    for (const HostId start : {HostId{0}, HALF})
    {
        for (HostId j = start; j < start + QUARTER; ++j)
        {
            addPair(2, j, j + QUARTER);
        }
    }
    return workload;
}

const GeneratorEntry g_ncDrfTable3(
    {"nc-drf-table3",
     "the testbed of NC-DRF: 360, 60 and 60 flows on 60 hosts, one coflow after the other",
     {{"minBytes", Unit::BYTES, 30e6, 0, 1e15, "smallest flow"},
      {"maxBytes", Unit::BYTES, 100e6, 0, 1e15, "largest flow"},
      {"interval", Unit::SECONDS, 10, 0, 1e6, "time from one coflow's arrival to the next"},
      {"seed", Unit::COUNT, 1, 0, 9007199254740992, "seed of the random numbers"}},
     MakeNcDrfTable3});

} // namespace

} // namespace coflow
