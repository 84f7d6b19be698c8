/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-key-bands.h"

#include "ns3/abort.h"
#include "ns3/coflow-packet-class.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3::coflow
{

KeyBands::KeyBands(std::vector<uint64_t> thresholds)
    : m_thresholds(std::move(thresholds))
{
    NS_ABORT_MSG_UNLESS(std::ranges::is_sorted(m_thresholds) &&
                            m_thresholds.size() < PacketPriority::BANDS,
                        "thresholds of bands; allowed: at most " << PacketPriority::BANDS - 1
                                                                 << " in ascending order");
}

KeyBands
KeyBands::Logarithmic(uint32_t bands, uint64_t first, double factor)
{
    std::vector<uint64_t> thresholds;
    double threshold = static_cast<double>(first);
    for (uint32_t band = 1; band < bands; ++band)
    {
        thresholds.push_back(threshold < 0x1p63 ? static_cast<uint64_t>(std::llround(threshold))
                                                : PacketPriority::LEAST_URGENT);
        threshold *= factor;
    }
    return KeyBands(std::move(thresholds));
}

uint8_t
KeyBands::GetBand(uint64_t key) const
{
    const auto above = std::ranges::upper_bound(m_thresholds, key);
    return static_cast<uint8_t>(above - m_thresholds.begin());
}

} // namespace ns3::coflow
