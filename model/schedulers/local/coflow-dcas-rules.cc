/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-dcas-rules.h"

#include "ns3/coflow-packet-class.h"

#include <algorithm>
#include <utility>

namespace ns3::coflow
{

Time
DcasRules::Largest(Time, const std::vector<Time>& all)
{
    return *std::max_element(all.begin(), all.end());
}

Time
DcasRules::Own(Time own, const std::vector<Time>&)
{
    return own;
}

Time
DcasRules::TransmissionTime(uint64_t remaining, DataRate rate)
{
    return NanoSeconds(1 + static_cast<int64_t>(static_cast<double>(remaining) * 8e9 /
                                                static_cast<double>(rate.GetBitRate())));
}

Time
DcasRules::Constant(uint64_t, DataRate)
{
    return Seconds(1);
}

KeyBands
DcasKey::MakeBands(uint32_t bands, Time unit)
{
    std::vector<uint64_t> thresholds{Starved(), Starved() + 1};
    const Time longest = Seconds(1e9);
    while (thresholds.size() + 1 < PacketPriority::BANDS)
    {
        unit = std::min(10 * unit, longest);
        thresholds.push_back(Agreed(unit));
    }
    thresholds.resize(std::max(bands, 1U) - 1);
    return KeyBands(std::move(thresholds));
}

} // namespace ns3::coflow
