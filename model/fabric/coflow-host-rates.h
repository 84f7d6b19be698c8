/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HOST_RATES_H
#define COFLOW_HOST_RATES_H

#include "ns3/coflow-topology.h"
#include "ns3/coflow-types.h"

namespace ns3::coflow
{

/// @param topology a topology after Build()
/// @return rates of the hosts' ports, bytes per second
::coflow::PortRates GetHostRates(const Topology& topology);

} // namespace ns3::coflow

#endif // COFLOW_HOST_RATES_H
