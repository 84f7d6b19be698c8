/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_WIRE_TIMES_H
#define COFLOW_WIRE_TIMES_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3::coflow
{

/// How long packets take to be sent at one rate, rounded as PointToPointNetDevice does. Its
/// arithmetic with 128 bits costs more than all else at a hop, so results are kept.
class WireTimes
{
  public:
    /// Bytes on the wire around an IPv4 packet: those of PPP.
    static constexpr uint32_t FRAMING_BYTES = 2;

    /// @param rate rate of the wire
    /// @param mtu largest IPv4 packet, bytes
    WireTimes(DataRate rate, uint32_t mtu)
        : m_rate(rate),
          m_steps(mtu + 1)
    {
    }

    /// @param bytes size of the IPv4 packet, at most the MTU
    /// @return time to send it, in time steps
    int64_t Get(uint32_t bytes)
    {
        int64_t& steps = m_steps[bytes];
        if (steps == 0)
        {
            steps = m_rate.CalculateBytesTxTime(bytes + FRAMING_BYTES).GetTimeStep();
        }
        return steps;
    }

  private:
    DataRate m_rate;
    std::vector<int64_t> m_steps; ///< by size; 0: not known yet
};

/// The WireTimes of all rates that occur.
class WireTimesByRate
{
  public:
    /// @param rate a rate
    /// @param mtu largest IPv4 packet, bytes; the same at every call
    /// @return the times at that rate; lives as long as this
    WireTimes* Get(DataRate rate, uint32_t mtu)
    {
        auto& times = m_times[rate.GetBitRate()];
        if (!times)
        {
            times = std::make_unique<WireTimes>(rate, mtu);
        }
        return times.get();
    }

  private:
    std::map<uint64_t, std::unique_ptr<WireTimes>> m_times;
};

} // namespace ns3::coflow

#endif // COFLOW_WIRE_TIMES_H
