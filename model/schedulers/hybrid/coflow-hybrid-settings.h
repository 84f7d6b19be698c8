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

/// The settings of all parts of a HybridScheduler; see its attributes.
struct HybridSettings
{
    /// The way in which a host enforces decisions.
    enum class Enforcement
    {
        NIC,    ///< a NicScheduler chooses the flow of every segment
        GATING, ///< the daemon pauses and resumes flows
        DSCP,   ///< packets have a class, and ports serve classes by strict priority
        PRESET  ///< the attribute Preset decides; a value of the attribute Enforcement only
    };

    /// Function that creates the policy; the coordinator and every daemon have one each.
    std::function<std::unique_ptr<::coflow::DclasPolicy>()> makePolicy{};
    Ptr<const HostNetwork> network{}; ///< the hosts and their addresses
    ::coflow::PortRates rates{};      ///< rates of the hosts' ports
    Time delta{};                     ///< period of reports and decisions
    Time matchGap{};                  ///< least time between two decisions, and between two reports
    uint32_t silentPeriods{10};       ///< periods without a message after which a daemon fails open
    Enforcement enforcement{Enforcement::NIC}; ///< way in which hosts enforce decisions
    bool localEstimate{true};                  ///< daemons demote coflows between decisions
    bool dagLevelSize{true};                   ///< the queue follows from the bytes of a whole DAG
    uint64_t minNotify{0}; ///< bytes of a coflow that a host sends between two reports
};

} // namespace ns3::coflow

#endif // COFLOW_HYBRID_SETTINGS_H
