/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_LEAN_RTT_H
#define COFLOW_LEAN_RTT_H

#include "ns3/coflow-lean-segment.h"
#include "ns3/coflow-lean-settings.h"
#include "ns3/coflow-ring.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ns3::coflow
{

/// The round trip of a connection: what was sent when, and the smoothed estimate of ns-3's
/// RttMeanDeviation, in time steps.
class LeanRtt
{
  public:
    /// @param settings of the connection, as in all calls
    explicit LeanRtt(const LeanSettings& settings)
    {
        Reset(settings);
    }

    /// Forgets all samples.
    void Reset(const LeanSettings& settings);

    /// A segment leaves.
    /// @param sequence its first byte
    /// @param bytes its payload
    /// @param again whether it was sent before, so that an acknowledgement may be of either
    /// @param now the time
    void NoteSent(uint32_t sequence, uint32_t bytes, bool again, int64_t now);

    /// Forgets what was sent when.
    void ForgetSent()
    {
        m_sent.Clear();
    }

    /// Samples of one acknowledgement; nothing: there is none.
    struct Samples
    {
        std::optional<int64_t> first; ///< of the first segment that it acknowledges: the estimate's
        std::optional<int64_t> last;  ///< of the last one
    };

    /// An acknowledgement has come; what it acknowledges is forgotten.
    /// @param header of the acknowledgement
    /// @param isNew whether it acknowledges something that was not acknowledged
    /// @param timestamps whether timestamps are in use
    /// @param now the time
    Samples TakeAcknowledgement(const LeanSegment& header,
                                bool isNew,
                                bool timestamps,
                                const LeanSettings& settings,
                                int64_t now);

    /// Takes a sample into the estimate.
    void Measure(int64_t sample, const LeanSettings& settings);

    /// @return smoothed round trip
    int64_t GetEstimate() const
    {
        return m_estimate;
    }

    /// @return number of samples in the estimate
    uint32_t GetNSamples() const
    {
        return m_nSamples;
    }

    /// @return the retransmission timeout that the estimate makes, at least the shortest allowed
    int64_t GetTimeout(const LeanSettings& settings) const;

    /// @return the same without a limit from below
    int64_t GetBareTimeout(const LeanSettings& settings) const;

    /// Brings to the cache what the next segment or acknowledgement will touch.
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

    /// @return the sample of the timestamp that an acknowledgement brings back
    static int64_t SampleTimestamp(const LeanSegment& header, int64_t most, int64_t now);

    /// @return what an acknowledgement says about a segment
    static std::optional<int64_t> Sample(const LeanSegment& header,
                                         const SentSegment& sent,
                                         bool timestamps,
                                         int64_t most,
                                         int64_t now);

    int64_t m_estimate;
    int64_t m_variation{0};
    uint32_t m_nSamples{0};
    ::coflow::Ring<SentSegment> m_sent; ///< not acknowledged, in order of sending
};

} // namespace ns3::coflow

#endif // COFLOW_LEAN_RTT_H
