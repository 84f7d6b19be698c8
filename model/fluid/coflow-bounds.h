/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_BOUNDS_H
#define COFLOW_BOUNDS_H

#include "ns3/coflow-path-map.h"
#include "ns3/coflow-types.h"

namespace coflow
{

/// Lower bounds that hold for all schedules.
struct CctBound
{
    double mean{0}; ///< mean completion time, in seconds
    int rounds{0};  ///< rounds of improvement that the search took
};

/// Computes a lower bound on the mean of coflow completion times (counted from the arrivals). The
/// bound holds for every scheduler, even for a clairvoyant and preemptive scheduler with fluid
/// rates.
///
/// **Proof sketch.** Consider one port p. Coflow k is a job of length p_k (its bytes at p over the
/// port's rate), released at its arrival a_k. The processing of the jobs at p is a preemptive
/// schedule of one machine, for any schedule of the other ports. A coflow completes no earlier than
/// its job. Three facts hold for C_k, the time at which k completes:
///
/// 1. C_k >= a_k + Gamma_k, where Gamma_k is the time that k needs on an empty fabric.
/// 2. Without weights, the sum of C_k over the jobs of p is at least that of the schedule by
///    shortest remaining processing time, which is optimal on one machine.
/// 3. With weights u_k >= 0: C_k >= M_k + p_k / 2, where M_k, the mean busy time, is the
///    average time at which the job is processed; and the sum of u_k M_k is smallest when the
///    machine always works on the available job with the largest u_k / p_k (an exchange
///    argument: swapping two infinitesimal pieces helps unless the denser comes first).
///    So B_p(u) = sum of u_k (M_k + p_k / 2) of that schedule bounds the sum of u_k C_k.
///
/// Facts 1 and 2 give a bound per port p: fact 2 bounds the jobs of p, and fact 1 bounds all other
/// coflows. Facts 1 and 3 combine all ports. Split the weight 1 of every coflow into parts
/// u_k(p) >= 0 of the ports and a rest z_k >= 0, 1 = z_k + sum over p of u_k(p). Then
///
///     sum of C_k  >=  sum over p of B_p(u(p))  +  sum of z_k (a_k + Gamma_k).
///
/// *Any* split gives a valid bound. So the method that finds the split needs no proof. The search
/// begins with the dual solution of the primal-dual ordering (Mastrolilli et al. 2010, Sincronia's
/// BSSI): a step with bottleneck b, remaining set U and price y adds y L_k(b) to the part u_k(b) of
/// every k in U. The dual's value is y (L(U)^2 + sum of L_k^2) / 2 per step. The parallel
/// inequality behind this value holds for the mean busy times of any machine. So B_b(u(b)) is at
/// least the dual's value, even with all arrivals at 0. Then multiplicative weights improve the
/// split in rounds: B_p is concave, and its supergradient is M_k + p_k / 2. The directions are
/// averaged, and the step grows after better rounds. The search returns the best value of all
/// rounds.
///
/// **Links inside the fabric.** The hosts behind the same switches (FabricCut) count as one more
/// port in each direction. Their bytes to other hosts pass the links out of the cut on any path. So
/// all statements on a port also hold for the sum of these links. In addition, Gamma_k is at least
/// the time of every flow of k on the fastest path between its hosts, because a flow has one path
/// at a time.
///
/// **Rounding.** The bound holds for recorded completion times, and not only for exact ones.
/// Records are whole nanoseconds, rounded up except for a slack (LeastPortNs()). p_k is reduced by
/// this slack, so that a recorded run is an exact schedule of these jobs. Times on a machine are
/// integers that count from the releases, so there is no cancellation at any scale. Doubles are
/// used only for sums of positive numbers. The result is reduced by a relative error of 1e-9, and
/// by 4 machine epsilons per term, which covers the rounding of doubles. A split whose parts add up
/// to 1 + e, or an order by densities with a relative error e, changes the result by at most
/// a factor 1 + e, since B_p is monotone and homogeneous.
///
/// @param workload the coflows. Local flows take no time. The function ignores parents, and the
///        bound is still valid
/// @param capacity rates of the ports
/// @param rounds largest number of rounds of improvement. A round costs O(sum over coflows of ports
///        used x log coflows). With more than 75,000 pairs of a coflow and a port that the coflow
///        uses, the search has fewer rounds, so that it takes at most 0.3 s
/// @param paths links inside the fabric that also limit rates; null: only ports limit rates
/// @return the bound
CctBound LowerBound(const Workload& workload,
                    const PortRates& capacity,
                    int rounds = 80,
                    const PathMap* paths = nullptr);

} // namespace coflow

#endif // COFLOW_BOUNDS_H
