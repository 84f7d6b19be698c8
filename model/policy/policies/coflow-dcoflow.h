/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCOFLOW_H
#define COFLOW_DCOFLOW_H

#include "ns3/coflow-admitting-policy.h"

#include <span>
#include <vector>

namespace coflow
{

/// DCoflow (Luu et al., IFIP Networking 2022): admission and order together, so that as many
/// coflows as possible are in time. See DCoflowChoice() for the rule. AdmittingPolicy applies the
/// rule. Weights are ignored.
class DCoflow : public AdmittingPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit DCoflow(const Parameters& parameters);

    /// Parameters of the family, and `measure`.
    static std::vector<ParameterSpec> Specs();

  protected:
    DeadlineChoice Choose(std::span<const DeadlineJob> jobs, std::size_t ports) const override;

    DeadlineRejection m_rejection; ///< rule for the choice of the coflow to reject
};

/// WDCoflow (Luu et al., 2023): DCoflow for the largest sum of weights in time.
class WDCoflow : public DCoflow
{
  public:
    /// @param parameters values of Specs()
    explicit WDCoflow(const Parameters& parameters);

    /// Parameters of DCoflow, and `candidates`.
    static std::vector<ParameterSpec> Specs();

  protected:
    DeadlineChoice Choose(std::span<const DeadlineJob> jobs, std::size_t ports) const override;
};

} // namespace coflow

#endif // COFLOW_DCOFLOW_H
