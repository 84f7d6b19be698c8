/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_PROTOCOL_H
#define COFLOW_DCAS_PROTOCOL_H

#include "ns3/coflow-types.h"

namespace coflow
{

/// What the parties of D-CAS do by the clock (Luo et al., Pseudocodes 1 and 2). The fluid policy
/// and the agents at packet level both ask here.
namespace DcasProtocol
{

/// What a sender does with a subcoflow in a round (Pseudocode 1, lines 6 to 11).
enum class Turn
{
    SMALL,    ///< little is left: priority <0, arrival>, no announcement
    STARVED,  ///< no service for longer than T: priority <1, 0>, no announcement
    ANNOUNCES ///< it announces the time that it wants, and goes by the answers
};

/// @param remaining bytes left of the subcoflow
/// @param threshold bytes below which it is small
/// @param waited time since it last had service
/// @param patience T
constexpr Turn
TurnOf(double remaining, double threshold, Nanoseconds waited, Nanoseconds patience)
{
    if (remaining < threshold)
    {
        return Turn::SMALL;
    }
    return waited > patience ? Turn::STARVED : Turn::ANNOUNCES;
}

/// Whether a receiver still counts an announcement (Pseudocode 2, line 4).
/// @param announced when it arrived
/// @param now the time
/// @param expiry how long announcements count
constexpr bool
IsRemembered(Nanoseconds announced, Nanoseconds now, Nanoseconds expiry)
{
    return now - announced <= expiry;
}

} // namespace DcasProtocol

} // namespace coflow

#endif // COFLOW_DCAS_PROTOCOL_H
