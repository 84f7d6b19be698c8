/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-lean-rtt.h"

#include <algorithm>
#include <cmath>

namespace ns3::coflow
{

namespace
{

/// @return n if a gain is 2 to the power of -n, for which RttMeanDeviation has integer arithmetic;
///         0: none
uint32_t
GetShift(double gain)
{
    constexpr double TOLERANCE = 1e-6;
    for (uint32_t shift = 1; shift <= 5; ++shift)
    {
        if (gain >= TOLERANCE && std::abs(1 / gain - (1U << shift)) < TOLERANCE)
        {
            return shift;
        }
    }
    return 0;
}

} // namespace

void
LeanRtt::Reset(const LeanSettings& settings)
{
    m_estimate = settings.initialRtt.GetTimeStep();
    m_variation = 0;
    m_nSamples = 0;
}

void
LeanRtt::NoteSent(uint32_t sequence, uint32_t bytes, bool again, int64_t now)
{
    if (!again)
    {
        m_sent.PushBack({now, sequence, bytes, false});
        return;
    }
    for (std::size_t i = 0; i < m_sent.GetSize(); ++i)
    {
        SentSegment& sent = m_sent[i];
        if (!IsBefore(sequence, sent.first) && IsBefore(sequence, sent.first + sent.bytes))
        {
            sent.again = 1;
            sent.bytes = sequence + bytes - sent.first;
            return;
        }
    }
}

int64_t
LeanRtt::SampleTimestamp(const LeanSegment& header, int64_t most, int64_t now)
{
    constexpr int64_t MILLISECOND = 1000000;
    constexpr int64_t MICROSECOND = 1000;
    const auto stamp = static_cast<uint32_t>(now / MILLISECOND);
    const int64_t elapsed =
        stamp > header.echo ? int64_t{stamp - header.echo} * MILLISECOND : MICROSECOND;
    return std::min(elapsed, most);
}

std::optional<int64_t>
LeanRtt::Sample(const LeanSegment& header,
                const SentSegment& sent,
                bool timestamps,
                int64_t most,
                int64_t now)
{
    if (IsBefore(header.acknowledgement, sent.first + sent.bytes))
    {
        return std::nullopt;
    }
    if (timestamps && header.hasTimestamp)
    {
        return SampleTimestamp(header, most, now);
    }
    const int64_t sample = std::min(now - sent.at, most);
    return sent.again || sample == 0 ? std::nullopt : std::optional(sample);
}

LeanRtt::Samples
LeanRtt::TakeAcknowledgement(const LeanSegment& header,
                             bool isNew,
                             bool timestamps,
                             const LeanSettings& settings,
                             int64_t now)
{
    const int64_t most = settings.maxRto.GetTimeStep(); // longer samples count as this time
    Samples samples;
    if (m_sent.IsEmpty())
    {
        // A timeout has removed the send times. The echoed timestamp still gives a sample (RFC
        // 7323, 4.1).
        if (isNew && timestamps)
        {
            samples.first = SampleTimestamp(header, most, now);
            samples.last = samples.first;
        }
        return samples;
    }
    SentSegment last = m_sent.Front();
    samples.first = Sample(header, last, timestamps, most, now);
    while (!m_sent.IsEmpty())
    {
        const SentSegment& sent = m_sent.Front();
        if (IsBefore(header.acknowledgement, sent.first + sent.bytes))
        {
            break;
        }
        last = sent;
        m_sent.PopFront();
    }
    samples.last = Sample(header, last, timestamps, most, now);
    return samples;
}

void
LeanRtt::Measure(int64_t sample, const LeanSettings& settings)
{
    if (m_nSamples++ == 0)
    {
        m_estimate = sample;
        m_variation = sample / 2;
        return;
    }
    const uint32_t shift = GetShift(settings.rttGain);
    const uint32_t variationShift = GetShift(settings.variationGain);
    const int64_t error = sample - m_estimate;
    if (shift > 0 && variationShift > 0)
    {
        m_estimate = ((m_estimate << shift) + error) >> shift;
        const int64_t excess = std::abs(error) - m_variation;
        m_variation = ((m_variation << variationShift) + excess) >> variationShift;
        return;
    }
    m_estimate += Time::FromDouble(TimeStep(error).ToDouble(Time::S) * settings.rttGain, Time::S)
                      .GetTimeStep();
    m_variation += (TimeStep(std::abs(error) - m_variation) * settings.variationGain).GetTimeStep();
}

int64_t
LeanRtt::GetBareTimeout(const LeanSettings& settings) const
{
    return m_estimate + std::max(settings.granularity.GetTimeStep(), 4 * m_variation);
}

int64_t
LeanRtt::GetTimeout(const LeanSettings& settings) const
{
    return std::max(GetBareTimeout(settings), settings.minRto.GetTimeStep());
}

} // namespace ns3::coflow
