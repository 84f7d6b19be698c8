/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_RULES_H
#define COFLOW_DCAS_RULES_H

#include "ns3/coflow-key-bands.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3::coflow
{

/// What D-CAS computes, to be replaced in experiments (Luo et al.: functions Psi and Phi, and the
/// desired time).
struct DcasRules
{
    /// Condenses what is known into one time.
    /// @param own what the subcoflow that it is for wants
    /// @param all what all want, or all answers; not empty
    using Aggregate = std::function<Time(Time own, const std::vector<Time>& all)>;

    /// @param remaining bytes left of a subcoflow, > 0
    /// @param rate of its host's port
    /// @return the time that it wants, > 0
    using Desired = std::function<Time(uint64_t remaining, DataRate rate)>;

    Aggregate psi{Largest}; ///< a receiver's answer, from what it was announced
    Aggregate phi{Largest}; ///< a sender's priority, from the answers
    Desired desired{TransmissionTime};

    /// D-CAS itself.
    static Time Largest(Time own, const std::vector<Time>& all);
    /// Nobody listens to others: with that, subcoflows go by their own remaining time.
    static Time Own(Time own, const std::vector<Time>& all);
    /// D-CAS itself.
    static Time TransmissionTime(uint64_t remaining, DataRate rate);
    /// All want the same: with that, and threshold 0, all share as TCP does.
    static Time Constant(uint64_t remaining, DataRate rate);
};

/// Keys of D-CAS: pairs, compared lexicographically.
namespace DcasKey
{

/// <0, arrival>: little is left.
/// @param arrivalNumber of the coflow, from 1 on and below 2^62
constexpr uint64_t
Small(uint64_t arrivalNumber)
{
    return arrivalNumber;
}

/// <1, 0>: had no service for long.
constexpr uint64_t
Starved()
{
    return uint64_t{1} << 62;
}

/// <1, value>: what was agreed.
inline uint64_t
Agreed(Time value)
{
    return Starved() | static_cast<uint64_t>(value.GetNanoSeconds());
}

/// Classes of service for keys: the small, the starved, and then by the logarithm of the time.
/// @param bands number of bands, 1 to PacketPriority::BANDS
/// @param unit time that the transmission of the small threshold takes: agreed times below ten
///        times that are in the third band
KeyBands MakeBands(uint32_t bands, Time unit);

} // namespace DcasKey

} // namespace ns3::coflow

#endif // COFLOW_DCAS_RULES_H
