/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RATE_LIMIT_H
#define COFLOW_RATE_LIMIT_H

#include "ns3/abort.h"
#include "ns3/data-rate.h"

#include <algorithm>
#include <cstdint>
#include <ostream>

namespace ns3::coflow
{

/// The limit on the speed at which a source writes one flow to TCP: no limit, a rate, or paused. A
/// rate counts application bytes, without headers and retransmissions.
class RateLimit
{
  public:
    /// Kinds of rate limit.
    enum class Kind
    {
        UNLIMITED, ///< limited by TCP alone
        RATE,      ///< limited by a token bucket
        PAUSED     ///< nothing is written; bytes that TCP already has are still sent
    };

    /// @return a limit of the kind UNLIMITED: only TCP limits the flow
    static RateLimit Unlimited()
    {
        return {Kind::UNLIMITED, DataRate()};
    }

    /// @return a limit of the kind PAUSED: nothing is written until another limit is set. The
    ///         connection stays open
    static RateLimit Paused()
    {
        return {Kind::PAUSED, DataRate()};
    }

    /// Makes a limit of the kind RATE, by a token bucket. The bucket is empty when the rate is
    /// first set.
    /// @param rate application bits per second; zero is the same as Paused()
    /// @return the rate limit
    static RateLimit Rate(DataRate rate)
    {
        return rate.GetBitRate() == 0 ? Paused() : RateLimit(Kind::RATE, rate);
    }

    /// @return the kind of rate limit
    Kind GetKind() const
    {
        return m_kind;
    }

    /// @return the rate in application bits per second; only for the kind RATE
    DataRate GetRate() const
    {
        NS_ABORT_MSG_IF(m_kind != Kind::RATE, "Only a rate limit of kind RATE has a rate");
        return m_rate;
    }

    /// @param other another rate limit
    /// @return whether a flow may be written faster with this limit than with the other limit
    bool IsMoreThan(const RateLimit& other) const
    {
        if (m_kind == other.m_kind)
        {
            return m_kind == Kind::RATE && m_rate > other.m_rate;
        }
        return m_kind == Kind::UNLIMITED || other.m_kind == Kind::PAUSED;
    }

    /// @param segmentBytes TCP's segment size
    /// @return depth of the token bucket in bytes, which a delayed flow may catch up: 2 ms at the
    ///         rate, at least two segments; only for the kind RATE
    uint64_t GetBurstBytes(uint32_t segmentBytes) const
    {
        constexpr uint64_t DEPTHS_PER_SECOND = 500; // 2 ms
        return std::max<uint64_t>(GetRate().GetBitRate() / 8 / DEPTHS_PER_SECOND, 2 * segmentBytes);
    }

  private:
    RateLimit(Kind kind, DataRate rate)
        : m_kind(kind),
          m_rate(rate)
    {
    }

    Kind m_kind;     ///< what limits the flow
    DataRate m_rate; ///< of the kind RATE: application bits per second
};

/// Writes a rate limit in words, for logs.
inline std::ostream&
operator<<(std::ostream& os, const RateLimit& rateLimit)
{
    switch (rateLimit.GetKind())
    {
    case RateLimit::Kind::PAUSED:
        return os << "paused";
    case RateLimit::Kind::RATE:
        return os << rateLimit.GetRate();
    default:
        return os << "unlimited";
    }
}

} // namespace ns3::coflow

#endif // COFLOW_RATE_LIMIT_H
