/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_KEY_BANDS_H
#define COFLOW_KEY_BANDS_H

#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// Which of a few bands a key belongs to, where a network has classes of service instead of
/// unlimited priorities: band 0, the first served, holds the keys below the first threshold, and
/// so on; the last one holds the rest.
class KeyBands
{
  public:
    /// All keys are in band 0.
    KeyBands() = default;

    /// @param thresholds ascending, fewer than PacketPriority::BANDS
    explicit KeyBands(std::vector<uint64_t> thresholds);

    /// Thresholds in a geometric sequence.
    /// @param bands number of bands, 1 to PacketPriority::BANDS
    /// @param first keys below it are in band 0; > 0
    /// @param factor ratio of two thresholds, > 1
    static KeyBands Logarithmic(uint32_t bands, uint64_t first, double factor);

    /// @param key any key
    /// @return its band
    uint8_t GetBand(uint64_t key) const;

    /// @return number of bands
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_thresholds.size() + 1);
    }

  private:
    std::vector<uint64_t> m_thresholds;
};

} // namespace ns3::coflow

#endif // COFLOW_KEY_BANDS_H
