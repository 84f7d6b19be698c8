/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_QUEUE_OCCUPANCY_H
#define COFLOW_QUEUE_OCCUPANCY_H

#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>

namespace ns3::coflow
{

/// The largest and the time-weighted mean occupancy of a queue since time 0.
class QueueOccupancy
{
  public:
    /// Records a change.
    /// @param now time of the change, not before the last change
    /// @param bytes bytes in the queue from now on
    void Set(Time now, uint64_t bytes)
    {
        m_byteNanoseconds = GetByteNanoseconds(now);
        m_since = now;
        m_bytes = bytes;
        m_maxBytes = std::max(m_maxBytes, bytes);
    }

    /// @return most bytes that were ever in the queue
    uint64_t GetMaxBytes() const
    {
        return m_maxBytes;
    }

    /// @param now time up to which the mean is taken
    /// @return mean number of bytes in the queue; 0 at time 0
    double GetMeanBytes(Time now) const
    {
        return now.IsZero() ? 0
                            : GetByteNanoseconds(now) / static_cast<double>(now.GetNanoSeconds());
    }

  private:
    /// @return integral of the occupancy up to a time
    double GetByteNanoseconds(Time now) const
    {
        return m_byteNanoseconds +
               static_cast<double>(m_bytes) * static_cast<double>((now - m_since).GetNanoSeconds());
    }

    Time m_since{0};             ///< time of the last change
    uint64_t m_bytes{0};         ///< bytes in the queue since m_since
    uint64_t m_maxBytes{0};      ///< most bytes so far
    double m_byteNanoseconds{0}; ///< integral of the occupancy until m_since
};

} // namespace ns3::coflow

#endif // COFLOW_QUEUE_OCCUPANCY_H
