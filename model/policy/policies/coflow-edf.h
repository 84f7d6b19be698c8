/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_EDF_H
#define COFLOW_EDF_H

#include "ns3/coflow-flow-order-policy.h"

namespace coflow
{

/// Earliest deadline first among flows, ties by remaining bytes; flows of coflows without a
/// deadline come last. This is the order of pFabric with deadlines as priorities.
class Edf : public FlowOrderPolicy
{
  public:
    /// @param parameters none
    explicit Edf(const Parameters& /*parameters*/)
        : FlowOrderPolicy({PriorityForm::Major::DEADLINE, false})
    {
    }
};

} // namespace coflow

#endif // COFLOW_EDF_H
