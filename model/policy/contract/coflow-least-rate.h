/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAST_RATE_H
#define COFLOW_LEAST_RATE_H

#include "ns3/coflow-view.h"

#include <cstdint>
#include <span>

namespace coflow
{

/// Raises small rates to a least rate. A TCP connection that sends less than ten segments per
/// second has timeouts only.
///
/// The least rate of a flow is the smallest of `least` and the equal shares of the flow's two
/// ports. The equal share of a port is its capacity over the number of its flows with a rate. So
/// all flows of a port can have their least rates at the same time. A flow with a smaller rate gets
/// its least rate.
///
/// A policy without an order shares ports among flows. For such a policy, the added rates of a port
/// are first taken from its unused capacity. They are then taken from all flows of the port with
/// more than their least rate, in proportion to the excess of each flow. Each flow keeps a rate.
///
/// With an order, the added rate of a flow is first taken from the unused capacity of its two
/// ports. The rest is then taken from flows with a later position in the order, beginning with the
/// last flow. Small rates of these flows become 0, and other rates fall to the least rate. If these
/// rates are not enough at one of the ports, the flow gets the rate 0 and waits. The former rate of
/// the waiting flow is given to the first flows in the order that have a rate. If no flow of a port
/// would have a rate, the first flow gets its least rate.
/// @param view the flows
/// @param capacity rates of the ports
/// @param least the least rate, in bytes per second; 0: no effect
/// @param order rows, most urgent first; empty: no order
/// @param rates rates per flow of the view, in bytes per second; changed
void RaiseToLeastRate(const StructureView& view,
                      const PortRates& capacity,
                      double least,
                      std::span<const std::uint32_t> order,
                      std::span<double> rates);

} // namespace coflow

#endif // COFLOW_LEAST_RATE_H
