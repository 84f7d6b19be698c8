/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_STATISTICS_H
#define COFLOW_STATISTICS_H

#include "ns3/coflow-types.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace coflow
{

/// The four kinds of coflows by which papers break down their results (Varys, Table 4).
enum class Bin
{
    SN, ///< short and narrow
    LN, ///< long and narrow
    SW, ///< short and wide
    LW  ///< long and wide
};

/// All bins, in the order in which tables show them.
inline constexpr std::array<Bin, 4> ALL_BINS{Bin::SN, Bin::LN, Bin::SW, Bin::LW};

/// @param bin a bin
/// @return its name: `SN`, `LN`, `SW` or `LW`
std::string_view BinName(Bin bin);

/// What counts as short and as narrow. The defaults are those of Varys and NC-DRF; D-CAS calls
/// coflows below 10 MB short.
struct BinLimits
{
    Bytes shortBytes{5'000'000}; ///< short: the largest flow has fewer bytes than this
    std::size_t narrowFlows{50}; ///< narrow: at most so many flows
};

/// What describes one coflow. Local flows count, unless said otherwise.
struct CoflowStatistics
{
    Bytes length{0};           ///< bytes of the largest flow
    std::size_t width{0};      ///< number of flows
    Bytes size{0};             ///< bytes of all flows
    double skew{0};            ///< coefficient of variation of the flows' bytes; 0 for empty ones
    std::size_t senders{0};    ///< number of different sending hosts
    std::size_t receivers{0};  ///< number of different receiving hosts
    std::size_t localFlows{0}; ///< flows within one host
    Bytes bottleneck{0};       ///< bytes of the most loaded port, without local flows
    Bin bin{Bin::SN};          ///< by length and width
};

/// Computes what describes a coflow, in O(flows).
/// @param coflow the coflow
/// @param limits what counts as short and as narrow
/// @return sizes in bytes, numbers of flows and ports, and the bin
CoflowStatistics ComputeStatistics(const Coflow& coflow, const BinLimits& limits = {});

/// Bytes that cross one port.
struct PortLoad
{
    HostId host{0}; ///< whose port
    Bytes bytes{0}; ///< that cross it

    bool operator==(const PortLoad&) const = default;
};

/// The ports that a coflow needs. Local flows load no port; a port whose flows are all empty is
/// listed with 0 bytes.
struct PortLoads
{
    std::vector<PortLoad> ingress; ///< host uplinks, by host
    std::vector<PortLoad> egress;  ///< host downlinks, by host
};

/// @param coflow a coflow
/// @return its bytes per port, only of ports that it uses
PortLoads ComputePortLoads(const Coflow& coflow);

/// Bytes per port of all coflows together, one entry per host.
struct PortTotals
{
    std::vector<Bytes> ingress; ///< host uplinks
    std::vector<Bytes> egress;  ///< host downlinks
};

/// Sums the bytes of a workload per port; local flows load no port.
/// @param workload the workload
/// @return bytes by host
PortTotals ComputePortTotals(const Workload& workload);

/// What a workload offers to the hosts' ports from the first arrival to the last, as a share of
/// what they can carry: above 1 the ports cannot keep up. Infinite where all arrive at one time.
struct OfferedLoad
{
    double seconds{0}; ///< from the first arrival to the last
    double mean{0};    ///< bytes between hosts / (rates of uplinks * seconds)
    double busiest{0}; ///< of the uplink or downlink that needs most time for its bytes
};

/// @param workload the workload; local flows load no port
/// @param rates of all ports, above 0; as many hosts as the workload has or more
/// @return the load of all uplinks of the workload's hosts, and of the busiest port
OfferedLoad ComputeOfferedLoad(const Workload& workload, const PortRates& rates);

/// Gamma: the time that a coflow needs in an otherwise empty fabric, that of its bottleneck port
/// (Varys, section 5.3.1).
/// @param coflow the coflow; its hosts are within rates
/// @param rates rates of all ports, bytes per second
/// @return seconds; 0 where no port is loaded, infinity where a loaded port has rate 0
double GammaSeconds(const Coflow& coflow, const PortRates& rates);

/// The q-quantile by linear interpolation between the two nearest ranks, as numpy and pandas
/// compute it.
/// @param sorted values in ascending order; 0 is returned where there are none
/// @param q from 0 to 1
/// @return the quantile, in the unit of the values
double Quantile(const std::vector<double>& sorted, double q);

} // namespace coflow

#endif // COFLOW_STATISTICS_H
