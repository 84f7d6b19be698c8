/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_FLOW_KEY_H
#define COFLOW_FLOW_KEY_H

#include "ns3/coflow-types.h"

#include <compare>

namespace ns3::coflow
{

/// Names a flow among all coflows; ordered by coflow id, then flow id.
struct FlowKey
{
    ::coflow::CoflowId coflowId{0}; ///< the coflow
    ::coflow::FlowId flowId{0};     ///< the flow in its coflow

    auto operator<=>(const FlowKey&) const = default;
};

} // namespace ns3::coflow

#endif // COFLOW_FLOW_KEY_H
