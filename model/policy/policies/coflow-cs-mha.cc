/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-cs-mha.h"

#include "ns3/coflow-policy-registry.h"

namespace coflow
{

namespace
{

const auto REGISTRATION = RegisterPolicy<CsMha>(
    "cs-mha",
    "deadlines: Moore and Hodgson's rule at every port, to meet most deadlines",
    CsMha::Specs());

} // namespace

} // namespace coflow
