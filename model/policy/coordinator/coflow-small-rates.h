/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SMALL_RATES_H
#define COFLOW_SMALL_RATES_H

#include "ns3/coflow-view.h"

#include <cstdint>
#include <span>

namespace coflow
{

/// Makes rates fit for TCP: a segment every tenth of a second and more only makes timeouts.
///
/// A flow with a smaller rate is raised to the least one. A policy without an order shares: there,
/// what raising takes of a port comes first from what nobody was given, and then from all flows of
/// the port that have more than the least rate, the same part of what each has more. Where that is
/// not enough, and under policies with an order, it goes by the order.
///
/// By the order, what raising takes of a flow's two ports comes first from what nobody was given,
/// then from flows that are behind it in the order, the last of them first: small rates go down to
/// 0, others to the least rate. Where that is not enough at one of the ports, the flow gets 0 and
/// waits for its turn, and what it had goes to the first flows in the order that have a rate.
/// Whatever the rates are, somebody gets on: a rate that is not small never falls below the least
/// one, and if all are small, the first flow can have what the others have.
///
/// At a port that is slower than the least rate, the port's rate is the least one.
/// @param view the flows
/// @param capacity rates of the ports
/// @param least the smallest rate worth having, in bytes per second; 0: no effect
/// @param order rows, most urgent first; empty: there is none, and where one is needed, that of the
///        view, by (ready time, coflow id)
/// @param rates per flow of the view; changed
void MergeSmallRates(const StructureView& view,
                     const PortRates& capacity,
                     double least,
                     std::span<const std::uint32_t> order,
                     std::span<double> rates);

} // namespace coflow

#endif // COFLOW_SMALL_RATES_H
