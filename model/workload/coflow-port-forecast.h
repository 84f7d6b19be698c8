/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PORT_FORECAST_H
#define COFLOW_PORT_FORECAST_H

#include "ns3/coflow-types.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coflow
{

/// Flows of a coflow to one port, which are of equal size and finish together.
struct ForecastGroup
{
    std::uint32_t coflow; ///< its index in the workload
    HostId port;          ///< receiver
    double from;          ///< when the flows come, in seconds
    double bytes;         ///< bytes of all
    std::size_t flows;    ///< how many, at least one
};

/// Flows of a group that come at a time, or finish: then they are negative.
struct ForecastChange
{
    double time;          ///< in seconds
    double flows;         ///< how many
    std::uint32_t coflow; ///< of the group
};

/// @param coflow a coflow
/// @param index its index in the workload
/// @return the groups of its flows that have bytes and go over the network, which come when the
///         coflow arrives
std::vector<ForecastGroup> MakeForecastGroups(const Coflow& coflow, std::uint32_t index);

/// Foretells when flows are through, in a network that is simpler than any real one: every
/// receiving port is split evenly between the flows to that port, and nothing else limits a flow.
/// @param groups what is to be sent
/// @param rates of all receiving ports, in bytes per second; flows to a port of rate 0 stay for
/// ever
/// @return what comes and finishes, by time and then by coflow
std::vector<ForecastChange> ForecastChanges(std::vector<ForecastGroup> groups,
                                            std::span<const double> rates);

} // namespace coflow

#endif // COFLOW_PORT_FORECAST_H
