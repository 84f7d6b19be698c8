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
/// @param paths has the paths of flows by number; null: flows have no labels
/// @return the rates for the senders
RateMaps MakeRateMaps(const ::coflow::FlowTable& table, const ::coflow::PathMap* paths = nullptr);

/// Sends rates of flows to hosts whose map has changed.
///
/// A host gets the changes since its last message. It gets the whole map in three cases: the whole
/// map is shorter; the coordinator does not know what the host knows; or the last message still
/// waits for its connection. In the third case the whole map takes the place of the message that
/// waits, so that a host is never behind by more than one map.
class RateDispatcher
{
  public:
    /// Sends a map to a host; returns whether the host can be reached.
    using Send = std::function<bool(::coflow::HostId, const UpdatedRatesMessage&)>;
    /// Whether a map for a host has not left yet, so that a whole map would take its place.
    using Waits = std::function<bool(::coflow::HostId)>;

    /// @param send sends a map
    /// @param waits says what waits
    /// @param nextSchedule gives a number larger than all before
    RateDispatcher(Send send, Waits waits, std::function<uint64_t()> nextSchedule);

    RateDispatcher(const RateDispatcher&) = delete;
    RateDispatcher& operator=(const RateDispatcher&) = delete;

    /// Sends messages to hosts whose map differs from the map that they know.
    /// @return number of hosts that were reached
    std::size_t Dispatch(RateMaps maps);

    /// A flow is done: it has no rate any more. Its host knows that.
    void FlowDone(::coflow::HostId host, const FlowKey& key);

    /// The coordinator does not know any more what a host knows. The next Dispatch() sends it all.
    void Forget(::coflow::HostId host);

  private:
    /// @param host the host
    /// @param known the map that it knows; null: it is not known
    /// @param map its new map
    /// @return the shorter message that turns the one map into the other
    UpdatedRatesMessage MakeMessage(::coflow::HostId host,
                                    const std::vector<RateRecord>* known,
                                    const std::vector<RateRecord>& map) const;

    Send m_send;                                   ///< sends a map
    Waits m_waits;                                 ///< whether one waits
    std::function<uint64_t()> m_nextSchedule;      ///< gives numbers
    RateMaps m_known;                              ///< what hosts know; none: not known
    std::map<::coflow::HostId, uint64_t> m_toldAt; ///< number of the last message to a host
};

} // namespace ns3::coflow

#endif // COFLOW_RATE_DISPATCHER_H
