/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_KEY_BANDS_H
#define COFLOW_KEY_BANDS_H

#include <cstdint>
#include <vector>

namespace ns3::coflow
{

/// Maps keys to a few bands, for networks with classes of service in place of unlimited priorities.
/// Band 0, which is served first, has the keys below the first threshold. Each next band has the
/// keys below the next threshold. The last band has all other keys.
class KeyBands
{
  public:
    /// All keys are in band 0.
    KeyBands() = default;

    /// @param thresholds thresholds in ascending order, fewer than PacketPriority::BANDS
    explicit KeyBands(std::vector<uint64_t> thresholds);

    /// Makes bands with thresholds in a geometric sequence.
    /// @param bands number of bands, 1 to PacketPriority::BANDS
    /// @param first first threshold, > 0
    /// @param factor ratio of two successive thresholds, > 1
    /// @return the bands
    static KeyBands Logarithmic(uint32_t bands, uint64_t first, double factor);

    /// @param key any key
    /// @return the band of the key
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
