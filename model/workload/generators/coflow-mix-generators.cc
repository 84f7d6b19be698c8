/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Mixes of the four bins, as in the trace generator that the authors of Varys published with their
// simulator (also used by D-CAS). A narrow coflow has 1 to 5 senders and receivers, and a wide
// coflow has 5 to all hosts. For every receiver, the bytes from each sender are drawn uniformly
// between the limits of the coflow's length. So the largest flow of a long coflow is always long,
// and the largest flow of a short coflow is always short.

#include "ns3/coflow-arrivals.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-random.h"
#include "ns3/coflow-shuffle.h"

namespace coflow
{

namespace
{

/// Defaults that differ between the mixes.
struct MixDefaults
{
    double coflows;
    double hosts;
    double shortBytes;
    double maxBytes;
    double load;
};

std::vector<ParameterSpec>
MixParameters(const MixDefaults& defaults)
{
    // Varys, Table 4.
    constexpr BinShares VARYS_SHARES{52, 16, 15, 17};
    std::vector<ParameterSpec> specs{
        {"coflows", Unit::COUNT, defaults.coflows, 1, 1e6, "number of coflows"},
        {"hosts", Unit::COUNT, defaults.hosts, LEAST_HOSTS_FOR_WIDE, 1e5, "number of hosts"},
        {"minBytes", Unit::BYTES, 1e6, 1, 1e15, "smallest flow"},
        {"shortBytes",
         Unit::BYTES,
         defaults.shortBytes,
         2,
         1e15,
         "flows of short coflows are smaller than this, flows of long coflows are not"},
        {"maxBytes", Unit::BYTES, defaults.maxBytes, 2, 1e15, "largest flow"},
    };
    AddMixParameters(specs, VARYS_SHARES, defaults.load);
    return specs;
}

ShuffleShape
DrawShape(Bin bin, HostId hosts, Random& random)
{
    constexpr HostId FEW = 5;
    const bool isNarrow = bin == Bin::SN || bin == Bin::LN;
    const HostId least = isNarrow ? 1 : FEW;
    const HostId most = isNarrow ? FEW : hosts;
    const HostId senders = random.UniformInt(least, most);
    return FitToBin({senders, random.UniformInt(least, most)}, bin, hosts);
}

Workload
MakeMix(const Parameters& parameters)
{
    const Bytes least = parameters.Size("minBytes");
    const Bytes limit = parameters.Size("shortBytes");
    const Bytes most = parameters.Size("maxBytes");
    if (least >= limit)
    {
        parameters.Fail("minBytes", "fewer than shortBytes");
    }
    if (limit > most)
    {
        parameters.Fail("shortBytes", "at most maxBytes");
    }
    Random random(parameters.Count("seed"));
    Workload workload;
    workload.hosts = parameters.Host("hosts");
    for (const Bin bin : DrawBins(ReadBinShares(parameters), parameters.Count("coflows"), random))
    {
        const ShuffleShape shape = DrawShape(bin, workload.hosts, random);
        const bool isShort = bin == Bin::SN || bin == Bin::SW;
        std::vector<Bytes> bytes(shape.receivers);
        for (Bytes& size : bytes)
        {
            size = isShort ? random.UniformInt(least, limit - 1) : random.UniformInt(limit, most);
        }
        Coflow coflow;
        coflow.id = workload.coflows.size() + 1;
        const auto senders = random.Hosts(workload.hosts, shape.senders);
        AddShuffle(coflow, senders, random.Hosts(workload.hosts, shape.receivers), bytes);
        workload.coflows.push_back(std::move(coflow));
    }
    SetPoissonArrivals(workload, parameters, random);
    return workload;
}

// Varys, section 7.1: short means below 5 MB; the trace generator's long flows end at 1000 MB.
const GeneratorEntry g_varysMix({"varys-mix",
                                 "the four bins of Varys (52/16/15/17 % SN/LN/SW/LW), Poisson "
                                 "arrivals at a given load",
                                 MixParameters({526, 150, 5e6, 1e9, 0.5}),
                                 MakeMix});

// D-CAS, section IV-A: short means below 10 MB, flows have at most 500 MB, load 1.
const GeneratorEntry g_dcasMix({"dcas-mix",
                                "the setup of D-CAS: bins with the shares of varys-mix, flows up "
                                "to 500 MB, on 80 hosts at load 1",
                                MixParameters({400, 80, 10e6, 500e6, 1}),
                                MakeMix});

} // namespace

} // namespace coflow
