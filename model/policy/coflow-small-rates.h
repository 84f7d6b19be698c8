/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_SMALL_RATES_H
#define COFLOW_SMALL_RATES_H

#include "ns3/coflow-view.h"

#include <span>

namespace coflow
{

/// Makes rates fit for TCP: a segment every tenth of a second and more only makes timeouts.
/// Smaller rates become 0, and what they had at each port is handed out once more, greedily by
/// (ready time, coflow id, flow id), to flows that then have a rate worth having. What the policy
/// left unused stays unused.
/// @param view the flows
/// @param capacity rates of the ports
/// @param least the smallest rate worth having, in bytes per second; 0: no effect
/// @param rates per flow of the view; changed
void MergeSmallRates(const StructureView& view,
                     const PortRates& capacity,
                     double least,
                     std::span<double> rates);

} // namespace coflow

#endif // COFLOW_SMALL_RATES_H
