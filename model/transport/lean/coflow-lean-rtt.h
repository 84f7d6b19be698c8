/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_RTT_H
#define COFLOW_LEAN_RTT_H

#include "ns3/coflow-lean-segment.h"
#include "ns3/coflow-lean-settings.h"
#include "ns3/coflow-ring.h"

#include <cstdint>
#include <optional>

namespace ns3::coflow
{

/// The round-trip time of a connection: the send times of unacknowledged segments, and the smoothed
/// estimate of ns-3's RttMeanDeviation, in time steps.
class LeanRtt
{
  public:
    /// @param settings settings of the connection, the same in all calls
    explicit LeanRtt(const LeanSettings& settings)
    {
        Reset(settings);
    }

    /// Forgets all samples.
    void Reset(const LeanSettings& settings);

    /// A segment is sent.
    /// @param sequence sequence number of its first byte
    /// @param bytes bytes of its payload
    /// @param again whether it is a retransmission, so that an acknowledgement is ambiguous
    /// @param now the time
    void NoteSent(uint32_t sequence, uint32_t bytes, bool again, int64_t now);

    /// Removes all send times.
    void ForgetSent()
    {
        m_sent.Clear();
    }

    /// Samples of one acknowledgement; none: no sample.
    struct Samples
    {
        /// Sample of the first acknowledged segment, for the estimate.
        std::optional<int64_t> first;
        std::optional<int64_t> last; ///< sample of the last acknowledged segment
    };

    /// Processes an acknowledgement. Removes the send times of acknowledged segments.
    /// @param header header of the acknowledgement
    /// @param isNew whether it acknowledges new bytes
    /// @param timestamps whether timestamps are in use
    /// @param now the time
    Samples TakeAcknowledgement(const LeanSegment& header,
                                bool isNew,
                                bool timestamps,
                                const LeanSettings& settings,
                                int64_t now);

    /// Updates the estimate with a sample.
    void Measure(int64_t sample, const LeanSettings& settings);

    /// @return smoothed round-trip time
    int64_t GetEstimate() const
    {
        return m_estimate;
    }

    /// @return number of samples in the estimate
    uint32_t GetNSamples() const
    {
        return m_nSamples;
    }

    /// @return the retransmission timeout of the estimate, at least LeanSettings::minRto
    int64_t GetTimeout(const LeanSettings& settings) const;

    /// @return the retransmission timeout of the estimate, without minRto
    int64_t GetBareTimeout(const LeanSettings& settings) const;

    /// Prefetches the memory that the next segment or acknowledgement will touch.
    void Prefetch() const
    {
        m_sent.PrefetchEnds();
    }

  private:
    struct SentSegment
    {
        int64_t at;
        uint32_t first;
        uint32_t bytes : 31;
        uint32_t again : 1;
    };

    /// @return the sample from the echoed timestamp of an acknowledgement
    static int64_t SampleTimestamp(const LeanSegment& header, int64_t most, int64_t now);

    /// @return the sample of a segment from an acknowledgement; none: no sample
    static std::optional<int64_t> Sample(const LeanSegment& header,
                                         const SentSegment& sent,
                                         bool timestamps,
                                         int64_t most,
                                         int64_t now);

    int64_t m_estimate;
    int64_t m_variation{0};
    uint32_t m_nSamples{0};
    ::coflow::Ring<SentSegment> m_sent; ///< unacknowledged segments, in the order of sending
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_RTT_H
