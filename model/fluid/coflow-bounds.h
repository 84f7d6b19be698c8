/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BOUNDS_H
#define COFLOW_BOUNDS_H

#include "ns3/coflow-path-map.h"
#include "ns3/coflow-types.h"

#include <span>

namespace coflow
{

/// A number that no schedule goes below.
struct CctBound
{
    double weightedSum{0}; ///< of the sum of weight x completion time, in seconds
    double mean{0};        ///< of the weighted mean completion time, in seconds
};

/// A lower bound on the weighted sum of coflow completion times (counted from the arrivals)
/// under any scheduler, preemptive, clairvoyant and with fluid rates.
///
/// **Proof sketch.** Look at one port p alone, where coflow k is a job of length p_k (its bytes
/// there over the port's rate) released at its arrival a_k. Whatever the scheduler does
/// elsewhere, the job's processing at p is a preemptive schedule of one machine, and the coflow
/// completes no earlier than its job. Three facts about C_k, the time at which k completes:
///
/// 1. C_k >= a_k + Gamma_k, Gamma_k being the time on an empty fabric.
/// 2. Without weights, the sum of C_k over the jobs of p is at least that of the schedule by
///    shortest remaining processing time, which is optimal on one machine.
/// 3. With weights u_k >= 0: C_k >= M_k + p_k / 2, where M_k, the mean busy time, is the
///    average time at which the job is processed; and the sum of u_k M_k is smallest when the
///    machine always works on the available job with the largest u_k / p_k (an exchange
///    argument: swapping two infinitesimal pieces helps unless the denser comes first).
///    So B_p(u) = sum of u_k (M_k + p_k / 2) of that schedule bounds the sum of u_k C_k.
///
/// Facts 1 and 2 give a bound per port: the jobs of p by 2, all other coflows by 1. Facts 1
/// and 3 combine all ports: split every weight w_k into parts u_k(p) >= 0 of the ports and a
/// rest z_k >= 0, w_k = z_k + sum over p of u_k(p). Then
///
///     sum of w_k C_k  >=  sum over p of B_p(u(p))  +  sum of z_k (a_k + Gamma_k).
///
/// *Any* split gives a valid bound, so nothing has to be proved of how it is found. Here it
/// starts from the dual solution of the primal-dual ordering (Mastrolilli et al. 2010,
/// Sincronia's BSSI): a step with bottleneck b, remaining set U and price y pays
/// y L_k(b) to the part u_k(b) of every k in U. The dual's value is
/// y (L(U)^2 + sum of L_k^2) / 2 per step, and the parallel inequality behind it holds for the
/// mean busy times of any machine, so that B_b(u(b)) is at least the dual's value even with all
/// arrivals at 0. From there the split is improved by multiplicative weights (B_p is concave,
/// its supergradient is M_k + p_k / 2), and the best value seen is returned.
///
/// **Links inside the fabric.** Hosts behind the same switches (FabricCut) are one more port in
/// each direction: what they send to others has to pass the links that lead out, whichever paths
/// are chosen, and all of what is said above of a port holds for these links together. And Gamma_k
/// is at least the time of every flow of k on the fastest path between its hosts, as a flow has one
/// path at a time.
///
/// **Rounding.** The bound holds for completion times on record, not only for exact ones. Records
/// are whole nanoseconds, rounded up but for a slack (LeastPortNs); p_k is reduced by that slack,
/// so that a run on record is an exact schedule of these jobs. Times on a machine are integers and
/// counted from the releases, so nothing cancels out, at any scale. What is left to doubles are
/// sums of positive numbers, whose relative error 1e-9 of the result pays for. A split whose parts
/// add up to w_k (1 + e), or an order of densities that are off by e, makes the result wrong by a
/// factor 1 + e at most, since B_p is monotone and homogeneous.
///
/// @param workload the coflows; local flows take no time; parents are ignored, which is valid
/// @param capacity rates of the ports
/// @param weights per coflow, > 0; empty: 1
/// @param rounds of improvement; each costs O(sum over coflows of ports used x log coflows)
/// @param paths links inside the fabric that limit, too; null: none does
/// @return the bound
CctBound LowerBound(const Workload& workload,
                    const PortRates& capacity,
                    std::span<const double> weights = {},
                    int rounds = 200,
                    const PathMap* paths = nullptr);

} // namespace coflow

#endif // COFLOW_BOUNDS_H
