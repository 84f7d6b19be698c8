/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DCAS_PROTOCOL_H
#define COFLOW_DCAS_PROTOCOL_H

#include "ns3/coflow-parameter.h"
#include "ns3/coflow-types.h"

#include <algorithm>
#include <compare>
#include <cstdint>

namespace coflow
{

/// Priority of a subcoflow of D-CAS: a pair, compared lexicographically. The smaller pair is served
/// first. Equal pairs share.
class DcasKey
{
  public:
    /// <0, arrival>: few bytes are left.
    /// @param arrival number of the coflow in the order of arrival, below 2^53
    static constexpr DcasKey Small(std::uint64_t arrival)
    {
        return DcasKey(0, static_cast<double>(arrival));
    }

    /// <1, 0>: the subcoflow had no service for a long time.
    static constexpr DcasKey Starved()
    {
        return DcasKey(1, 0);
    }

    /// <1, time>: senders and receivers have agreed on this time.
    /// @param time nanoseconds, > 0
    static constexpr DcasKey Agreed(double time)
    {
        return DcasKey(1, time);
    }

    auto operator<=>(const DcasKey&) const = default;

    /// The key as one number, for packets. The numbers have the order of the keys if times are
    /// whole nanoseconds.
    constexpr std::uint64_t Pack() const
    {
        return std::uint64_t{m_class} << 62 | static_cast<std::uint64_t>(m_value);
    }

  private:
    constexpr DcasKey(std::uint8_t first, double second)
        : m_class(first),
          m_value(second)
    {
    }

    std::uint8_t m_class; ///< 0 or 1
    double m_value;       ///< arrival number, or nanoseconds
};

/// The computations and the rounds of senders and receivers in D-CAS (Luo et al., Pseudocodes 1 and
/// 2). The fluid policy and the agents at packet level both use them.
namespace DcasProtocol
{

/// The parameter `delta`.
ParameterSpec Delta();

/// The parameter `T`.
ParameterSpec Patience();

/// The parameter `expiry`.
ParameterSpec Expiry();

/// The parameter `threshold`.
ParameterSpec Threshold();

/// The action of a sender for a subcoflow in a round (Pseudocode 1, lines 6 to 11).
enum class Turn
{
    SMALL,    ///< few bytes are left: priority <0, arrival>, no announcement
    STARVED,  ///< no service for longer than T: priority <1, 0>, no announcement
    ANNOUNCES ///< announces the wanted time, and uses the receivers' feedback
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

/// The time that a subcoflow announces.
/// @param remaining bytes left of the subcoflow
/// @param rate rate of its sender's port, in bytes per second
/// @return nanoseconds
constexpr double
WantedTime(double remaining, double rate)
{
    return remaining * 1e9 / rate;
}

/// The priority of a subcoflow.
/// @param turn action of its sender
/// @param arrival number of its coflow in the order of arrival
/// @param time agreed time, in nanoseconds; without an answer, the wanted time
constexpr DcasKey
KeyOf(Turn turn, std::uint64_t arrival, double time)
{
    switch (turn)
    {
    case Turn::SMALL:
        return DcasKey::Small(arrival);
    case Turn::STARVED:
        return DcasKey::Starved();
    default:
        return DcasKey::Agreed(time);
    }
}

/// The priority of a subcoflow before its first round. There is no answer yet, and the subcoflow
/// does not starve.
/// @param remaining bytes left of the subcoflow
/// @param threshold bytes below which it is small
/// @param arrival number of its coflow in the order of arrival
/// @param wanted time that it announces, in nanoseconds
constexpr DcasKey
FirstKey(double remaining, double threshold, std::uint64_t arrival, double wanted)
{
    return KeyOf(TurnOf(remaining, threshold, 0, 0), arrival, wanted);
}

/// Whether a receiver still uses an announcement (Pseudocode 2, line 4).
/// @param announced time of its arrival
/// @param now the time
/// @param expiry lifetime of announcements
constexpr bool
IsRemembered(Nanoseconds announced, Nanoseconds now, Nanoseconds expiry)
{
    return now - announced <= expiry;
}

/// The feedback of a receiver, Psi.
/// @param announced times that the senders of a coflow have announced; not empty
template <class Times>
constexpr auto
Psi(const Times& announced)
{
    return *std::ranges::max_element(announced);
}

/// The time that a sender computes from the feedback of its receivers, Phi.
/// @param answers feedback of the receivers; not empty
template <class Times>
constexpr auto
Phi(const Times& answers)
{
    return *std::ranges::max_element(answers);
}

} // namespace DcasProtocol

} // namespace coflow

#endif // COFLOW_DCAS_PROTOCOL_H
