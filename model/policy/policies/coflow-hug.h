/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HUG_H
#define COFLOW_HUG_H

#include "ns3/coflow-policy.h"
#include "ns3/coflow-progress.h"

namespace coflow
{

/// HUG (NSDI 2016): first DRF with progress P, then the remaining capacity by weighted max-min
/// (weight = remaining bytes). No coflow gets more than P of any port: otherwise coflows could gain
/// by false demands. The published second stage works per link. A flow needs a rate at both its
/// ports, so this second stage leaves some capacity unused.
///
/// With `cooperative` demands are true, and there is no limit. The policy decides when coflows
/// arrive and finish, as DRF.
class Hug : public ClairvoyantPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Hug(const Parameters& parameters)
        : m_cooperative(parameters.Flag("cooperative"))
    {
    }

    /// The parameter `cooperative`.
    static std::vector<ParameterSpec> Specs();

    Decision Allocate(const ClairvoyantView& view,
                      const PortRates& capacity,
                      std::span<double> rates) override;

  private:
    bool m_cooperative;             ///< no limit per coflow and port
    PortBudget m_budget;            ///< working memory
    CoflowLoads m_loads;            ///< working memory
    EqualProgress m_progress;       ///< working memory
    MaxMinFiller m_filler;          ///< working memory
    std::vector<HostPort> m_roomOf; ///< working memory: per port, limit of the present coflow
};

} // namespace coflow

#endif // COFLOW_HUG_H
