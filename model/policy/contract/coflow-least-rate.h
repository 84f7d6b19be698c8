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

/// Makes rates fit for TCP: a segment every tenth of a second and more only makes timeouts.
///
/// The least rate of a flow is `least`, or what each flow would have if all flows with a rate at
/// one of its ports had the same, where that is less. So the flows of a port can always have their
/// least rates at once. A flow with a smaller rate is raised.
///
/// A policy without an order shares. There, what raising takes of a port comes first from what
/// was not given to any flow, and then from all flows of the port that have more than their least
/// rate, the same part of what each has more. No flow is left without a rate.
///
/// By an order, what raising takes of a flow's two ports comes first from what was not given to any
/// flow, then from flows that are behind it in the order, the last of them first: small rates go
/// down to 0, others to their least rate. Where that is not enough at one of the ports, the flow
/// gets 0 and waits for its turn, and what it had goes to the first flows in the order that have a
/// rate. Where no flow of a port would have a rate that way, the first of them gets its least rate
/// after all.
/// @param view the flows
/// @param capacity rates of the ports
/// @param least the smallest rate worth having, in bytes per second; 0: no effect
/// @param order rows, most urgent first; empty: there is none
/// @param rates per flow of the view; changed
void RaiseToLeastRate(const StructureView& view,
                      const PortRates& capacity,
                      double least,
                      std::span<const std::uint32_t> order,
                      std::span<double> rates);

} // namespace coflow

#endif // COFLOW_LEAST_RATE_H
