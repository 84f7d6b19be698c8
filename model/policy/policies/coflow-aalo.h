/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_AALO_H
#define COFLOW_AALO_H

#include "ns3/coflow-dclas-policy.h"

namespace coflow
{

/// Aalo (SIGCOMM 2015): D-CLAS with first in, first out inside the queues. With `sharing` = strict,
/// this is the Aalo of CoflowSim and of Graviton's baseline.
class Aalo : public DclasPolicy
{
  public:
    /// @param parameters values of Specs(10, 1)
    explicit Aalo(const Parameters& parameters)
        : DclasPolicy(parameters)
    {
    }
};

} // namespace coflow

#endif // COFLOW_AALO_H
