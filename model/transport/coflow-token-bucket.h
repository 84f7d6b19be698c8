/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_TOKEN_BUCKET_H
#define COFLOW_TOKEN_BUCKET_H

#include "ns3/nstime.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ns3::coflow
{

/// Tokens are bytes. They trickle in at a rate, up to the bucket's depth.
class TokenBucket
{
  public:
    /// Changes the rate; tokens earned so far stay, up to the new depth.
    /// @param now present time
    /// @param bitsPerSecond 0 stops the trickle
    /// @param depthBytes most tokens that the bucket holds
    void Configure(Time now, uint64_t bitsPerSecond, uint64_t depthBytes)
    {
        Fill(now);
        const Time second = Time::FromInteger(1, Time::S);
        m_bytesPerStep =
            static_cast<double>(bitsPerSecond) / (8 * static_cast<double>(second.GetTimeStep()));
        m_depth = static_cast<double>(depthBytes);
        m_tokens = std::min(m_tokens, m_depth);
    }

    /// Puts tokens into the bucket, up to its depth.
    void Give(uint64_t bytes)
    {
        m_tokens = std::min(m_depth, m_tokens + static_cast<double>(bytes));
    }

    /// @param now present time
    /// @return tokens in the bucket
    uint64_t GetTokens(Time now)
    {
        Fill(now);
        return static_cast<uint64_t>(m_tokens);
    }

    /// @param bytes tokens to take, at most GetTokens()
    void Take(uint64_t bytes)
    {
        m_tokens -= static_cast<double>(bytes);
    }

    /// @param now present time
    /// @param bytes a number of tokens
    /// @return time until so many have trickled in, also beyond the depth; 0: the bucket has them
    Time GetTimeUntil(Time now, uint64_t bytes)
    {
        if (GetTokens(now) >= bytes)
        {
            return Time();
        }
        const double missing = static_cast<double>(bytes) - m_tokens;
        constexpr double LONGEST = 4e18; // fits into a Time
        const double steps = std::clamp(std::ceil(missing / m_bytesPerStep), 1.0, LONGEST);
        return TimeStep(static_cast<uint64_t>(steps));
    }

  private:
    /// Adds what trickled in since the last call.
    void Fill(Time now)
    {
        const auto passed = static_cast<double>((now - m_filled).GetTimeStep());
        m_tokens = std::min(m_depth, m_tokens + passed * m_bytesPerStep);
        m_filled = now;
    }

    double m_bytesPerStep{0}; ///< rate, per time step of ns-3
    double m_depth{0};        ///< bytes
    double m_tokens{0};       ///< bytes
    Time m_filled;            ///< time of the last Fill()
};

} // namespace ns3::coflow

#endif // COFLOW_TOKEN_BUCKET_H
