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
    /// The rate and the path of a flow.
    struct Granted
    {
        uint64_t bitsPerSecond{0}; ///< rate in bits per second; 0: the flow waits
        uint32_t label{0};         ///< label of its packets; 0: none
    };

    /// Applies a message, with all rates or with changes.
    /// @param message the message
    /// @return the flows whose rates the message may change, sorted
    std::vector<FlowKey> Take(const UpdatedRatesMessage& message);

    /// @param key a flow
    /// @return rate and path of the flow; rate 0 where the flow is not known
    Granted Get(const FlowKey& key) const;

    /// Removes a flow.
    /// @param key the flow
    void Erase(const FlowKey& key);

  private:
    std::map<FlowKey, Granted> m_rates; ///< rates above 0
};

} // namespace ns3::coflow

#endif // COFLOW_DAEMON_RATES_H
