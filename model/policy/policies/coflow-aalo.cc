/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-aalo.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<Aalo>(
    "aalo",
    "least attained service in queues, FIFO within a queue; does not know sizes",
    DclasPolicy::Specs(10, 1));

} // namespace

} // namespace coflow
