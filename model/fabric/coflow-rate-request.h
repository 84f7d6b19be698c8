/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RATE_REQUEST_H
#define COFLOW_RATE_REQUEST_H

#include <algorithm>
#include <cstdint>

namespace ns3::coflow
{

/// What a flow asks ports for, and what they have left of it; bits per second. It travels in the
/// key of a packet's class, see RateSignal.
struct RateRequest
{
    static constexpr uint64_t UNIT = 64'000;                ///< what rates are rounded down to
    static constexpr uint64_t MAX = UNIT * ((1 << 21) - 1); ///< the largest rate, 134 Gbps

    uint64_t demand{0};    ///< what the flow could use; 0: it has sent all
    uint64_t actual{MAX};  ///< what it may use from now on
    uint64_t nominal{MAX}; ///< what it is entitled to, though others may still have it

    /// @return all in one number
    uint64_t Pack() const
    {
        return ToUnits(demand) << 42 | ToUnits(actual) << 21 | ToUnits(nominal);
    }

    /// @param key what Pack() returned
    static RateRequest Unpack(uint64_t key)
    {
        constexpr uint64_t MASK = (1 << 21) - 1;
        return {(key >> 42 & MASK) * UNIT, (key >> 21 & MASK) * UNIT, (key & MASK) * UNIT};
    }

  private:
    static uint64_t ToUnits(uint64_t rate)
    {
        return std::min(rate, MAX) / UNIT;
    }
};

} // namespace ns3::coflow

#endif // COFLOW_RATE_REQUEST_H
