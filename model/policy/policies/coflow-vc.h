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

/// Oktopus' virtual cluster (SIGCOMM 2011) as Varys section 7.3 compares with it: a coflow with a
/// deadline asks for one bandwidth B, the same for all its machines, with which its most loaded
/// port finishes `setup` before the deadline. It is admitted if every port that it uses has B
/// unreserved, and keeps the reservation until it completes or its deadline passes; nothing unused
/// is handed on.
///
/// Coflows without a deadline reserve nothing and share what is not reserved, in the order in
/// which they became ready; then come those that have missed their deadline. Decides with coflows
/// and at the end of a reservation; costs O(flows) per decision.
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
    /// What a coflow holds.
    struct Reservation
    {
        double bandwidth{0};         ///< bytes per second, at every port
        std::vector<HostPort> ports; ///< where
        Nanoseconds until{NEVER};    ///< its deadline
    };

    /// Drops what coflows that are gone or late held, and takes the rest from m_budget.
    void Reserve(const ClairvoyantView& view, const PortRates& capacity);

    bool m_bidirectional;                            ///< both ports of every machine
    double m_setup;                                  ///< time kept before a deadline, in seconds
    std::map<std::uint32_t, Reservation> m_reserved; ///< by coflow index
    PortBudget m_budget;                             ///< working memory
    CoflowLoads m_loads;                             ///< working memory
    MaxMinFiller m_filler;                           ///< working memory
    std::vector<std::uint32_t> m_order;              ///< working memory: rows, most urgent first
};

} // namespace coflow

#endif // COFLOW_VC_H
