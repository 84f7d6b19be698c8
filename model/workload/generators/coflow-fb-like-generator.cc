/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Coflows like the coflows of the public Facebook trace, in any number and on any number of hosts.
// In each bin, the numbers of senders and receivers, the length and the evenness follow the
// quantiles of the trace. The numbers of hosts of wide coflows scale with the number of hosts;
// those of narrow coflows do not. Each quantity is drawn independently. Sizes are whole MB per
// flow, as in the trace.

#include "ns3/coflow-arrivals.h"
#include "ns3/coflow-generator.h"
#include "ns3/coflow-random.h"
#include "ns3/coflow-shuffle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace coflow
{

namespace
{

/// Values at the fractions of QUANTILES.
using Quantiles = std::array<double, 7>;

constexpr Quantiles QUANTILES{0, 0.1, 0.25, 0.5, 0.75, 0.9, 1};

/// Quantiles of the coflows of a bin.
struct BinFit
{
    Quantiles senders;   ///< hosts
    Quantiles receivers; ///< hosts
    Quantiles length;    ///< MB of the largest flow
    Quantiles evenness;  ///< mean flow / largest flow
};

/// In the order of ALL_BINS. The numbers of hosts of wide coflows are for TRACE_HOSTS hosts.
constexpr std::array<BinFit, ALL_BINS.size()> FITS{
    BinFit{{1, 1, 1, 3, 7, 25, 30},
           {1, 1, 1, 1, 1, 2, 48},
           {1, 1, 1, 1, 1, 2, 4},
           {0.3, 1, 1, 1, 1, 1, 1}},
    BinFit{{1, 1, 1, 2, 2, 4, 16},
           {1, 1, 1, 1, 7, 36, 50},
           {5, 6, 15, 25, 60, 212, 2200},
           {0.04, 0.4, 0.94, 1, 1, 1, 1}},
    BinFit{{1, 1, 23, 63, 122, 146, 147},
           {1, 5, 19, 55, 70, 93, 136},
           {1, 1, 1, 2, 3, 4, 4},
           {0.26, 0.34, 0.49, 0.68, 1, 1, 1}},
    BinFit{{1, 4, 13, 31, 142, 147, 147},
           {4, 9, 16, 114, 122, 141, 145},
           {5, 7, 16, 51, 161, 282, 2500},
           {0.013, 0.17, 0.31, 0.39, 0.55, 0.97, 1}},
};

constexpr double TRACE_HOSTS = 150;

/// Draws a value > 0. Between two quantiles, the logarithm of the value is uniformly distributed.
double
Draw(const Quantiles& values, Random& random)
{
    const double q = random.Uniform(0, 1);
    std::size_t i = 1;
    while (QUANTILES[i] < q)
    {
        ++i;
    }
    const double part = (q - QUANTILES[i - 1]) / (QUANTILES[i] - QUANTILES[i - 1]);
    return values[i - 1] * std::pow(values[i] / values[i - 1], part);
}

HostId
DrawHosts(const Quantiles& values, double scale, HostId hosts, Random& random)
{
    const double drawn = std::round(Draw(values, random) * scale);
    return static_cast<HostId>(std::clamp(drawn, 1.0, static_cast<double>(hosts)));
}

/// Draws the bytes from each sender to each receiver. The first receiver gets the length of the
/// coflow. Every other receiver gets the fraction u^a of the length, where u is uniform in 0..1.
/// The mean 1 / (1 + a) of the fraction is the evenness.
std::vector<Bytes>
DrawBytes(const BinFit& fit, HostId receivers, Random& random)
{
    constexpr Bytes MB = 1'000'000;
    const double length = std::round(Draw(fit.length, random));
    const double exponent = 1 / Draw(fit.evenness, random) - 1;
    std::vector<Bytes> bytes{static_cast<Bytes>(length) * MB};
    while (bytes.size() < receivers)
    {
        const double size = length * std::pow(random.Uniform(0, 1), exponent);
        bytes.push_back(std::max<Bytes>(1, std::llround(size)) * MB);
    }
    return bytes;
}

Workload
MakeFbLike(const Parameters& parameters)
{
    Random random(parameters.Count("seed"));
    Workload workload;
    workload.hosts = parameters.Host("hosts");
    for (const Bin bin : DrawBins(ReadBinShares(parameters), parameters.Count("coflows"), random))
    {
        const BinFit& fit = FITS[static_cast<std::size_t>(bin)];
        const bool isWide = bin == Bin::SW || bin == Bin::LW;
        const double scale = isWide ? workload.hosts / TRACE_HOSTS : 1;
        ShuffleShape shape;
        shape.senders = DrawHosts(fit.senders, scale, workload.hosts, random);
        shape.receivers = DrawHosts(fit.receivers, scale, workload.hosts, random);
        shape = FitToBin(shape, bin, workload.hosts);
        Coflow coflow;
        coflow.id = workload.coflows.size() + 1;
        const auto senders = random.Hosts(workload.hosts, shape.senders);
        const auto receivers = random.Hosts(workload.hosts, shape.receivers);
        AddShuffle(coflow, senders, receivers, DrawBytes(fit, shape.receivers, random));
        workload.coflows.push_back(std::move(coflow));
    }
    SetPoissonArrivals(workload, parameters, random);
    return workload;
}

std::vector<ParameterSpec>
FbLikeParameters()
{
    constexpr BinShares TRACE_SHARES{309, 90, 59, 68};
    constexpr double TRACE_LOAD = 0.52;
    std::vector<ParameterSpec> specs{
        {"coflows", Unit::COUNT, 526, 1, 1e6, "number of coflows"},
        {"hosts", Unit::COUNT, TRACE_HOSTS, LEAST_HOSTS_FOR_WIDE, 1e5, "number of hosts"},
    };
    AddMixParameters(specs, TRACE_SHARES, TRACE_LOAD);
    return specs;
}

const GeneratorEntry g_fbLike({"fb-like",
                               "coflows like those of the Facebook trace: mostly small ones, and "
                               "a few wide ones with nearly all bytes",
                               FbLikeParameters(),
                               MakeFbLike});

} // namespace

} // namespace coflow
