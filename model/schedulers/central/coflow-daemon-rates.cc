/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/coflow-daemon-rates.h"

#include <algorithm>

namespace ns3::coflow
{

std::vector<FlowKey>
DaemonRates::Take(const UpdatedRatesMessage& message)
{
    std::vector<FlowKey> changed;
    if (message.since == 0)
    {
        for (const auto& rate : m_rates)
        {
            changed.push_back(rate.first);
        }
        m_rates.clear();
    }
    for (const auto& record : message.records)
    {
        changed.push_back(record.key);
        if (record.bitsPerSecond > 0)
        {
            m_rates[record.key] = {record.bitsPerSecond, record.label};
        }
        else
        {
            m_rates.erase(record.key);
        }
    }
    std::ranges::sort(changed);
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    return changed;
}

DaemonRates::Granted
DaemonRates::Get(const FlowKey& key) const
{
    const auto rate = m_rates.find(key);
    return rate == m_rates.end() ? Granted() : rate->second;
}

void
DaemonRates::Erase(const FlowKey& key)
{
    m_rates.erase(key);
}

} // namespace ns3::coflow
