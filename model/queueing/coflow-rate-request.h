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

/// A flow's request for a rate, and the rates that ports grant, in bits per second. The request
/// travels in the key of a packet's class, see RateSignal.
///
/// Each rate takes 21 bits: a mantissa of 16 bits and an exponent of 5 bits. So rates from 1 bit
/// per second on are rounded down by at most one part in 32,768, and only 0 becomes 0.
struct RateRequest
{
    static constexpr int MANTISSA_BITS = 16; ///< bits of the mantissa of a rate on the wire
    static constexpr int EXPONENT_BITS = 5;  ///< bits of the exponent of a rate on the wire

    /// The largest rate, 141 Tbps.
    static constexpr uint64_t MAX = uint64_t{(1 << MANTISSA_BITS) - 1}
                                    << ((1 << EXPONENT_BITS) - 1);

    uint64_t demand{0};    ///< rate that the flow could use; 0: the flow needs no rate any more
    uint64_t actual{MAX};  ///< rate that the flow may use from now on
    uint64_t nominal{MAX}; ///< rate to which the flow is entitled; other flows may still use it

    /// @return all three rates in one number
    uint64_t Pack() const
    {
        return ToField(demand) << (2 * FIELD_BITS) | ToField(actual) << FIELD_BITS |
               ToField(nominal);
    }

    /// @param key return value of Pack()
    /// @return the request
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
