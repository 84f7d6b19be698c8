/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RATE_REQUEST_H
#define COFLOW_RATE_REQUEST_H

#include <algorithm>
#include <bit>
#include <cstdint>

namespace ns3::coflow
{

/// What a flow asks ports for, and what they have left of it; bits per second. It travels in the
/// key of a packet's class, see RateSignal.
///
/// Each rate takes 21 bits: 16 of a number and 5 that say how often it is doubled. So rates from
/// 1 bit per second on are exact to one part in 32,768, rounded down, and none but 0 becomes 0.
struct RateRequest
{
    static constexpr int MANTISSA_BITS = 16; ///< of a rate on the wire
    static constexpr int EXPONENT_BITS = 5;  ///< of a rate on the wire

    /// The largest rate, 141 Tbps.
    static constexpr uint64_t MAX = uint64_t{(1 << MANTISSA_BITS) - 1}
                                    << ((1 << EXPONENT_BITS) - 1);

    uint64_t demand{0};    ///< what the flow could use; 0: it needs no rate any more
    uint64_t actual{MAX};  ///< what it may use from now on
    uint64_t nominal{MAX}; ///< what it is entitled to, though others may still have it

    /// @return all in one number
    uint64_t Pack() const
    {
        return ToField(demand) << (2 * FIELD_BITS) | ToField(actual) << FIELD_BITS |
               ToField(nominal);
    }

    /// @param key what Pack() returned
    static RateRequest Unpack(uint64_t key)
    {
        return {FromField(key >> (2 * FIELD_BITS)), FromField(key >> FIELD_BITS), FromField(key)};
    }

  private:
    static constexpr int FIELD_BITS = MANTISSA_BITS + EXPONENT_BITS;

    static uint64_t ToField(uint64_t rate)
    {
        const uint64_t bounded = std::min(rate, MAX);
        const int doublings =
            std::max(0, static_cast<int>(std::bit_width(bounded)) - MANTISSA_BITS);
        return uint64_t(doublings) << MANTISSA_BITS | bounded >> doublings;
    }

    static uint64_t FromField(uint64_t field)
    {
        const uint64_t mantissa = field & ((1 << MANTISSA_BITS) - 1);
        return mantissa << (field >> MANTISSA_BITS & ((1 << EXPONENT_BITS) - 1));
    }
};

} // namespace ns3::coflow

#endif // COFLOW_RATE_REQUEST_H
