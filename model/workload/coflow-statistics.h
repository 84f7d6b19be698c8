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

/// The limits of short and narrow coflows. The defaults are the limits of Varys and NC-DRF. In
/// D-CAS, coflows below 10 MB are short.
struct BinLimits
{
    Bytes shortBytes{5'000'000}; ///< short: the largest flow has fewer bytes
    std::size_t narrowFlows{50}; ///< narrow: at most this number of flows
};

/// Sizes of one coflow. Local flows are included, except where a member excludes them.
struct CoflowStatistics
{
    Bytes length{0};           ///< bytes of the largest flow
    std::size_t width{0};      ///< number of flows
    Bytes size{0};             ///< bytes of all flows
    double skew{0};            ///< coefficient of variation of the flows' bytes; 0: all empty
    std::size_t senders{0};    ///< number of different sending hosts
    std::size_t receivers{0};  ///< number of different receiving hosts
    std::size_t localFlows{0}; ///< flows within one host
    Bytes bottleneck{0};       ///< bytes of the most loaded port, without local flows
    Bin bin{Bin::SN};          ///< by length and width
};

/// Computes the sizes of a coflow, in O(flows).
/// @param coflow the coflow
/// @param limits limits of short and narrow coflows
/// @return sizes in bytes, numbers of flows and ports, and the bin
CoflowStatistics ComputeStatistics(const Coflow& coflow, const BinLimits& limits = {});

/// Bytes that cross one port.
struct PortLoad
{
    HostId host{0}; ///< host of the port
    Bytes bytes{0}; ///< bytes that cross the port

    bool operator==(const PortLoad&) const = default;
};

/// The ports that a coflow uses. Local flows use no port. A port whose flows are all empty has 0
/// bytes.
struct PortLoads
{
    std::vector<PortLoad> ingress; ///< host uplinks, by host
    std::vector<PortLoad> egress;  ///< host downlinks, by host
};

/// @param coflow a coflow
/// @return the coflow's bytes per port, only for ports that the coflow uses
PortLoads ComputePortLoads(const Coflow& coflow);

/// Bytes per port of all coflows together, one entry per host.
struct PortTotals
{
    std::vector<Bytes> ingress; ///< host uplinks
    std::vector<Bytes> egress;  ///< host downlinks
};

/// Sums the bytes of a workload per port. Local flows use no port.
/// @param workload the workload
/// @return bytes by host
PortTotals ComputePortTotals(const Workload& workload);

/// The load of the hosts' ports from the first arrival to the last, as a share of their capacity.
/// With a load above 1, the ports cannot carry the workload in this time. The load is infinite
/// where all coflows arrive at the same time.
struct OfferedLoad
{
    double seconds{0}; ///< time from the first arrival to the last
    double mean{0};    ///< bytes between hosts / (rates of uplinks * seconds)
    double busiest{0}; ///< load of the uplink or downlink that needs most time for its bytes
};

/// @param workload the workload, whose local flows use no port
/// @param rates rates of all ports, above 0, of at least the workload's hosts
/// @return the load of all uplinks of the workload's hosts, and of the busiest port
OfferedLoad ComputeOfferedLoad(const Workload& workload, const PortRates& rates);

/// Gamma: the time that a coflow needs in an otherwise empty fabric, which is the time of its
/// bottleneck port (Varys, section 5.3.1).
/// @param coflow the coflow; rates must have the ports of its hosts
/// @param rates rates of all ports, bytes per second
/// @return seconds; 0 where no port is loaded, infinity where a loaded port has rate 0
double GammaSeconds(const Coflow& coflow, const PortRates& rates);

/// The q-quantile by linear interpolation between the two nearest ranks, as numpy and pandas
/// compute it.
/// @param sorted values in ascending order
/// @param q from 0 to 1
/// @return the quantile, in the unit of the values; 0 where there are no values
double Quantile(const std::vector<double>& sorted, double q);

} // namespace coflow

#endif // COFLOW_STATISTICS_H
