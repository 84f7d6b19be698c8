/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_RATE_DISPATCHER_H
#define COFLOW_RATE_DISPATCHER_H

#include "ns3/coflow-central-messages.h"
#include "ns3/coflow-flow-table.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace ns3::coflow
{

/// Rates above 0 of the flows that every host sends, by flow. A host whose flows all have rate 0
/// has an empty list.
using RateMaps = std::map<::coflow::HostId, std::vector<RateRecord>>;

/// @param table flows with their rates
/// @param paths paths of flows by number; null: flows have no labels
/// @return the rates for the senders
RateMaps MakeRateMaps(const ::coflow::FlowTable& table, const ::coflow::PathMap* paths = nullptr);

/// Sends rates of flows to hosts whose map has changed.
///
/// A host gets the changes since its last message. It gets the whole map in three cases: the whole
/// map is not longer; the coordinator does not know which map the host has; or the last message
/// still waits for its connection. In the third case the whole map replaces the message that waits,
/// so that a host is never behind by more than one map.
class RateDispatcher
{
  public:
    /// Sends a map to a host; returns whether the host can be reached.
    using Send = std::function<bool(::coflow::HostId, const UpdatedRatesMessage&)>;
    /// Returns whether a map for a host still waits to be sent, so that a whole map would replace
    /// it.
    using Waits = std::function<bool(::coflow::HostId)>;

    /// @param send function that sends a map
    /// @param waits function that returns whether a map waits
    /// @param nextSchedule function that returns a number larger than all earlier numbers
    RateDispatcher(Send send, Waits waits, std::function<uint64_t()> nextSchedule);

    RateDispatcher(const RateDispatcher&) = delete;
    RateDispatcher& operator=(const RateDispatcher&) = delete;

    /// Sends messages to hosts whose map differs from the map that they know.
    /// @param maps the new maps
    /// @return number of hosts that were reached
    std::size_t Dispatch(RateMaps maps);

    /// A flow is done, and has no rate any more. Its host knows this.
    /// @param host the sending host
    /// @param key the flow
    void FlowDone(::coflow::HostId host, const FlowKey& key);

    /// The coordinator does not know the map of a host any more. The next Dispatch() sends the
    /// whole map to the host.
    /// @param host the host
    void Forget(::coflow::HostId host);

  private:
    /// @param host the host
    /// @param known map that the host knows; null: not known
    /// @param map new map of the host
    /// @return the shorter message that turns the one map into the other
    UpdatedRatesMessage MakeMessage(::coflow::HostId host,
                                    const std::vector<RateRecord>* known,
                                    const std::vector<RateRecord>& map) const;

    Send m_send;                                   ///< function that sends a map
    Waits m_waits;                                 ///< function that returns whether a map waits
    std::function<uint64_t()> m_nextSchedule;      ///< function that returns numbers
    RateMaps m_known;                              ///< maps that hosts know; no entry: not known
    std::map<::coflow::HostId, uint64_t> m_toldAt; ///< number of the last message to a host
};

} // namespace ns3::coflow

#endif // COFLOW_RATE_DISPATCHER_H
