/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_DAEMON_RATES_H
#define COFLOW_DAEMON_RATES_H

#include "ns3/coflow-central-messages.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3::coflow
{

/// The rates that the coordinator has granted the flows of a host.
class DaemonRates
{
  public:
    /// What a flow was granted.
    struct Granted
    {
        uint64_t bitsPerSecond{0}; ///< 0: it waits
        uint32_t label{0};         ///< of its packets; 0: none
    };

    /// Takes a message in force: all rates, or changes.
    /// @return flows that it names, sorted
    std::vector<FlowKey> Take(const UpdatedRatesMessage& message);

    /// @return what a flow was granted; nothing where it is not known
    Granted Get(const FlowKey& key) const;

    /// A flow has no rate any more.
    void Erase(const FlowKey& key);

  private:
    std::map<FlowKey, Granted> m_rates; ///< those above 0
};

} // namespace ns3::coflow

#endif // COFLOW_DAEMON_RATES_H
