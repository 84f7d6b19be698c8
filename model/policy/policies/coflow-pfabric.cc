/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-pfabric.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION =
    RegisterPolicy<Pfabric>("pfabric",
                            "per-flow prioritisation: shortest remaining flow first",
                            Pfabric::Specs());

} // namespace

std::vector<ParameterSpec>
Pfabric::Specs()
{
    return {ParameterSpec::Flag("receiverOrder",
                                false,
                                "artefact of CoflowSim, for comparison: receivers choose one after "
                                "another, by the size as registered",
                                "CoflowSim has true")};
}

Pfabric::Pfabric(const Parameters& parameters)
    : FlowOrderPolicy(parameters.Flag("receiverOrder")
                          ? PriorityForm{PriorityForm::Major::RECEIVER, true}
                          : PriorityForm{})
{
}

} // namespace coflow
