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
#include <utility>
#include <vector>

namespace ns3::coflow
{

/// The transmission time of some bytes at a rate: whole time steps, and a fraction of a time step.
struct WireTime
{
    /// @param rate bits per second, above 0
    /// @param bytes bytes on the wire
    WireTime(uint64_t rate, uint64_t bytes)
    {
        __extension__ using Product = unsigned __int128;
        const auto perSecond = static_cast<uint64_t>(Time::FromInteger(1, Time::S).GetTimeStep());
        const Product parts = Product{8 * bytes} * perSecond;
        steps = static_cast<int64_t>(parts / rate);
        rest = static_cast<uint64_t>(parts % rate);
    }

    WireTime() = default;

    /// @return the first time step at or after the end of a transmission that begins at time step 0
    int64_t RoundUp() const
    {
        return steps + (rest > 0 ? 1 : 0);
    }

    int64_t steps{0}; ///< whole time steps
    uint64_t rest{0}; ///< fraction of a time step, in units of 1 / (bits per second)
};

/// Transmission times of packets on wires of one rate and delay. A transmission rarely takes a
/// whole number of time steps: at 100 Gbps, 1502 bytes take 120.16 ns. A transmission counts as
/// ended at the first time step at or after its exact end. The port keeps the difference, and the
/// next transmission begins at the exact end of the last one. All arithmetic is exact, in integers:
/// n transmissions in a row end at the first time step at or after their exact end.
///
/// Results are kept, because the division with 128 bits costs more than all other work at a hop.
class WireTimes
{
  public:
    /// Bytes on the wire around an IPv4 packet: the frame of PPP.
    static constexpr uint32_t FRAMING_BYTES = 2;

    /// @param rate rate of the wire, above 0
    /// @param delay propagation delay of the wire, in time steps
    /// @param mtu largest IPv4 packet, bytes
    WireTimes(DataRate rate, int64_t delay, uint32_t mtu)
        : m_rate(rate.GetBitRate()),
          m_delay(delay),
          m_times(mtu + 1)
    {
    }

    /// @param begin time step in which a transmission begins
    /// @param bytes size of the IPv4 packet, at most the MTU
    /// @param early before the call: time by which the transmission begins before the time step.
    ///        After the call: time by which the transmission ends before the returned time step.
    ///        The unit is one time step / (bits per second of the rate)
    /// @return the first time step at or after the end of the transmission
    int64_t GetEnd(int64_t begin, uint32_t bytes, uint64_t& early)
    {
        const WireTime& time = Get(bytes);
        const int64_t end = begin + time.steps;
        if (early >= time.rest)
        {
            early -= time.rest;
            return end;
        }
        early += m_rate - time.rest;
        return end + 1;
    }

    /// @return propagation delay of the wire, in time steps
    int64_t GetDelay() const
    {
        return m_delay;
    }

  private:
    const WireTime& Get(uint32_t bytes)
    {
        WireTime& time = m_times[bytes];
        if (time.steps == 0 && time.rest == 0)
        {
            time = WireTime(m_rate, bytes + FRAMING_BYTES);
        }
        return time;
    }

    uint64_t m_rate;               ///< bits per second
    int64_t m_delay;               ///< time steps
    std::vector<WireTime> m_times; ///< by size; both members 0: not computed yet
};

/// The WireTimes of all rates and delays in a network.
class WireTimesOfAll
{
  public:
    /// @param rate rate of a wire
    /// @param delay propagation delay of the wire
    /// @param mtu largest IPv4 packet, bytes; the same at every call
    /// @return the times of the wire, which exist as long as this object
    WireTimes* Get(DataRate rate, Time delay, uint32_t mtu)
    {
        auto& times = m_times[{rate.GetBitRate(), delay.GetTimeStep()}];
        if (!times)
        {
            times = std::make_unique<WireTimes>(rate, delay.GetTimeStep(), mtu);
        }
        return times.get();
    }

  private:
    std::map<std::pair<uint64_t, int64_t>, std::unique_ptr<WireTimes>> m_times;
};

} // namespace ns3::coflow

#endif // COFLOW_WIRE_TIMES_H
