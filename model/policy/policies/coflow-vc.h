/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_VC_H
#define COFLOW_VC_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-policy.h"

#include <cstdint>
#include <map>
#include <vector>

namespace coflow
{

/// Oktopus' virtual cluster (SIGCOMM 2011), as a baseline in Varys, section 7.3. A coflow with a
/// deadline requests one bandwidth B for all its machines, with which its most loaded port finishes
/// `setup` before the deadline. The coflow is admitted if B is unreserved at all its ports. It
/// keeps the reservation until it completes or its deadline passes. Other coflows do not use unused
/// parts of a reservation.
///
/// Coflows without a deadline reserve nothing, and use unreserved capacity in the order in which
/// they became ready. Coflows that have missed their deadline follow. The policy decides when
/// coflows arrive and finish, and at the end of a reservation. A decision costs O(flows).
class VirtualCluster : public ClairvoyantPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit VirtualCluster(const Parameters& parameters)
        : m_bidirectional(parameters.Flag("bidirectional")),
          m_setup(parameters["setup"])
    {
    }

    /// The parameters `bidirectional` and `setup`.
    static std::vector<ParameterSpec> Specs();

    Admission AdmitCoflow(const ClairvoyantView& view,
                          std::size_t row,
                          const PortRates& capacity) override;

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    /// The reservation of a coflow.
    struct Reservation
    {
        double bandwidth{0};         ///< bytes per second, at every port
        std::vector<HostPort> ports; ///< reserved ports
        Nanoseconds until{NEVER};    ///< its deadline
    };

    /// Removes reservations of finished and late coflows, and takes all others from m_budget.
    void Reserve(const ClairvoyantView& view, const PortRates& capacity);

    bool m_bidirectional;                            ///< both ports of every machine
    double m_setup;                                  ///< time kept before a deadline, in seconds
    std::map<std::uint32_t, Reservation> m_reserved; ///< reservations, by coflow index
    PortBudget m_budget;                             ///< working memory
    CoflowLoads m_loads;                             ///< working memory
    MaxMinFiller m_filler;                           ///< working memory
    std::vector<std::uint32_t> m_order;              ///< working memory: rows, most urgent first
};

} // namespace coflow

#endif // COFLOW_VC_H
