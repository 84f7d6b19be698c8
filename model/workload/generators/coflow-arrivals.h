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

/// Lets the coflows of a workload, which must have their flows, arrive as a Poisson process. Its
/// rate is `arrivalRate`, or, where that is 0, the one at which the hosts' uplinks are offered
/// `load` times what they carry: load * hosts * linkRate / (mean bytes of a coflow that cross the
/// fabric) (D-CAS, section IV-A).
void SetPoissonArrivals(Workload& workload, const Parameters& parameters, Random& random);

/// A time in seconds as nanoseconds, at most MAX_TIME.
Nanoseconds ToNanoseconds(double seconds);

} // namespace coflow

#endif // COFLOW_ARRIVALS_H
