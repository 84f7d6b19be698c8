/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_HYBRID_SETTINGS_H
#define COFLOW_HYBRID_SETTINGS_H

#include "ns3/coflow-allocators.h"
#include "ns3/coflow-dclas-policy.h"
#include "ns3/coflow-host-network.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace ns3::coflow
{

/// What the parts of a HybridScheduler have in common; see its attributes.
struct HybridSettings
{
    /// How a host sees to it that flows are sent as decided.
    enum class Enforcement
    {
        NIC,    ///< a NicScheduler decides for every segment
        GATING, ///< flows are paused and resumed
        DSCP,   ///< packets have a class, and ports serve classes strictly
        PRESET  ///< what the attribute Preset says; of attributes only
    };

    /// Makes the policy, whose coordinator knows at once what hosts report.
    std::function<std::unique_ptr<::coflow::DclasPolicy>()> makePolicy{};
    Ptr<const HostNetwork> network{};          ///< the hosts and their addresses
    ::coflow::PortRates rates{};               ///< of the hosts' ports
    Time delta{};                              ///< period of reports and decisions
    Time matchGap{};                           ///< least time between two on receivers
    uint32_t silentPeriods{10};                ///< periods after which a coordinator is silent
    Enforcement enforcement{Enforcement::NIC}; ///< on the hosts
    bool localEstimate{true};                  ///< daemons demote coflows between decisions
    bool dagLevelSize{true};                   ///< queues by what a whole DAG has sent
    uint64_t minNotify{0};                     ///< bytes between reports of a host of a coflow
};

} // namespace ns3::coflow

#endif // COFLOW_HYBRID_SETTINGS_H
