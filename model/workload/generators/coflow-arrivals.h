/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_ARRIVALS_H
#define COFLOW_ARRIVALS_H

#include "ns3/coflow-parameter.h"
#include "ns3/coflow-random.h"
#include "ns3/coflow-types.h"

#include <vector>

namespace coflow
{

/// The parameters that SetPoissonArrivals reads.
/// @param load default of `load`
std::vector<ParameterSpec> PoissonParameters(double load);

/// Sets the arrivals of the coflows of a workload to a Poisson process. The coflows must have their
/// flows. The rate of the process is `arrivalRate`. Where `arrivalRate` is 0, the rate is load *
/// hosts * linkRate / (mean bytes of a coflow that cross the fabric), with which the hosts' uplinks
/// have the load `load` (D-CAS, section IV-A).
void SetPoissonArrivals(Workload& workload, const Parameters& parameters, Random& random);

/// Converts seconds into nanoseconds, at most MAX_TIME.
Nanoseconds ToNanoseconds(double seconds);

} // namespace coflow

#endif // COFLOW_ARRIVALS_H
