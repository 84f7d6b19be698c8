/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_PFABRIC_H
#define COFLOW_PFABRIC_H

#include "ns3/coflow-flow-order-policy.h"

namespace coflow
{

/// Per-flow priority, the ideal of pFabric (SIGCOMM 2013): the flow with the fewest bytes left is
/// served first.
///
/// `receiverOrder` is an artefact of CoflowSim's PFP: every receiver, in the order of host numbers,
/// takes its smallest flow (size at registration) whose sender is free.
class Pfabric : public FlowOrderPolicy
{
  public:
    /// @param parameters values of Specs()
    explicit Pfabric(const Parameters& parameters);

    /// The parameter `receiverOrder`.
    static std::vector<ParameterSpec> Specs();
};

} // namespace coflow

#endif // COFLOW_PFABRIC_H
