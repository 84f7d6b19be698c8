/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAN_SCENARIO_H
#define LEAN_SCENARIO_H

#include "ns3/coflow-types.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// @file
/// Transfers between hosts that are run over ns3's sockets with packets and over lean connections.

namespace ns3::coflow::test
{

/// A transfer: one end writes and closes, the other one reads, may answer, and closes.
struct Transfer
{
    ::coflow::HostId src;
    ::coflow::HostId dst;
    uint64_t bytes;
    uint32_t chunk; ///< most bytes of a write
    Time start;
    Time kickAt; ///< 0: never
};

/// A link between switches is down for a while, or a link of any kind has another rate from then
/// on.
struct LinkChange
{
    Time at;
    Time until; ///< 0: it does not fail
    uint32_t
        link; ///< its number; too large ones begin again at 0, or at the first between switches
    DataRate rate; ///< from then on, unless it fails
};

/// Transfers over a network.
struct Scenario
{
    std::string control;
    std::string queue; ///< of every port
    bool sprays;       ///< a fat-tree whose packets take any path, and overtake each other
    bool manyPaths;    ///< a fat-tree; so it is where packets are sprayed
    std::string linkRate;
    std::string linkDelay;
    bool timestamps;
    bool sack;
    uint32_t delayedAckCount;
    uint32_t answer; ///< bytes that who reads a transfer writes when bytes come for the second time
    std::vector<Transfer> transfers;
    std::vector<LinkChange> changes;
};

/// @param draw says a number from the first to the second one
/// @param lossy whether queues drop
/// @return a scenario
Scenario MakeScenario(const std::function<int64_t(int64_t, int64_t)>& draw, bool lossy);

/// Runs a scenario over both kinds of connections.
/// @return the first segment that differs, with those before; empty: they send the same segments at
///         the same times
std::string FindDifferentSegment(const Scenario& scenario);

} // namespace ns3::coflow::test

#endif // LEAN_SCENARIO_H
