/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-edf.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<Edf>("edf", "per-flow earliest deadline first", {});

} // namespace

} // namespace coflow
