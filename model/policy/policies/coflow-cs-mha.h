/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_CS_MHA_H
#define COFLOW_CS_MHA_H

#include "ns3/coflow-admitting-policy.h"

#include <span>

namespace coflow
{

/// CS-MHA (Luo et al., ICC 2016): the rule of Moore and Hodgson at each port separately. See
/// CsMhaChoice() for the rule. AdmittingPolicy applies the rule.
class CsMha : public AdmittingPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit CsMha(const Parameters& parameters)
        : AdmittingPolicy(parameters)
    {
    }

  protected:
    DeadlineChoice Choose(std::span<const DeadlineJob> jobs, std::size_t ports) const override
    {
        return CsMhaChoice(jobs, ports);
    }
};

} // namespace coflow

#endif // COFLOW_CS_MHA_H
