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

/// Rates of the flows that every host sends: those above 0, by flow. A host that has only flows
/// without a rate is there with an empty list.
using RateMaps = std::map<::coflow::HostId, std::vector<RateRecord>>;

/// @param table flows with their rates
/// @param paths what the flows' paths are places in; null: flows have no labels
/// @return what their senders are to be told
RateMaps MakeRateMaps(const ::coflow::FlowTable& table, const ::coflow::PathMap* paths = nullptr);

/// Tells rates of flows to hosts whose map changed.
///
/// A host is told what has changed since it was last told. It is told the whole map where that is
/// shorter; where it is not known what the host knows; and while what it was told waits for its
/// connection: the whole map then takes the place of what waits, and a host is never behind by
/// more than one map.
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

    /// Tells hosts whose map differs from what they know.
    /// @return number of hosts that were told something now
    std::size_t Dispatch(RateMaps maps);

    /// A flow is done: it has no rate any more, and its host knows.
    void FlowDone(::coflow::HostId host, const FlowKey& key);

    /// It is not known what a host knows: it is told at the next occasion.
    void Forget(::coflow::HostId host);

  private:
    /// @param host whom it is for
    /// @param known its map, as it knows it; none: that is not known
    /// @param map its new map
    /// @return the shorter message that makes the one of the other
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
